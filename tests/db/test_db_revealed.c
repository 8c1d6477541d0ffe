/* The results database on mutants that programs notice themselves: what is kept, found again, joined, migrated. */
#include <stdlib.h>

/* cmocka.h wants these before it. */
/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
/* clang-format on */

#include "db/internal.h"
#include "tests/fixtures/db_fixture.h"
#include "tests/fixtures/ok.h"
#include "tests/fixtures/report_fixture.h"

enum { MUTANT = MUTANT_PLUS + 1 }; /* row of a mutant that all three test cases (rows 1 to 3) kill */

static const mutant_verdict killed = {.runs = 20, .output = 20};

static mutant_revealed stored(db *d, int64_t test_case) {
  const mutant_verdict v = verdict_of(d, test_case, MUTANT);
  assert_int_equal(v.output, 20);
  return v.revealed;
}

static mutant_revealed found(db *d, const char *key) {
  error e;
  mutant_revealed revealed;
  OK(db_find_revealed(d, key, &revealed, &e));
  return revealed;
}

static void test_answers_are_found_by_key(void **state) {
  fixture *f = *state;
  error e;
  (void)fixture_mutation(f->d, 0, 1);
  assert_int_equal(stored(f->d, 1), REVEALED_UNKNOWN);
  assert_int_equal(found(f->d, "a"), REVEALED_UNKNOWN);
  OK(db_keep_revealed(f->d, 1, MUTANT, REVEALED_NO, "a", &e));
  OK(db_keep_revealed(f->d, 2, MUTANT, REVEALED_YES, "b", &e));
  assert_int_equal(stored(f->d, 1), REVEALED_NO);
  assert_int_equal(stored(f->d, 2), REVEALED_YES);
  assert_int_equal(found(f->d, "a"), REVEALED_NO);
  assert_int_equal(found(f->d, "b"), REVEALED_YES);
  OK(db_keep_revealed(f->d, 3, MUTANT, REVEALED_UNKNOWN, "b", &e)); /* newer, and says nothing */
  assert_int_equal(found(f->d, "b"), REVEALED_YES);
  OK(db_keep_revealed(f->d, 3, MUTANT, REVEALED_NO, "", &e)); /* kept, and not to be found */
  assert_int_equal(stored(f->d, 3), REVEALED_NO);
  assert_int_equal(found(f->d, ""), REVEALED_UNKNOWN);
  OK(db_put_verdict(f->d, 1, MUTANT, &killed, &e)); /* made anew: nobody was asked */
  assert_int_equal(stored(f->d, 1), REVEALED_UNKNOWN);
  assert_int_equal(found(f->d, "a"), REVEALED_UNKNOWN);
}

/* A test that gets an assertion does the same on the device: its verdicts hold, what it notices is to be asked again. */
static void test_a_verdict_that_holds_says_nothing_of_it(void **state) {
  fixture *f = *state;
  error e;
  mutant_verdict v;
  int64_t test_case;
  (void)fixture_mutation(f->d, 0, 1);
  OK(db_keep_verdict(f->d, 1, MUTANT, "replay", false, &e));
  for (int revealed = REVEALED_NO; revealed <= REVEALED_YES; revealed++) {
    OK(db_keep_revealed(f->d, 1, MUTANT, (mutant_revealed)revealed, "program", &e));
    OK(db_find_verdict(f->d, "replay", 20, &test_case, &v, &e));
    assert_int_equal(test_case, 1);
    assert_int_equal(v.output, 20);
    assert_int_equal(v.revealed, REVEALED_UNKNOWN);
  }
}

/* A mutant of a header that two programs use, which one test case runs. */
static const struct {
  uint32_t differ[2]; /* of 20 runs */
  mutant_revealed words[2], joined;
} pairs[] = {
    {{20, 20}, {REVEALED_NO, REVEALED_YES}, REVEALED_YES},
    {{20, 20}, {REVEALED_YES, REVEALED_UNKNOWN}, REVEALED_YES},
    {{20, 20}, {REVEALED_NO, REVEALED_UNKNOWN}, REVEALED_UNKNOWN},
    {{20, 20}, {REVEALED_UNKNOWN, REVEALED_NO}, REVEALED_UNKNOWN},
    {{20, 20}, {REVEALED_NO, REVEALED_NO}, REVEALED_NO},
    {{20, 0}, {REVEALED_NO, REVEALED_UNKNOWN}, REVEALED_NO},
    {{0, 20}, {REVEALED_UNKNOWN, REVEALED_NO}, REVEALED_NO},
};

static void test_revealed_in_one_of_two_programs(void **state) {
  fixture *f = *state;
  error e;
  model models[2];
  fixture_conv(&models[0]);
  fixture_scan(&models[1]);
  db_mutant *all = fixture_mutants(&models[0]);
  for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
    int64_t run, test, id;
    view v;
    db_mutant mutant = all[MUTANT_CLAMP];
    OK(db_begin_run(f->d, "mutate", "0.1", &run, &e));
    OK(db_begin_test_case(f->d, run, "", "a", "", &test, &e));
    for (size_t k = 0; k < 2; k++) {
      db_program p;
      OK(db_add_program(f->d, run, &models[k], &p, &e));
      mutant.function = k == 0 ? mutant.function : 1; /* of scan */
      OK(db_add_mutants(f->d, &p, &models[k], &mutant, 1, &id, &e));
      const mutant_status status = pairs[i].differ[k] == 20 ? MUTANT_KILLED : MUTANT_SURVIVED;
      OK(db_set_mutant(f->d, run, id, status, "", 0, &e));
      const mutant_verdict verdict = {.runs = 20, .output = pairs[i].differ[k], .revealed = pairs[i].words[k]};
      OK(db_put_verdict(f->d, test, id, &verdict, &e));
      db_program_free(&p);
    }
    OK(db_load(f->d, &run, 1, &v, &e));
    assert_int_equal(v.mutants[0].status, MUTANT_KILLED);
    assert_int_equal(v.mutants[0].verdict_count, 1);
    assert_int_equal(v.mutants[0].verdicts[0].revealed, pairs[i].joined);
    assert_int_equal(v.mutants[0].verdicts[0].output, 20);
    view_free(&v);
  }
  free(all);
  model_free(&models[0]);
  model_free(&models[1]);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(test_answers_are_found_by_key),
      TEST(test_a_verdict_that_holds_says_nothing_of_it),
      TEST(test_revealed_in_one_of_two_programs),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
