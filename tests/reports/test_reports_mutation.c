/* Counts of mutants, by hand-counted examples. */
#include <stdlib.h>
#include <string.h>

/* cmocka.h wants these before it. */
/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
/* clang-format on */

#include "reports/common/coverage.h"
#include "reports/common/report.h"
#include "reports/formats.h"
#include "tests/fixtures/mutation_fixture.h"
#include "tests/fixtures/ok.h"
#include "tests/fixtures/report_checks.h"

/* Counts in the order killed, undecided, survived, no coverage; equivalent, duplicate, invalid, suppressed, pending. */
static void assert_counts(const mutation_counts *c, const unsigned long expected_counts[9]) {
  static const mutant_status order[9] = {MUTANT_KILLED,      MUTANT_UNDECIDED,  MUTANT_SURVIVED,
                                         MUTANT_NO_COVERAGE, MUTANT_EQUIVALENT, MUTANT_DUPLICATE,
                                         MUTANT_INVALID,     MUTANT_SUPPRESSED, MUTANT_PENDING};
  for (size_t i = 0; i < 9; i++)
    if (c->of[order[i]] != expected_counts[i])
      fail_msg("%lu are %s, not %lu", c->of[order[i]], mutant_status_name(order[i]), expected_counts[i]);
  assert_int_equal(c->total, expected_counts[0] + expected_counts[1] + expected_counts[2] + expected_counts[3]);
}

static void test_mutation_totals(void **state) {
  fixture *f = *state;
  view v;
  mutation m;
  load_mutation(f, &v);
  mutation_totals(&v, NULL, &m);
  assert_counts(&m.all, (const unsigned long[]){4, 1, 2, 3, 1, 1, 1, 1, 1});
  assert_int_equal(mutation_score(&m.all).covered, 4);
  assert_int_equal(mutation_score(&m.all).total, 10);
  assert_int_equal(m.kernel_count, 2);
  assert_string_equal(m.kernels[0].name, "conv2d");
  assert_counts(&m.kernels[0].counts, (const unsigned long[]){4, 1, 2, 1, 1, 1, 1, 1, 0});
  assert_counts(&m.kernels[1].counts, (const unsigned long[]){0, 0, 0, 2, 0, 0, 0, 0, 1});
  static const struct {
    const char *name;
    unsigned long counts[9];
  } operators[] = {
      {"arith", {2, 0, 0, 2, 0, 0, 1, 0, 0}}, {"barrier", {0, 0, 0, 1, 0, 0, 0, 0, 0}},
      {"const", {0, 0, 0, 0, 1, 0, 0, 0, 0}}, {"index", {0, 0, 0, 0, 0, 0, 0, 1, 0}},
      {"logic", {1, 0, 0, 0, 0, 0, 0, 0, 0}}, {"loop", {1, 0, 0, 0, 0, 0, 0, 0, 0}},
      {"rel", {0, 1, 2, 0, 0, 1, 0, 0, 1}},
  };
  assert_int_equal(m.operator_count, 7);
  for (size_t i = 0; i < 7; i++) {
    assert_string_equal(m.operators[i].name, operators[i].name);
    assert_counts(&m.operators[i].counts, operators[i].counts);
  }
  mutation_free(&m);
  coverage c;
  coverage_total(&v, NULL, &c);
  ASSERT_METRICS(&c, {"mutation", 4, 10});
  coverage_total(&f->v, NULL, &c);
  ASSERT_METRICS(&c, {"mutation", 0, 0});
  view_free(&v);
}

static db_mutant *mutant_at(const view *v, unsigned number) {
  for (size_t i = 0; i < v->mutant_count; i++)
    if (v->mutants[i].id == 1001 + number) return &v->mutants[i];
  fail_msg("mutant %u is not in the view", number);
  return NULL;
}

static void assert_revealed(const view *v, unsigned long revealed, unsigned long total) {
  mutation m;
  mutation_totals(v, NULL, &m);
  const ratio r = mutation_revealed(&m.all);
  assert_int_equal(r.covered, revealed);
  assert_int_equal(r.total, total);
  assert_int_equal(mutation_asked(v), total > 0);
  coverage c;
  coverage_total(v, NULL, &c);
  ASSERT_METRICS(&c, {"revealed", revealed, total}, {"mutation", 4, 10});
  mutation_free(&m);
}

/* Four mutants are killed, of ten that count: + by all three test cases, * by the second alone. */
static void test_what_programs_notice(void **state) {
  fixture *f = *state;
  view v;
  load_mutation(f, &v);
  assert_revealed(&v, 0, 0); /* nobody was asked: it is not known, and not 0 of 10 */
  for (size_t i = 0; i < v.mutant_count; i++)
    for (size_t k = 0; k < v.mutants[i].verdict_count; k++) v.mutants[i].verdicts[k].revealed = REVEALED_NO;
  assert_revealed(&v, 0, 10);
  db_mutant *plus = mutant_at(&v, MUTANT_PLUS), *times = mutant_at(&v, MUTANT_TIMES);
  plus->verdicts[1].revealed = REVEALED_YES; /* one test case that notices it is enough */
  assert_revealed(&v, 1, 10);
  plus->verdicts[0].revealed = REVEALED_UNKNOWN;
  assert_revealed(&v, 1, 10);
  times->verdicts[0].revealed = REVEALED_YES; /* a test case that does not kill it */
  assert_revealed(&v, 1, 10);
  times->verdicts[1].revealed = REVEALED_UNKNOWN; /* the one that does */
  assert_revealed(&v, 0, 0);
  times->verdicts[1].revealed = REVEALED_YES;
  assert_revealed(&v, 2, 10);
  mutation m;
  size_t count = 0;
  mutation_totals(&v, NULL, &m);
  size_t *order = mutation_unrevealed(&v, &m, &count);
  assert_int_equal(count, 2);
  assert_true(&v.mutants[order[0]] != plus && &v.mutants[order[1]] != plus);
  free(order);
  mutation_free(&m);
  view_free(&v);
}

static void test_mutants_of_selected_kernels(void **state) {
  fixture *f = *state;
  view v;
  mutation m;
  coverage c;
  load_mutation(f, &v);
  const report_options rows = {.kernels = {.wanted = {(const char *[]){"reduce*"}, 1, 1}}};
  mutation_totals(&v, &rows, &m);
  assert_counts(&m.all, (const unsigned long[]){0, 0, 0, 2, 0, 0, 0, 0, 1});
  assert_int_equal(m.kernel_count, 1);
  assert_int_equal(m.operator_count, 3);
  mutation_free(&m);
  const report_options no_rows = {.kernels.exclude = {(const char *[]){"reduce*"}, 1, 1}};
  coverage_total(&v, &no_rows, &c);
  ASSERT_METRICS(&c, {"mutation", 4, 8});
  for (const report_writer *w = report_writers; w->name != NULL; w++) {
    char *text = render(w->name, &v, &rows);
    if (strcmp(w->name, "stryker") != 0 && strcmp(w->name, "html") != 0) /* these have the whole source */
      assert_lacks(text, "conv2d");
    assert_lacks(text, "1003");
    free(text);
  }
  static const char *const with_all[] = {"text", "json", "stryker"}; /* mutants, whatever became of them */
  for (size_t i = 0; i < sizeof with_all / sizeof with_all[0]; i++) {
    char *listed = render(with_all[i], &v, &rows);
    assert_contains(listed, "1009");
    free(listed);
  }
  const report_options none = {.kernels = {.wanted = {(const char *[]){"nothing"}, 1, 1}}};
  char *text = render("text", &v, &none);
  assert_contains(text, "(no kernel matches the selection)\n");
  assert_contains(text, "total                             n/a        0          0         0            0\n");
  free(text);
  view_free(&v);
}

static void test_scores_are_rounded(void **state) {
  (void)state;
  static const struct {
    size_t killed, survived;
    const char *text, *json;
  } cases[] = {
      {0, 0, "    n/a ", "\"score\": null"},  {1, 0, "100.0 %", "\"score\": 100.0"},
      {0, 1, "  0.0 %", "\"score\": 0.0"},    {1, 2, " 33.3 %", "\"score\": 33.3"},
      {2, 1, " 66.7 %", "\"score\": 66.7"},   {1999, 1, " 99.9 %", "\"score\": 99.9"},
      {1, 2999, "  0.1 %", "\"score\": 0.1"}, {7, 1, " 87.5 %", "\"score\": 87.5"},
      {1, 15, "  6.3 %", "\"score\": 6.3"}, /* 6.25 */
  };
  const report_options options = {0};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    view v;
    hand_made(&v, "a + b", 1);
    for (size_t k = 0; k < cases[i].killed + cases[i].survived; k++)
      (void)add_by_hand(&v, "+", "-", k < cases[i].killed ? MUTANT_KILLED : MUTANT_SURVIVED);
    (void)add_by_hand(&v, "+", "-", MUTANT_EQUIVALENT); /* these do not count */
    (void)add_by_hand(&v, "+", "-", MUTANT_PENDING);
    char *text = render("text", &v, &options);
    char row[64];
    (void)snprintf(row, sizeof row, "total                         %s", cases[i].text);
    assert_contains(text, row);
    free(text);
    text = render("json", &v, &options);
    assert_contains(text, cases[i].json);
    free(text);
    view_free(&v);
  }
}

/* small kills three mutants, large three, of which one it alone; tiny kills one that both kill, and in 19 of 20 runs
 * another. */
static void test_superfluous_test_cases(void **state) {
  fixture *f = *state;
  error e;
  view v;
  mutation m;
  load_mutation(f, &v);
  mutation_totals(&v, NULL, &m);
  assert_null(mutation_superfluous(&v, &m)); /* one is pending */
  mutation_free(&m);
  int64_t run = v.run;
  view_free(&v);
  for (int64_t id = 1; id <= FIXTURE_MUTANTS; id++) {
    mutant_status status;
    OK(db_get_mutant(f->d, run, id, &status, &e));
    if (status == MUTANT_PENDING) OK(db_set_mutant(f->d, run, id, MUTANT_NO_COVERAGE, "", 0, &e));
  }
  OK(db_load(f->d, &run, 1, &v, &e));
  mutation_totals(&v, NULL, &m);
  bool *superfluous = mutation_superfluous(&v, &m);
  assert_non_null(superfluous);
  assert_false(superfluous[0]);
  assert_false(superfluous[1]);
  assert_true(superfluous[2]);
  free(superfluous);
  mutation_free(&m);
  const report_options options = {0};
  char *text = render("text", &v, &options);
  assert_contains(text, "\nTest cases that add no kill: the others kill the same mutants\n  suite/tiny: ./conv 1\n");
  assert_lacks(text, "--resume");
  free(text);
  text = render("json", &v, &options);
  assert_contains(text, "\"superfluous_tests\": [2]");
  free(text);
  view_free(&v);
}

static void test_superfluous_test_cases_are_found_greedily(void **state) {
  (void)state;
  view v;
  mutation m;
  hand_made(&v, "a + b", 5); /* the last one reaches no mutant: nothing is said of it */
  /* t1 kills most (4); then t0 and t3 have one left each; t2's kills are all made by then. */
  static const char *const rows[] = {"0110", "0110", "0100", "0101", "1010", "0001"};
  for (size_t i = 0; i < 6; i++) add_kills(&v, rows[i]);
  v.mutants[5].verdicts[2] =
      (mutant_verdict){.test_case = 2, .runs = 3, .output = 3}; /* stopped after 3 of 20 runs: no kill */
  mutation_totals(&v, NULL, &m);
  bool *superfluous = mutation_superfluous(&v, &m);
  assert_memory_equal(superfluous, ((const bool[]){false, false, true, false, false}), 5 * sizeof(bool));
  free(superfluous);
  mutation_free(&m);
  view_free(&v);
  hand_made(&v, "a + b", 2);
  (void)add_by_hand(&v, "+", "-", MUTANT_SURVIVED);
  mutation_totals(&v, NULL, &m);
  assert_null(mutation_superfluous(&v, &m)); /* no kills at all */
  mutation_free(&m);
  view_free(&v);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(test_mutation_totals),
      TEST(test_what_programs_notice),
      TEST(test_mutants_of_selected_kernels),
      cmocka_unit_test(test_scores_are_rounded),
      TEST(test_superfluous_test_cases),
      cmocka_unit_test(test_superfluous_test_cases_are_found_greedily),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
