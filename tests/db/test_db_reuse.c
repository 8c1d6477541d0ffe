/* What the results database knows for later runs: which verdict of a key holds for so many runs, codes, and what a
 * merge and an older database make of them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

#define KEY "0123456789abcdef0123456789abcdef"
#define OTHER "fedcba9876543210fedcba9876543210"

enum { MUTANT = MUTANT_PLUS + 1 }; /* row of a mutant that all three test cases (rows 1 to 3) run */

static void store(db *d, int64_t test_case, mutant_verdict v, const char *key, bool reused) {
  error e;
  OK(db_put_verdict(d, test_case, MUTANT, &v, &e));
  if (key != NULL) OK(db_keep_verdict(d, test_case, MUTANT, key, reused, &e));
}

/* The test case whose verdict is found, 0: none. */
static int64_t find_for(db *d, const char *key, uint32_t runs, mutant_verdict *v) {
  error e;
  int64_t test_case = -1;
  OK(db_find_verdict(d, key, runs, &test_case, v, &e));
  return test_case;
}

static const struct {
  const char *what;
  mutant_verdict stored; /* runs, output, crash, timeout, replayed, outside, unwritten */
  uint32_t runs;
  bool holds;
} rules[] = {
    {"as many", {20, 20, 0, 0, 0, 0, 0, 0, REVEALED_UNKNOWN, 0, false}, 20, true},
    {"less", {20, 20, 0, 0, 0, 0, 0, 0, REVEALED_UNKNOWN, 0, false}, 5, true},
    {"more", {20, 20, 0, 0, 0, 0, 0, 0, REVEALED_UNKNOWN, 0, false}, 21, false},
    {"less, for several reasons", {20, 10, 4, 6, 20, 0, 0, 0, REVEALED_UNKNOWN, 0, false}, 1, true},
    {"less, none differs", {20, 0, 0, 0, 20, 0, 0, 0, REVEALED_UNKNOWN, 0, false}, 19, true},
    {"more, none differs", {20, 0, 0, 0, 20, 0, 0, 0, REVEALED_UNKNOWN, 0, false}, 40, false},
    {"as many, some differ", {20, 7, 0, 0, 0, 0, 0, 0, REVEALED_UNKNOWN, 0, false}, 20, true},
    {"more, some differ: they still do", {3, 1, 1, 0, 0, 0, 0, 0, REVEALED_UNKNOWN, 0, false}, 20, true},
    {"as many, all outside of buffers", {20, 0, 0, 0, 20, 20, 0, 0, REVEALED_UNKNOWN, 0, false}, 20, true},
    {"more, all outside of buffers", {20, 0, 0, 0, 20, 20, 0, 0, REVEALED_UNKNOWN, 0, false}, 21, false},
    {"more, some differ by unwritten memory: they still do",
     {3, 0, 0, 0, 3, 0, 2, 0, REVEALED_UNKNOWN, 0, false},
     20,
     true},
    {"less, all by a race", {20, 0, 0, 0, 20, 0, 0, 20, REVEALED_UNKNOWN, 0, false}, 5, true},
    {"less, some differ: maybe not in these", {3, 1, 1, 0, 0, 0, 0, 0, REVEALED_UNKNOWN, 0, false}, 2, false},
};

static void test_verdicts_hold_for_some_runs(void **state) {
  fixture *f = *state;
  mutant_verdict v;
  (void)fixture_mutation(f->d, 0, 1);
  for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) {
    store(f->d, 1, rules[i].stored, KEY, false);
    int64_t found = find_for(f->d, KEY, rules[i].runs, &v);
    if (found != (rules[i].holds ? 1 : 0)) fail_msg("%s: %lld is found", rules[i].what, (long long)found);
    const mutant_verdict wanted = rules[i].holds ? rules[i].stored : (mutant_verdict){0};
    assert_memory_equal(&v, &wanted, sizeof v);
  }
}

static void test_verdicts_are_found_by_key(void **state) {
  fixture *f = *state;
  mutant_verdict v;
  (void)fixture_mutation(f->d, 0, 1);
  assert_int_equal(find_for(f->d, KEY, 1, &v), 0); /* those of the fixture have no key */
  store(f->d, 1, (mutant_verdict){20, 20, 0, 0, 0, 0, 0, 0, REVEALED_UNKNOWN, 0, false}, KEY, false);
  assert_int_equal(find_for(f->d, OTHER, 1, &v), 0);
  store(f->d, 2, (mutant_verdict){10, 0, 0, 0, 10, 0, 0, 0, REVEALED_UNKNOWN, 0, false}, KEY, false);
  assert_int_equal(find_for(f->d, KEY, 10, &v), 2); /* the newest */
  assert_int_equal(v.output, 0);
  assert_int_equal(find_for(f->d, KEY, 20, &v), 1); /* the newest that has so many runs */
  assert_int_equal(v.output, 20);
  store(f->d, 2, (mutant_verdict){10, 10, 0, 0, 0, 0, 0, 0, REVEALED_UNKNOWN, 0, false}, NULL,
        false); /* made anew, not to be found */
  assert_int_equal(find_for(f->d, KEY, 10, &v), 1);
  store(f->d, 1, (mutant_verdict){20, 20, 0, 0, 0, 0, 0, 0, REVEALED_UNKNOWN, 0, false}, OTHER, true);
  assert_int_equal(find_for(f->d, KEY, 10, &v), 0);
  assert_int_equal(find_for(f->d, OTHER, 10, &v), 1);
}

static void test_reports_know_what_is_reused(void **state) {
  fixture *f = *state;
  error e;
  view v;
  (void)fixture_mutation(f->d, 0, 1);
  store(f->d, 1, (mutant_verdict){20, 20, 0, 0, 0, 0, 0, 0, REVEALED_UNKNOWN, 0, false}, KEY, false);
  store(f->d, 3, (mutant_verdict){20, 20, 0, 0, 0, 0, 0, 0, REVEALED_UNKNOWN, 0, false}, OTHER, true);
  OK(db_load(f->d, NULL, 0, &v, &e));
  size_t seen = 0;
  for (size_t i = 0; i < v.mutant_count; i++) {
    for (size_t k = 0; k < v.mutants[i].verdict_count; k++) {
      if (v.mutants[i].verdicts[k].reused) {
        assert_int_equal(v.mutants[i].id, 1001 + MUTANT_PLUS);
        assert_string_equal(v.test_cases[v.mutants[i].verdicts[k].test_case].name, "tiny");
        seen++;
      }
    }
  }
  assert_int_equal(seen, 1);
  view_free(&v);
}

static void test_codes(void **state) {
  fixture *f = *state;
  error e;
  bool found = true;
  db_code code;
  OK(db_find_code(f->d, KEY, &found, &code, &e));
  assert_false(found);
  OK(db_put_code(f->d, KEY, &(db_code){true, "abc"}, &e));
  OK(db_put_code(f->d, OTHER, &(db_code){false, ""}, &e));
  OK(db_find_code(f->d, KEY, &found, &code, &e));
  assert_true(found && code.built);
  assert_string_equal(code.digest, "abc");
  OK(db_find_code(f->d, OTHER, &found, &code, &e));
  assert_true(found && !code.built);
  assert_string_equal(code.digest, "");
  OK(db_put_code(f->d, KEY, &(db_code){true, "abd"}, &e));
  OK(db_find_code(f->d, KEY, &found, &code, &e));
  assert_string_equal(code.digest, "abd");
}

static void test_merging_keeps_what_is_known(void **state) {
  fixture *f = *state;
  error e;
  mutant_verdict v;
  db_code code;
  bool found = false;
  size_t merged = 0;
  (void)fixture_mutation(f->d, 0, 1);
  store(f->d, 1, (mutant_verdict){20, 20, 0, 0, 0, 0, 0, 0, REVEALED_UNKNOWN, 0, false}, KEY, false);
  store(f->d, 2, (mutant_verdict){20, 20, 0, 0, 0, 0, 0, 0, REVEALED_UNKNOWN, 0, false}, OTHER, true);
  OK(db_put_code(f->d, KEY, &(db_code){true, "abc"}, &e));
  char *path = fixture_path("all.db");
  db *all;
  OK(db_open(&all, path, DB_WRITE, &e));
  (void)fixture_run(all); /* two test cases, so that rows are others */
  for (int i = 0; i < 2; i++) {
    OK(db_merge(all, f->d, &merged, &e));
    assert_int_equal(merged, i == 0 ? 1 : 0);
    assert_int_equal(find_for(all, KEY, 20, &v), 3);
    assert_int_equal(find_for(all, OTHER, 20, &v), 4);
    OK(db_find_code(all, KEY, &found, &code, &e));
    assert_true(found);
  }
  view loaded;
  OK(db_load(all, (const int64_t[]){2}, 1, &loaded, &e));
  size_t reused = 0;
  for (size_t i = 0; i < loaded.mutant_count; i++)
    for (size_t k = 0; k < loaded.mutants[i].verdict_count; k++) reused += loaded.mutants[i].verdicts[k].reused ? 1 : 0;
  assert_int_equal(reused, 1);
  view_free(&loaded);
  db_close(all);
  fixture_forget(path);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(test_verdicts_hold_for_some_runs), TEST(test_verdicts_are_found_by_key),
      TEST(test_reports_know_what_is_reused), TEST(test_codes),
      TEST(test_merging_keeps_what_is_known),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
