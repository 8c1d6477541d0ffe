/* Views of the results database: runs united, counted and in order. */
#include <stdlib.h>
#include <string.h>

/* cmocka.h wants these before it. */
/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
/* clang-format on */

#include "base/memory.h"
#include "tests/fixtures/db_fixture.h"
#include "tests/fixtures/ok.h"
#include "tests/fixtures/report_fixture.h"

static const model_site *site_at(const model_site *sites, size_t count, uint32_t file, uint32_t line, site_kind kind) {
  const model_site *found = NULL;
  for (size_t i = 0; i < count; i++) {
    if (sites[i].file == file && sites[i].line == line && sites[i].kind == kind) {
      assert_null(found); /* once */
      found = &sites[i];
    }
  }
  assert_non_null(found);
  return found;
}

static uint32_t line_tests(const view_line *lines, size_t count, uint32_t file, uint32_t line) {
  for (size_t i = 0; i < count; i++)
    if (lines[i].file == file && lines[i].line == line) return lines[i].tests;
  fail_msg("no line %u", line);
  return 0;
}

/* --- views -------------------------------------------------------------------------------------------------- */

static void test_view_counts_test_cases(void **state) {
  fixture *f = *state;
  error e;
  view v;
  int64_t run = fixture_run(f->d);
  OK(db_load(f->d, NULL, 0, &v, &e));
  assert_int_equal(v.run, run);
  assert_string_equal(v.command, "coverage");
  assert_string_equal(v.device, "Test Device\nVendor");
  assert_int_equal(v.test_case_count, 2);
  assert_string_equal(v.test_cases[1].name, "large");
  assert_int_equal(v.test_cases[1].status, 1);
  assert_int_equal(v.skipped_count, 1);
  uint32_t conv = file_named(&v, "src/conv.cl");
  const model_site *check = site_at(v.sites, v.site_count, conv, 6, SITE_IF);
  assert_int_equal(check->outcomes[OUTCOME_TRUE].tests, 2);
  assert_int_equal(check->outcomes[OUTCOME_FALSE].tests, 0);
  assert_int_equal(line_tests(v.lines, v.line_count, conv, 7), 2);
  assert_int_equal(line_tests(v.lines, v.line_count, conv, 13), 0);
  view_free(&v);
}

static void test_two_programs_share_a_header(void **state) {
  fixture *f = *state;
  error e;
  view v;
  (void)fixture_run(f->d);
  OK(db_load(f->d, NULL, 0, &v, &e));
  assert_int_equal(v.file_count, 3);
  assert_int_equal(v.function_count, 4);
  assert_int_equal(v.site_count, CONV_SITES + SCAN_SITES - 3);
  uint32_t common = file_named(&v, "src/common.h");
  const model_site *choice = site_at(v.sites, v.site_count, common, 4, SITE_CONDITIONAL);
  assert_int_equal(choice->outcomes[OUTCOME_TRUE].tests, 2);  /* by conv2d in both test cases */
  assert_int_equal(choice->outcomes[OUTCOME_FALSE].tests, 1); /* by scan */
  /* "large" entered the helper by two programs: that is one test case. */
  const model_site *entry = site_at(v.sites, v.site_count, common, 1, SITE_FUNCTION);
  assert_int_equal(entry->outcomes[0].tests, 2);
  assert_int_equal(line_tests(v.lines, v.line_count, common, 4), 2);
  view_free(&v);
}

static void test_kernels_keep_their_own_evidence(void **state) {
  fixture *f = *state;
  error e;
  view v;
  (void)fixture_run(f->d);
  OK(db_load(f->d, NULL, 0, &v, &e));
  uint32_t common = file_named(&v, "src/common.h");
  const view_kernel *conv2d = kernel_named(&v, "conv2d");
  const view_kernel *scan = kernel_named(&v, "scan");
  const view_kernel *rows = kernel_named(&v, "reduce_rows");
  assert_int_equal(conv2d->launches, 3);
  assert_int_equal(conv2d->tests, 2);
  assert_int_equal(scan->tests, 1);
  assert_int_equal(rows->launches, 0);
  assert_int_equal(conv2d->function_count, 2);
  assert_int_equal(conv2d->site_count, 7);
  assert_int_equal(scan->site_count, SCAN_SITES);
  assert_int_equal(rows->site_count, 4);
  const model_site *of_conv = site_at(conv2d->sites, conv2d->site_count, common, 4, SITE_CONDITIONAL);
  const model_site *of_scan = site_at(scan->sites, scan->site_count, common, 4, SITE_CONDITIONAL);
  assert_int_equal(of_conv->outcomes[OUTCOME_TRUE].tests, 2);
  assert_int_equal(of_conv->outcomes[OUTCOME_FALSE].tests, 0);
  assert_int_equal(of_scan->outcomes[OUTCOME_TRUE].tests, 0);
  assert_int_equal(of_scan->outcomes[OUTCOME_FALSE].tests, 1);
  assert_int_equal(line_tests(scan->lines, scan->line_count, common, 4), 1);
  assert_int_equal(line_tests(conv2d->lines, conv2d->line_count, common, 4), 2);
  view_free(&v);
}

static void test_view_is_in_source_order(void **state) {
  fixture *f = *state;
  error e;
  view v;
  (void)fixture_run(f->d);
  OK(db_load(f->d, NULL, 0, &v, &e));
  for (size_t i = 1; i < v.site_count; i++) {
    assert_true(v.sites[i - 1].file < v.sites[i].file ||
                (v.sites[i - 1].file == v.sites[i].file && v.sites[i - 1].offset < v.sites[i].offset));
  }
  for (size_t i = 0; i < v.function_count; i++) {
    const model_site *entry = &v.sites[v.functions[i].site];
    assert_int_equal(entry->kind, SITE_FUNCTION);
    assert_int_equal(entry->line, v.functions[i].line);
    assert_int_equal(entry->function, i);
  }
  for (size_t i = 0; i < v.kernel_count; i++) {
    assert_string_equal(v.functions[v.kernels[i].function].name, v.kernels[i].name);
    assert_true(v.functions[v.kernels[i].function].kernel);
  }
  view_free(&v);
}

/* One program per set of cases: `switch` in the same file at the same place. */
static void switch_program(model *m, const char *options, const char *const *labels, const uint32_t *lines,
                           size_t count) {
  *m = (model){.options = mem_strdup(options)};
  uint32_t file =
      fixture_file(m, "s.cl", "kernel void k(int m) { switch (m) {\n#ifdef A\ncase 1:\n#endif\ncase 2:\n} }");
  uint32_t function = fixture_function(m, file, "k", "k(int", "} }", true);
  uint32_t site = fixture_site(m, file, function, SITE_SWITCH, "switch");
  for (uint32_t i = 0; i < count; i++) fixture_case(m, site, i, labels[i], lines[i]);
}

static void test_cases_of_a_switch_are_united(void **state) {
  fixture *f = *state;
  error e;
  model with, without;
  db_program p, q;
  int64_t run, test_case;
  view v;
  switch_program(&without, "", (const char *const[]){"case 2", "default"}, (const uint32_t[]){5, 1}, 2);
  switch_program(&with, "-DA", (const char *const[]){"case 1", "case 2", "default"}, (const uint32_t[]){3, 5, 1}, 3);
  OK(db_begin_run(f->d, "coverage", "0.1", &run, &e));
  OK(db_add_program(f->d, run, &without, &p, &e));
  OK(db_add_program(f->d, run, &with, &q, &e));
  OK(db_begin_test_case(f->d, run, "", "t", "", &test_case, &e));
  fixture_evidence(f->d, test_case, &p, 0, 1, (const model_term[]){{1, 0}}, 1); /* case 2 */
  fixture_evidence(f->d, test_case, &q, 0, 1, (const model_term[]){{1, 2}}, 1); /* default */
  OK(db_load(f->d, NULL, 0, &v, &e));
  assert_int_equal(v.kernel_count, 1); /* the same kernel with other options */
  assert_int_equal(v.kernels[0].launches, 2);
  const model_site *s = site_at(v.sites, v.site_count, 0, 1, SITE_SWITCH);
  static const struct {
    const char *label;
    uint32_t tests;
  } expected[] = {{"case 1", 0}, {"case 2", 1}, {"default", 1}};
  assert_int_equal(s->outcome_count, 3);
  assert_int_equal(v.kernels[0].sites[1].outcome_count, 3);
  for (uint32_t i = 0; i < 3; i++) {
    assert_int_equal(s->outcomes[i].index, i);
    assert_string_equal(s->outcomes[i].label, expected[i].label);
    assert_int_equal(s->outcomes[i].tests, expected[i].tests);
    assert_int_equal(v.kernels[0].sites[1].outcomes[i].tests, expected[i].tests);
  }
  view_free(&v);
  model_free(&with);
  model_free(&without);
  db_program_free(&p);
  db_program_free(&q);
}

/* A line that is executed when the very last outcome of the program was taken. */
static void test_a_line_of_the_last_outcome(void **state) {
  fixture *f = *state;
  error e;
  model m;
  db_program p;
  int64_t run, test_case;
  view v;
  switch_program(&m, "", (const char *const[]){"case 2", "default"}, (const uint32_t[]){5, 1}, 2);
  fixture_line(&m, 0, 0, "switch", 1, 1);
  const uint32_t line = m.lines[0].line;
  OK(db_begin_run(f->d, "coverage", "0.1", &run, &e));
  OK(db_add_program(f->d, run, &m, &p, &e));
  OK(db_begin_test_case(f->d, run, "", "t", "", &test_case, &e));
  fixture_evidence(f->d, test_case, &p, 0, 1, (const model_term[]){{1, 1}}, 1);
  OK(db_load(f->d, NULL, 0, &v, &e));
  assert_int_equal(line_tests(v.lines, v.line_count, 0, line), 1);
  view_free(&v);
  model_free(&m);
  db_program_free(&p);
}

static void test_runs_are_united(void **state) {
  fixture *f = *state;
  error e;
  view v;
  int64_t runs[] = {fixture_run(f->d), fixture_run(f->d)};
  OK(db_load(f->d, runs, 2, &v, &e));
  assert_int_equal(v.run, runs[1]);
  assert_int_equal(v.run_count, 2);
  assert_int_equal(v.test_case_count, 2); /* the same two again */
  assert_int_equal(v.site_count, CONV_SITES + SCAN_SITES - 3);
  assert_int_equal(kernel_named(&v, "conv2d")->launches, 3);
  assert_int_equal(kernel_named(&v, "conv2d")->tests, 2);
  assert_int_equal(v.finding_count, 1);
  assert_int_equal(v.skipped_count, 1);
  view_free(&v);
  OK(db_load(f->d, runs, 1, &v, &e));
  assert_int_equal(v.run, runs[0]);
  assert_int_equal(kernel_named(&v, "conv2d")->launches, 3);
  view_free(&v);
}

static void test_unknown_runs(void **state) {
  fixture *f = *state;
  error e;
  view v;
  assert_int_equal(db_load(f->d, NULL, 0, &v, &e), -1);
  assert_int_equal(e.code, EXIT_USAGE);
  assert_non_null(strstr(e.text, "holds no run yet"));
  (void)fixture_run(f->d);
  assert_int_equal(db_load(f->d, (const int64_t[]){7}, 1, &v, &e), -1);
  assert_int_equal(e.code, EXIT_USAGE);
  assert_non_null(strstr(e.text, "no run 7"));
  assert_non_null(strstr(e.text, f->path));
}

static void test_a_run_without_kernels(void **state) {
  fixture *f = *state;
  error e;
  view v;
  int64_t run;
  OK(db_begin_run(f->d, "coverage", "0.1", &run, &e));
  OK(db_load(f->d, NULL, 0, &v, &e));
  assert_int_equal(v.kernel_count + v.site_count + v.test_case_count, 0);
  view_free(&v);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(test_view_counts_test_cases),
      TEST(test_two_programs_share_a_header),
      TEST(test_kernels_keep_their_own_evidence),
      TEST(test_view_is_in_source_order),
      TEST(test_cases_of_a_switch_are_united),
      TEST(test_a_line_of_the_last_outcome),
      TEST(test_runs_are_united),
      TEST(test_unknown_runs),
      TEST(test_a_run_without_kernels),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
