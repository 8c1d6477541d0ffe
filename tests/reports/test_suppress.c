/* Suppressions: what they match, and that reports count without it. */
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

#include "reports/common/coverage.h"
#include "reports/common/report.h"
#include "tests/fixtures/amplify_fixture.h"
#include "tests/fixtures/ok.h"
#include "tests/fixtures/report_checks.h"

static const report_options plain = {0};
static const report_options verbose = {.verbose = true};

/* Patterns are lent, as the configuration's strings are. */
static suppression made(const char *rule, const char *kernel, const char *line, const char *reason) {
  return (suppression){(char *)rule, (char *)kernel, (char *)line, (char *)reason};
}

/* --- patterns ----------------------------------------------------------------------------------------------------- */

static void test_patterns(void **state) {
  (void)state;
  static const struct {
    const char *pattern, *text;
    bool matches;
  } cases[] = {
      {"a[i] = *p ? 1 : 2;", "a[i] = *p ? 1 : 2;", true}, /* a line matches itself */
      {"a[i]", "ai", false},                              /* no set of characters */
      {"\\*", "\\x", true},                               /* no escapes */
      {"barrier*", "barrier(CLK_LOCAL_MEM_FENCE);", true},
      {"*FENCE*", "barrier(CLK_LOCAL_MEM_FENCE);", true},
      {"*a*b*c", "xxaxxbxxbxxc", true},
      {"*a*b*c", "xxaxxbxxbxxcx", false},
      {"a?c", "abc", true},
      {"a?c", "ac", false},
      {"", "", true},
      {"", "x", false},
      {"*", "", true},
      {"**", "x", true},
      {"abc", "ab", false},
      {"ab", "abc", false},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
    if (suppress_matches(cases[i].pattern, cases[i].text, strlen(cases[i].text)) != cases[i].matches)
      fail_msg("\"%s\" and \"%s\"", cases[i].pattern, cases[i].text);
  assert_true(suppress_matches("a*b",
                               "a\0\xff"
                               "b",
                               4)); /* anything may stand in a source */
}

/* Many stars and a long line without what they look for: no time is lost. */
static void test_patterns_take_no_time(void **state) {
  (void)state;
  size_t length = 1 << 20;
  char *line = malloc(length);
  assert_non_null(line);
  memset(line, 'a', length);
  assert_false(suppress_matches("*a*a*a*a*a*a*a*a*b", line, length));
  free(line);
}

static void test_rules(void **state) {
  (void)state;
  assert_true(suppress_rule_matches("race", "race"));
  assert_true(suppress_rule_matches("race", "data-race")); /* the finding of a race */
  assert_false(suppress_rule_matches("race", "deadlock"));
  assert_true(suppress_rule_matches("mutant", "mutant/arith"));
  assert_false(suppress_rule_matches("mutant", "race"));
  assert_true(suppress_rule_matches("mutant/rel", "mutant/rel"));
  assert_false(suppress_rule_matches("mutant/rel", "mutant/arith"));
  assert_true(suppress_rule_matches("*", "barrier-divergence"));
}

/* --- findings ----------------------------------------------------------------------------------------------------- */

/* The fixture's run has one finding: barrier-divergence in kernel scan, at "  barrier(CLK_LOCAL_MEM_FENCE);". */
static void test_finding(void **state) {
  fixture *f = *state;
  suppression one = made("barrier-divergence", "sc*", "barrier(CLK_LOCAL_MEM_FENCE);", "all of them\x1b return");
  suppress_apply(&f->v, &one, 1);
  assert_string_equal(f->v.findings[0].suppressed, "all of them\x1b return");
  assert_int_equal(f->v.suppression_count, 1);
  assert_int_equal(f->v.suppressions[0].count, 1);
  assert_string_equal(f->v.suppressions[0].kernel, "sc*");
  char *text = render("text", &f->v, &plain);
  assert_lacks(text, "Findings");
  assert_lacks(text, "\x1b");
  assert_contains(text, "Suppressed by the configuration\n  1 suppressed: all of them");
  assert_fits(text, 80);
  free(text);
  text = render("github", &f->v, &plain);
  assert_lacks(text, "Barrier divergence");
  assert_contains(text, "\ncltestcheck: 1 suppressed: all of them\xef\xbf\xbd return\n");
  free(text);
}

static void test_finding_of_others(void **state) {
  fixture *f = *state;
  const suppression others[] = {
      made("race", NULL, NULL, "another rule"),
      made("barrier-divergence", "conv2d", NULL, "another kernel"),
      made("barrier-divergence", NULL, "barrier", "not the whole line"),
      made("barrier-divergence", "scan", "a[i] = i;", "another line"),
  };
  suppress_apply(&f->v, others, 4);
  assert_null(f->v.findings[0].suppressed);
  char *text = render("text", &f->v, &plain);
  assert_contains(text, "Findings");
  assert_lacks(text, "Suppressed");
  free(text);
  text = render("text", &f->v, &verbose);
  assert_contains(text, "  matches nothing: another kernel (rule barrier-divergence, kernel conv2d)\n");
  free(text);
}

/* The first that matches gives the reason; what is suppressed counts once. */
static void test_first_reason(void **state) {
  fixture *f = *state;
  const suppression both[] = {made("*", NULL, NULL, "first"), made("barrier-divergence", NULL, NULL, "second")};
  suppress_apply(&f->v, both, 2);
  assert_string_equal(f->v.findings[0].suppressed, "first");
  assert_int_equal(f->v.suppressions[0].count, 1);
  assert_int_equal(f->v.suppressions[1].count, 0);
}

/* --- mutants ------------------------------------------------------------------------------------------------------ */

static mutation_counts counts_of(const view *v) {
  mutation m;
  mutation_totals(v, &plain, &m);
  mutation_counts all = m.all;
  mutation_free(&m);
  return all;
}

static const db_mutant *mutant_of(const view *v, uint32_t which) {
  for (size_t i = 0; i < v->mutant_count; i++)
    if (v->mutants[i].id == 1001 + which) return &v->mutants[i];
  fail();
  return NULL;
}

static void load(fixture *f, int64_t run, view *v) {
  error e;
  OK(db_load(f->d, &run, 1, v, &e));
}

/* Without suppressions the score is 4 killed of 10; rel has one undecided and two survivors of these. */
static void test_mutants_by_operator(void **state) {
  fixture *f = *state;
  view v;
  load(f, fixture_mutation(f->d, 0, 1), &v);
  mutation_counts before = counts_of(&v);
  assert_int_equal(before.total, 10);
  assert_int_equal(before.of[MUTANT_KILLED], 4);
  suppression one = made("mutant/rel", NULL, NULL, "bounds are checked elsewhere");
  suppress_apply(&v, &one, 1);
  mutation_counts after = counts_of(&v);
  assert_int_equal(after.total, 7);
  assert_int_equal(after.of[MUTANT_KILLED], 4);
  assert_int_equal(after.of[MUTANT_SURVIVED], 0);
  assert_int_equal(after.of[MUTANT_UNDECIDED], 0);
  assert_int_equal(after.of[MUTANT_PENDING], 0);
  assert_int_equal(after.of[MUTANT_SUPPRESSED], before.of[MUTANT_SUPPRESSED] + 5);
  assert_int_equal(v.suppressions[0].count, 5);
  assert_string_equal(mutant_of(&v, MUTANT_FOR)->suppressed, "bounds are checked elsewhere");
  assert_null(mutant_of(&v, MUTANT_GLOBAL_ID)->suppressed); /* by a comment, not by this */
  view_free(&v);
}

static void test_mutants_by_place(void **state) {
  fixture *f = *state;
  view v;
  load(f, fixture_mutation(f->d, 0, 1), &v);
  const suppression some[] = {
      made("mutant", "clamp_index", NULL, "by its function"),
      made("mutant", "reduce_rows", NULL, "by its kernel"),
      made("mutant", NULL, "for (int k = 0; k < 3; k++) {", "by its line"),
  };
  suppress_apply(&v, some, 3);
  assert_string_equal(mutant_of(&v, MUTANT_CLAMP)->suppressed, "by its function");
  assert_string_equal(mutant_of(&v, MUTANT_LAST)->suppressed, "by its function");
  assert_string_equal(mutant_of(&v, MUTANT_HALF)->suppressed, "by its kernel");
  assert_string_equal(mutant_of(&v, MUTANT_BARRIER)->suppressed, "by its kernel");
  assert_string_equal(mutant_of(&v, MUTANT_FOR)->suppressed, "by its line");
  assert_null(mutant_of(&v, MUTANT_X)->suppressed);
  view_free(&v);
}

/* A database that something else has written into may have mutants of which no function is known. */
static void test_mutants_of_no_function(void **state) {
  fixture *f = *state;
  view v;
  load(f, fixture_mutation(f->d, 0, 1), &v);
  for (size_t i = 0; i < v.mutant_count; i++) v.mutants[i].function = MODEL_NONE;
  const suppression some[] = {
      made("mutant", "*index", NULL, "by its function"),
      made("mutant", "reduce_rows", NULL, "by its kernel"),
      made("mutant", NULL, "for (int k = 0; k < 3; k++) {", "by its line"),
  };
  suppress_apply(&v, some, 3);
  assert_null(mutant_of(&v, MUTANT_CLAMP)->suppressed);
  assert_string_equal(mutant_of(&v, MUTANT_HALF)->suppressed, "by its kernel");
  assert_string_equal(mutant_of(&v, MUTANT_FOR)->suppressed, "by its line");
  view_free(&v);
}

/* MUTANT_SUM (rel) is a duplicate of MUTANT_PLUS (arith): it has no verdict of its own. */
static void test_duplicate_goes_along(void **state) {
  fixture *f = *state;
  view v;
  load(f, fixture_mutation(f->d, 0, 1), &v);
  suppression one = made("mutant/arith", NULL, NULL, "no arithmetic");
  suppress_apply(&v, &one, 1);
  assert_int_equal(mutant_of(&v, MUTANT_PLUS)->status, MUTANT_SUPPRESSED);
  assert_int_equal(mutant_of(&v, MUTANT_SUM)->status, MUTANT_SUPPRESSED);
  view_free(&v);
}

/* --- schedules ---------------------------------------------------------------------------------------------------- */

/* Two races of scan, one of them explained by "a[i] = i;", and a deadlock. */
static int64_t amplified(fixture *f) {
  amplify_fixture a;
  amplify_begin(&a, f->d, "small");
  int64_t launch = amplify_launch(&a, a.scan.kernels[0], 0, 16, "");
  int64_t first = amplify_schedule(&a, launch, "first", 3, "xxx");
  const db_explanation x = {.text = "a[0] is 3, and 0 in reverse order",
                            .argument = "a",
                            .differing = 1,
                            .reference = "0",
                            .seen = "3",
                            .file_name = "src/scan.cl",
                            .line = 5,
                            .unfinished = ""};
  amplify_explain(&a, first, &x);
  (void)amplify_schedule(&a, launch, "reverse", 0, "x..");
  (void)amplify_schedule(&a, launch, "random", 1, "DDD");
  amplify_end(&a);
  return a.run;
}

static void test_schedules(void **state) {
  fixture *f = *state;
  view v;
  load(f, amplified(f), &v);
  suppression one = made("race", "scan", NULL, "every order is right");
  suppress_apply(&v, &one, 1);
  assert_int_equal(v.suppressions[0].count, 2);
  amplification a;
  amplification_totals(&v, &plain, &a);
  assert_int_equal(a.all.schedules, 3);
  assert_int_equal(a.all.of[VERDICT_RACE], 0);
  assert_int_equal(a.all.of[VERDICT_DEADLOCK], 1);
  assert_int_equal(a.all.suppressed, 2);
  amplification_free(&a);
  char *text = render("text", &v, &plain);
  assert_contains(text, "counted apart: 2 that the configuration suppresses");
  assert_lacks(text, "RACE in kernel");
  assert_contains(text, "DEADLOCK in kernel");
  assert_contains(text, "  2 suppressed: every order is right (rule race, kernel scan)\n");
  free(text);
  view_free(&v);
}

static void test_schedules_by_line(void **state) {
  fixture *f = *state;
  view v;
  load(f, amplified(f), &v);
  suppression one = made("*", NULL, "a[i] = i;", "known");
  suppress_apply(&v, &one, 1);
  assert_int_equal(v.suppressions[0].count, 1); /* of the others no line is known */
  view_free(&v);
}

/* --- outcomes ------------------------------------------------------------------------------------------------------ */

static ratio metric(const view *v, const char *name) {
  coverage c;
  ratio r;
  coverage_total(v, &plain, &c);
  assert_int_equal(coverage_get(&c, name, &r), 0);
  return r;
}

static void expect_metric(const view *v, const char *name, unsigned long covered, unsigned long total) {
  const ratio r = metric(v, name);
  assert_int_equal(r.covered, covered);
  assert_int_equal(r.total, total);
}

/* Two loops: the one of conv2d ran many times and to its boundary, the one of reduce_rows never. */
static void test_loop_cases(void **state) {
  fixture *f = *state;
  const suppression cases[] = {
      made("loop-zero", NULL, "for (int k = 0; k < 3; k++) {", "three turns, always"),
      made("loop-many", "conv2d", NULL, "it was reached, so the mark is wrong"),
      made("loop-*", "scan", NULL, "another kernel"),
      made("*", "conv2d", NULL, "findings alone"),
  };
  expect_metric(&f->v, "loop-zero", 0, 2);
  suppress_apply(&f->v, cases, 4);
  expect_metric(&f->v, "loop-zero", 0, 1);
  expect_metric(&f->v, "loop-one", 0, 2);
  expect_metric(&f->v, "loop-many", 1, 2);
  assert_int_equal(f->v.suppressions[0].count, 1);
  assert_int_equal(f->v.suppressions[1].count, 0);
  assert_int_equal(f->v.suppressions[2].count, 0);
  char *text = render("text", &f->v, &plain);
  assert_contains(text, "  1 suppressed: three turns, always (rule loop-zero, line for");
  free(text);
}

/* What a case has reached stays, and a rule of loops is none of branches. */
static void test_branches(void **state) {
  fixture *f = *state;
  const unsigned long covered = metric(&f->v, "branch").covered, total = metric(&f->v, "branch").total;
  unsigned long open = 0;
  for (size_t i = 0; i < f->v.site_count; i++) {
    const model_site *s = &f->v.sites[i];
    for (size_t k = 0; k < s->outcome_count; k++) {
      open += s->kind == SITE_IF && s->outcomes[k].index == OUTCOME_FALSE && s->outcomes[k].tests == 0 ? 1 : 0;
      open += s->kind == SITE_CONDITIONAL && s->outcomes[k].index == OUTCOME_FALSE && s->outcomes[k].tests == 0 ? 1 : 0;
    }
  }
  const suppression of[] = {made("branch-false", NULL, NULL, "sizes fit"), made("loop-*", "scan", NULL, "another")};
  suppress_apply(&f->v, of, 2);
  assert_true(open > 0);
  expect_metric(&f->v, "branch", covered, total - open);
  assert_int_equal(f->v.suppressions[0].count, open);
}

static void test_loops_of_a_kernel(void **state) {
  fixture *f = *state;
  const suppression all = made("loop-*", "reduce_rows", NULL, "n is 1, always");
  suppress_apply(&f->v, &all, 1);
  expect_metric(&f->v, "loop", 2, 4);
  assert_int_equal(f->v.suppressions[0].count, 4);
}

/* --- to be pasted --------------------------------------------------------------------------------------------------- */

/* In YAML a colon and a blank, or a hash, mean something, and so do quotes. */
static void test_text(void **state) {
  (void)state;
  char source[] = "kernel void k() {\n\t a[i] = b ? \"x\"[0] : '\\\\'; # \xc3\xa9\n}\n";
  model_file file = {.text = source, .length = sizeof source - 1};
  char rule[] = "data-race", kernel[] = "k";
  const view v = {.files = &file, .file_count = 1};
  db_finding found = {.rule = rule, .kernel = kernel, .line = 2};
  buffer text = {0};
  suppress_finding_text(&v, &found, &text);
  assert_string_equal(buffer_text(&text),
                      "- {rule: data-race, kernel: \"k\", line: \"a[i] = b ? \\\"x\\\"[0] : '\\\\\\\\'; # ??\", "
                      "reason: \"\xe2\x80\xa6\"}");
  buffer_free(&text);
  found.file = MODEL_NONE;
  suppress_finding_text(&v, &found, &text);
  assert_string_equal(buffer_text(&text), "- {rule: data-race, kernel: \"k\", reason: \"\xe2\x80\xa6\"}");
  buffer_free(&text);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_patterns),
      cmocka_unit_test(test_patterns_take_no_time),
      cmocka_unit_test(test_rules),
      TEST(test_finding),
      TEST(test_finding_of_others),
      TEST(test_first_reason),
      TEST(test_mutants_by_operator),
      TEST(test_mutants_by_place),
      TEST(test_mutants_of_no_function),
      TEST(test_duplicate_goes_along),
      TEST(test_schedules),
      TEST(test_schedules_by_line),
      TEST(test_branches),
      TEST(test_loop_cases),
      TEST(test_loops_of_a_kernel),
      cmocka_unit_test(test_text),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
