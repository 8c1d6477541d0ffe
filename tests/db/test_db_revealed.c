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
#include "db/schema.h"
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

/* The version before asked nobody. */
static void test_a_database_of_version_13(void **state) {
  (void)state;
  static const char *const rows =
      "INSERT INTO run (uuid, command, version, started) VALUES ('a', 'mutate', '0.1', '2026-01-01T00:00:00Z');"
      "INSERT INTO test_case (run, suite, name, command_line) VALUES (1, 's', 't', './t');"
      "INSERT INTO file (sha256, text) VALUES ('abc', 'kernel void k() { }');"
      "INSERT INTO program (identity, options) VALUES ('abc 1 0 0 0', '');"
      "INSERT INTO program_file (program, position, file, name) VALUES (1, 0, 1, 'k.cl');"
      "INSERT INTO run_program VALUES (1, 1);"
      "INSERT INTO mutant (program, identity, operator, file, line, column, offset, end_line, end_column, end_offset,"
      " original, replacement) VALUES (1, 1001, 'arith', 1, 1, 1, 0, 1, 2, 1, '+', '-');"
      "INSERT INTO run_mutant VALUES (1, 1, 'killed', 'output', NULL);"
      "INSERT INTO verdict (test_case, mutant, runs, output, crash, timeout) VALUES (1, 1, 20, 20, 0, 0);";
  error e;
  db *d;
  sqlite3 *handle;
  mutant_verdict v;
  char *path = fixture_path("thirteen.db");
  assert_int_equal(sqlite3_open(path, &handle), SQLITE_OK);
  assert_int_equal(schema_migrate(handle, schema_migrations, 13), SQLITE_OK);
  assert_int_equal(sqlite3_exec(handle, rows, NULL, NULL, NULL), SQLITE_OK);
  assert_int_equal(sqlite3_close(handle), SQLITE_OK);
  for (int pass = 0; pass < 2; pass++) { /* read only, then migrated */
    OK(db_open(&d, path, pass == 0 ? DB_READ : DB_WRITE, &e));
    v = verdict_of(d, 1, 1);
    assert_int_equal(v.output, 20);
    assert_int_equal(v.revealed, REVEALED_UNKNOWN);
    db_close(d);
  }
  OK(db_open(&d, path, DB_WRITE, &e));
  OK(db_keep_revealed(d, 1, 1, REVEALED_NO, "key", &e));
  assert_int_equal(stored(d, 1), REVEALED_NO);
  assert_int_equal(found(d, "key"), REVEALED_NO);
  db_close(d);
  fixture_forget(path);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(test_answers_are_found_by_key),
      TEST(test_a_verdict_that_holds_says_nothing_of_it),
      TEST(test_revealed_in_one_of_two_programs),
      cmocka_unit_test(test_a_database_of_version_13),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
