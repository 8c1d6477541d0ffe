/* The results database: what goes in comes out, once; bad files are refused in words; processes share a file. */
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* cmocka.h wants these before it. */
/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
/* clang-format on */

#include "base/memory.h"
#include "db/internal.h"
#include "db/schema.h"
#include "tests/db_fixture.h"
#include "tests/ok.h"
#include "tests/report_fixture.h"

/* --- looking things up in a view ---------------------------------------------------------------------------- */

static uint32_t file_named(const view *v, const char *name) {
  for (uint32_t i = 0; i < v->file_count; i++) {
    if (strcmp(v->files[i].name, name) == 0) {
      return i;
    }
  }
  fail_msg("no file %s", name);
  return 0;
}

static const view_kernel *kernel_named(const view *v, const char *name) {
  for (size_t i = 0; i < v->kernel_count; i++) {
    if (strcmp(v->kernels[i].name, name) == 0) {
      return &v->kernels[i];
    }
  }
  fail_msg("no kernel %s", name);
  return NULL;
}

static const view_site *site_at(const view_site *sites, size_t count, uint32_t file, uint32_t line, site_kind kind) {
  const view_site *found = NULL;
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
  for (size_t i = 0; i < count; i++) {
    if (lines[i].file == file && lines[i].line == line) {
      return lines[i].tests;
    }
  }
  fail_msg("no line %u", line);
  return 0;
}

/* --- storing programs --------------------------------------------------------------------------------------- */

static void assert_same_sites(const model *a, const model *b) {
  assert_int_equal(a->site_count, b->site_count);
  for (size_t i = 0; i < a->site_count; i++) {
    const model_site *s = &a->sites[i];
    const model_site *r = &b->sites[i];
    assert_int_equal(s->kind, r->kind);
    assert_int_equal(s->file, r->file);
    assert_int_equal(s->line, r->line);
    assert_int_equal(s->column, r->column);
    assert_int_equal(s->offset, r->offset);
    assert_int_equal(s->end_line, r->end_line);
    assert_int_equal(s->end_column, r->end_column);
    assert_int_equal(s->function, r->function);
    assert_int_equal(s->outcome_count, r->outcome_count);
    for (size_t k = 0; k < s->outcome_count; k++) {
      assert_int_equal(s->outcomes[k].index, r->outcomes[k].index);
      assert_string_equal(s->outcomes[k].label, r->outcomes[k].label);
      assert_int_equal(s->outcomes[k].line, r->outcomes[k].line);
    }
  }
}

static void test_a_program_reads_back_as_it_was(void **state) {
  fixture *f = *state;
  error e;
  model m, back;
  db_program p, ids;
  int64_t run;
  fixture_conv(&m);
  OK(db_begin_run(f->d, "coverage", "0.1", &run, &e));
  OK(db_add_program(f->d, run, &m, &p, &e));
  OK(db_read_program(f->d, p.id, &back, &ids, &e));
  assert_string_equal(back.options, m.options);
  assert_int_equal(back.file_count, 2);
  for (size_t i = 0; i < 2; i++) {
    assert_string_equal(back.files[i].name, m.files[i].name);
    assert_string_equal(back.files[i].sha256, m.files[i].sha256);
    assert_int_equal(back.files[i].length, m.files[i].length);
    assert_memory_equal(back.files[i].text, m.files[i].text, m.files[i].length);
  }
  assert_same_sites(&m, &back);
  assert_int_equal(back.function_count, m.function_count);
  for (size_t i = 0; i < m.function_count; i++) {
    assert_string_equal(back.functions[i].name, m.functions[i].name);
    assert_int_equal(back.functions[i].site, m.functions[i].site);
    assert_int_equal(back.functions[i].end_line, m.functions[i].end_line);
    assert_int_equal(back.functions[i].kernel, m.functions[i].kernel);
  }
  assert_int_equal(back.line_count, m.line_count);
  for (size_t i = 0; i < m.line_count; i++) {
    assert_int_equal(back.lines[i].line, m.lines[i].line);
    assert_int_equal(back.lines[i].term_count, 1);
    assert_memory_equal(back.lines[i].terms, m.lines[i].terms, sizeof(model_term));
  }
  assert_int_equal(back.kernel_count, 2);
  assert_int_equal(back.kernels[0].function_count, 2);
  assert_memory_equal(back.kernels[0].functions, m.kernels[0].functions, 2 * sizeof(uint32_t));
  assert_memory_equal(ids.sites, p.sites, m.site_count * sizeof(int64_t));
  model_free(&m);
  model_free(&back);
  db_program_free(&p);
  db_program_free(&ids);
}

static void test_the_same_program_is_stored_once(void **state) {
  fixture *f = *state;
  error e;
  model m;
  db_program first, again, other;
  int64_t run;
  fixture_conv(&m);
  OK(db_begin_run(f->d, "coverage", "0.1", &run, &e));
  OK(db_add_program(f->d, run, &m, &first, &e));
  OK(db_add_program(f->d, run, &m, &again, &e));
  assert_int_equal(first.id, again.id);
  assert_memory_equal(first.sites, again.sites, CONV_SITES * sizeof(int64_t));
  free(m.options);
  m.options = mem_strdup("-DN=4");
  OK(db_add_program(f->d, run, &m, &other, &e));
  assert_int_not_equal(first.id, other.id);
  assert_int_not_equal(first.sites[0], other.sites[0]);
  model_free(&m);
  db_program_free(&first);
  db_program_free(&again);
  db_program_free(&other);
}

static void test_a_file_that_moved_has_its_newest_name(void **state) {
  fixture *f = *state;
  error e;
  model m;
  db_program p;
  int64_t run;
  view v;
  fixture_conv(&m);
  OK(db_begin_run(f->d, "coverage", "0.1", &run, &e));
  OK(db_add_program(f->d, run, &m, &p, &e));
  db_program_free(&p);
  free(m.files[0].name);
  m.files[0].name = mem_strdup("elsewhere/conv.cl");
  OK(db_add_program(f->d, run, &m, &p, &e));
  OK(db_load(f->d, NULL, 0, &v, &e));
  assert_int_equal(v.file_count, 2);
  (void)file_named(&v, "elsewhere/conv.cl");
  view_free(&v);
  model_free(&m);
  db_program_free(&p);
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
  assert_int_equal(v.exit, 1);
  assert_int_equal(v.test_case_count, 2);
  assert_string_equal(v.test_cases[1].name, "large");
  assert_int_equal(v.test_cases[1].status, 1);
  assert_int_equal(v.skipped_count, 1);
  uint32_t conv = file_named(&v, "src/conv.cl");
  const view_site *check = site_at(v.sites, v.site_count, conv, 6, SITE_IF);
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
  const view_site *choice = site_at(v.sites, v.site_count, common, 4, SITE_CONDITIONAL);
  assert_int_equal(choice->outcomes[OUTCOME_TRUE].tests, 2);  /* by conv2d in both test cases */
  assert_int_equal(choice->outcomes[OUTCOME_FALSE].tests, 1); /* by scan */
  /* "large" entered the helper by two programs: that is one test case. */
  const view_site *entry = site_at(v.sites, v.site_count, common, 1, SITE_FUNCTION);
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
  const view_site *of_conv = site_at(conv2d->sites, conv2d->site_count, common, 4, SITE_CONDITIONAL);
  const view_site *of_scan = site_at(scan->sites, scan->site_count, common, 4, SITE_CONDITIONAL);
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
    const view_site *entry = &v.sites[v.functions[i].site];
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
  for (uint32_t i = 0; i < count; i++) {
    fixture_case(m, site, i, labels[i], lines[i]);
  }
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
  const view_site *s = site_at(v.sites, v.site_count, 0, 1, SITE_SWITCH);
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

static void test_runs_are_united(void **state) {
  fixture *f = *state;
  error e;
  view v;
  int64_t runs[] = {fixture_run(f->d), fixture_run(f->d)};
  OK(db_load(f->d, runs, 2, &v, &e));
  assert_int_equal(v.run, runs[1]);
  assert_int_equal(v.test_case_count, 4);
  assert_int_equal(v.site_count, CONV_SITES + SCAN_SITES - 3);
  assert_int_equal(kernel_named(&v, "conv2d")->launches, 6);
  assert_int_equal(kernel_named(&v, "conv2d")->tests, 4);
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
  assert_int_equal(v.exit, -1); /* it has not ended */
  view_free(&v);
}

/* --- evidence, findings, facts ------------------------------------------------------------------------------ */

static void test_evidence_is_idempotent_and_launches_add_up(void **state) {
  fixture *f = *state;
  error e;
  model m;
  db_program p;
  int64_t run, test_case;
  view v;
  fixture_conv(&m);
  OK(db_begin_run(f->d, "coverage", "0.1", &run, &e));
  OK(db_add_program(f->d, run, &m, &p, &e));
  OK(db_begin_test_case(f->d, run, "", "t", "", &test_case, &e));
  for (int i = 0; i < 3; i++) {
    fixture_evidence(f->d, test_case, &p, 0, 5, (const model_term[]){{CONV_IF, OUTCOME_TRUE}}, 1);
  }
  fixture_evidence(f->d, test_case, &p, 1, 0, NULL, 0); /* looked at, not launched */
  OK(db_load(f->d, NULL, 0, &v, &e));
  assert_int_equal(kernel_named(&v, "conv2d")->launches, 15);
  assert_int_equal(kernel_named(&v, "conv2d")->tests, 1);
  assert_int_equal(kernel_named(&v, "reduce_rows")->tests, 0);
  assert_int_equal(v.test_cases[0].status, -1);
  view_free(&v);
  model_free(&m);
  db_program_free(&p);
}

static void test_findings_are_kept_once(void **state) {
  fixture *f = *state;
  error e;
  model m;
  db_program p;
  int64_t run, test_cases[2];
  view v;
  fixture_conv(&m);
  OK(db_begin_run(f->d, "coverage", "0.1", &run, &e));
  OK(db_add_program(f->d, run, &m, &p, &e));
  for (int i = 0; i < 2; i++) {
    OK(db_begin_test_case(f->d, run, "", "t", "", &test_cases[i], &e));
    for (int k = 0; k < 2; k++) {
      OK(db_add_finding(f->d, test_cases[i], p.kernels[1], p.sites[CONV_BARRIER], "barrier-divergence", "first", &e));
      OK(db_add_finding(f->d, test_cases[i], p.kernels[1], 0, "barrier-divergence", "nowhere", &e));
      OK(db_add_skipped(f->d, run, "kernel.bin", "a binary", &e));
    }
  }
  OK(db_load(f->d, NULL, 0, &v, &e));
  assert_int_equal(v.finding_count, 2);
  assert_string_equal(v.findings[0].kernel, "reduce_rows");
  assert_string_equal(v.files[v.findings[0].file].name, "src/conv.cl");
  assert_int_equal(v.findings[0].line, 27);
  assert_int_equal(v.findings[1].file, MODEL_NONE);
  assert_int_equal(v.skipped_count, 1);
  view_free(&v);
  model_free(&m);
  db_program_free(&p);
}

static void test_facts(void **state) {
  fixture *f = *state;
  error e;
  int value = 5;
  OK(db_get_fact(f->d, "GPU", "defined(cl_khr_fp64)", &value, &e));
  assert_int_equal(value, -1);
  OK(db_put_fact(f->d, "GPU", "defined(cl_khr_fp64)", true, &e));
  OK(db_put_fact(f->d, "GPU", "1", false, &e));
  OK(db_get_fact(f->d, "GPU", "defined(cl_khr_fp64)", &value, &e));
  assert_int_equal(value, 1);
  OK(db_get_fact(f->d, "GPU", "1", &value, &e));
  assert_int_equal(value, 0);
  OK(db_get_fact(f->d, "CPU", "1", &value, &e));
  assert_int_equal(value, -1);
}

static void test_a_failed_call_undoes_itself_alone(void **state) {
  fixture *f = *state;
  error e;
  view v;
  int64_t run = fixture_run(f->d);
  const db_evidence strangers[] = {{1, 0}, {999999, 0}};
  OK(db_add_skipped(f->d, run, "kept", "stored in the same transaction", &e));
  assert_int_equal(db_add_evidence(f->d, 1, 2, 1, strangers, 2, &e), -1);
  assert_int_equal(e.code, EXIT_INTERNAL);
  assert_non_null(strstr(e.text, f->path));
  OK(db_commit(f->d, &e));
  OK(db_load(f->d, NULL, 0, &v, &e));
  assert_int_equal(v.skipped_count, 2);
  assert_int_equal(kernel_named(&v, "reduce_rows")->launches, 0);
  view_free(&v);
}

static void test_very_long_names(void **state) {
  fixture *f = *state;
  error e;
  db_program p;
  int64_t run;
  view v;
  char *name = mem_calloc(100001, 1);
  memset(name, 'k', 100000);
  model m = {.options = mem_strdup("")};
  uint32_t file = fixture_file(&m, name, "kernel void k() {}");
  (void)fixture_function(&m, file, name, "k()", "}", true);
  OK(db_begin_run(f->d, "coverage", "0.1", &run, &e));
  OK(db_add_program(f->d, run, &m, &p, &e));
  OK(db_load(f->d, NULL, 0, &v, &e));
  assert_string_equal(v.kernels[0].name, name);
  assert_string_equal(v.files[0].name, name);
  view_free(&v);
  model_free(&m);
  db_program_free(&p);
  free(name);
}

static void test_list_of_runs(void **state) {
  fixture *f = *state;
  error e;
  run_summary *runs;
  size_t count;
  OK(db_list_runs(f->d, &runs, &count, &e));
  assert_int_equal(count, 0);
  db_free_runs(runs, count);
  (void)fixture_run(f->d);
  OK(db_set_revision(f->d, fixture_run(f->d), "0123abcd+", &e));
  OK(db_list_runs(f->d, &runs, &count, &e));
  assert_int_equal(count, 2);
  assert_true(runs[0].id < runs[1].id);
  assert_int_equal(runs[1].test_cases, 2);
  assert_int_equal(runs[1].exit, 1);
  assert_string_equal(runs[0].revision, "");
  assert_string_equal(runs[1].revision, "0123abcd+");
  assert_int_equal(strlen(runs[0].started), strlen("2026-01-01T00:00:00Z"));
  db_free_runs(runs, count);
}

/* --- merging ------------------------------------------------------------------------------------------------ */

static void test_merging_twice_is_merging_once(void **state) {
  fixture *f = *state;
  error e;
  view before, after;
  db *other;
  size_t merged;
  char *path = fixture_path("other.db");
  OK(db_open(&other, path, DB_WRITE, &e));
  (void)fixture_run(f->d);
  (void)fixture_run(other);
  (void)fixture_run(other);
  OK(db_put_fact(other, "GPU", "1", true, &e));
  db_close(other);
  OK(db_open(&other, path, DB_READ, &e));
  OK(db_merge(f->d, other, &merged, &e));
  assert_int_equal(merged, 2);
  OK(db_merge(f->d, other, &merged, &e));
  assert_int_equal(merged, 0);
  OK(db_load(other, NULL, 0, &before, &e));
  OK(db_load(f->d, NULL, 0, &after, &e));
  assert_string_equal(before.started, after.started);
  assert_string_equal(before.device, after.device);
  assert_int_equal(before.exit, after.exit);
  assert_int_equal(before.site_count, after.site_count);
  for (size_t i = 0; i < before.site_count; i++) {
    assert_int_equal(before.sites[i].offset, after.sites[i].offset);
    for (size_t k = 0; k < before.sites[i].outcome_count; k++) {
      assert_int_equal(before.sites[i].outcomes[k].tests, after.sites[i].outcomes[k].tests);
    }
  }
  assert_int_equal(kernel_named(&after, "conv2d")->launches, 3);
  assert_int_equal(after.finding_count, 1);
  assert_int_equal(after.findings[0].line, 4);
  assert_int_equal(after.skipped_count, 1);
  assert_int_equal(after.test_cases[1].status, 1);
  int value;
  OK(db_get_fact(f->d, "GPU", "1", &value, &e));
  assert_int_equal(value, 1);
  view_free(&before);
  view_free(&after);
  /* The programs were known. */
  int64_t programs = 0;
  assert_int_equal(sql_number(f->d, SQL_LAST_SITE, &programs, &e, ""), 1);
  assert_int_equal(programs, CONV_SITES + SCAN_SITES);
  OK(db_merge(f->d, f->d, &merged, &e));
  assert_int_equal(merged, 0);
  db_close(other);
  fixture_forget(path);
}

/* --- bad files ---------------------------------------------------------------------------------------------- */

static void write_file(const char *path, const char *text) {
  FILE *out = fopen(path, "wb");
  assert_non_null(out);
  assert_true(fputs(text, out) >= 0);
  assert_int_equal(fclose(out), 0);
}

static void sql_file(const char *path, const char *statements) {
  sqlite3 *handle;
  assert_int_equal(sqlite3_open(path, &handle), SQLITE_OK);
  assert_int_equal(sqlite3_exec(handle, statements, NULL, NULL, NULL), SQLITE_OK);
  assert_int_equal(sqlite3_close(handle), SQLITE_OK);
}

/* Opening fails with a sentence that names the file and holds `words`. */
static void assert_refused(const char *path, enum db_mode mode, int code, const char *words) {
  error e = {0};
  db *d = NULL;
  assert_int_equal(db_open(&d, path, mode, &e), -1);
  assert_null(d);
  if (strstr(e.text, words) == NULL || strstr(e.text, path) == NULL) {
    fail_msg("\"%s\" does not say \"%s\"", e.text, words);
  }
  assert_int_equal(e.code, code);
}

static void test_files_that_are_no_database(void **state) {
  (void)state;
  char *path = fixture_path("file");
  assert_refused(path, DB_READ, EXIT_USAGE, "there is no results database");
  assert_refused("/nowhere/at/all.db", DB_WRITE, EXIT_USAGE, "there is no directory /nowhere/at");
  assert_refused("/tmp", DB_READ, EXIT_USAGE, "is a directory");
  assert_refused("", DB_WRITE, EXIT_USAGE, "is empty");
  write_file(path, "This is a letter, not a database, and long enough to tell; it goes on and on and on and on.");
  assert_refused(path, DB_READ, EXIT_USAGE, "is not a results database");
  assert_refused(path, DB_WRITE, EXIT_USAGE, "is not a results database");
  fixture_forget(path);
}

static void test_databases_of_others(void **state) {
  (void)state;
  char *path = fixture_path("other.db");
  sql_file(path, "CREATE TABLE bookmark (url TEXT)");
  assert_refused(path, DB_READ, EXIT_USAGE, "of another application");
  assert_refused(path, DB_WRITE, EXIT_USAGE, "of another application");
  sql_file(path, "PRAGMA application_id = 12; PRAGMA user_version = 1");
  assert_refused(path, DB_WRITE, EXIT_USAGE, "of another application");
  fixture_forget(path);
}

static void test_a_newer_database(void **state) {
  fixture *f = *state;
  db_close(f->d);
  f->d = NULL;
  sql_file(f->path, "PRAGMA user_version = 99");
  assert_refused(f->path, DB_READ, EXIT_USAGE, "newer cltestcheck");
  assert_refused(f->path, DB_WRITE, EXIT_USAGE, "newer cltestcheck");
}

static void test_an_empty_file(void **state) {
  (void)state;
  error e;
  db *d;
  char *path = fixture_path("empty.db");
  write_file(path, "");
  assert_refused(path, DB_READ, EXIT_USAGE, "holds no results yet");
  OK(db_open(&d, path, DB_WRITE, &e));
  (void)fixture_run(d);
  db_close(d);
  fixture_forget(path);
}

static void test_writing_what_was_opened_for_reading(void **state) {
  fixture *f = *state;
  error e;
  db *reader;
  int64_t run;
  OK(db_open(&reader, f->path, DB_READ, &e));
  assert_int_equal(db_begin_run(reader, "coverage", "0.1", &run, &e), -1);
  assert_non_null(strstr(e.text, "for reading only"));
  db_close(reader);
}

static void test_a_full_disk(void **state) {
  fixture *f = *state;
  error e;
  assert_int_equal(sqlite3_exec(f->d->handle, "PRAGMA max_page_count = 60", NULL, NULL, NULL), SQLITE_OK);
  int result = 0;
  char *long_text = mem_calloc(5001, 1);
  memset(long_text, 'x', 5000);
  for (int i = 0; result == 0 && i < 100; i++) {
    char key[16];
    (void)snprintf(key, sizeof key, "%d", i);
    result = db_put_fact(f->d, key, long_text, true, &e);
  }
  assert_int_equal(result, -1);
  assert_int_equal(e.code, EXIT_INTERNAL);
  assert_non_null(strstr(e.text, "the disk is full"));
  assert_non_null(strstr(e.text, f->path));
  free(long_text);
}

/* Runs `body` as a user without rights, since root may write anything. Its result is the exit status. */
static int as_nobody(int (*body)(const char *path), const char *path) {
  pid_t child = fork();
  assert_true(child >= 0);
  if (child == 0) {
    if (geteuid() == 0 && (setgid(65534) != 0 || setuid(65534) != 0)) {
      _exit(99);
    }
    _exit(body(path));
  }
  int status;
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_true(WIFEXITED(status));
  return WEXITSTATUS(status);
}

static int is_refused_as_read_only(const char *path) {
  error e;
  db *d;
  bool refused = db_open(&d, path, DB_WRITE, &e) != 0 && e.code == EXIT_USAGE && strstr(e.text, path) != NULL &&
                 (strstr(e.text, "read-only") != NULL || strstr(e.text, "cannot be") != NULL);
  if (!refused) {
    (void)fprintf(stderr, "%s\n", e.text);
  }
  return refused ? 0 : 1;
}

static int can_be_read(const char *path) {
  error e;
  db *d;
  view v;
  if (db_open(&d, path, DB_READ, &e) != 0 || db_load(d, NULL, 0, &v, &e) != 0) {
    (void)fprintf(stderr, "%s\n", e.text);
    return 1;
  }
  bool all = v.kernel_count == 3;
  view_free(&v);
  db_close(d);
  return all ? 0 : 2;
}

static void chmod_directory(const char *path, mode_t mode) {
  char *directory = mem_strdup(path);
  *strrchr(directory, '/') = '\0';
  assert_int_equal(chmod(directory, mode), 0);
  free(directory);
}

static void test_read_only_file_and_directory(void **state) {
  fixture *f = *state;
  (void)fixture_run(f->d);
  db_close(f->d);
  f->d = NULL;
  chmod_directory(f->path, 0777);
  assert_int_equal(chmod(f->path, 0444), 0);
  assert_int_equal(as_nobody(is_refused_as_read_only, f->path), 0);
  assert_int_equal(as_nobody(can_be_read, f->path), 0);
  chmod_directory(f->path, 0555);
  assert_int_equal(as_nobody(can_be_read, f->path), 0);
  assert_int_equal(chmod(f->path, 0666), 0);
  assert_int_equal(as_nobody(is_refused_as_read_only, f->path), 0);
  assert_int_equal(as_nobody(can_be_read, f->path), 0);
  chmod_directory(f->path, 0755);
}

static void test_reading_leaves_nothing_behind(void **state) {
  fixture *f = *state;
  error e;
  db *reader;
  (void)fixture_run(f->d);
  db_close(f->d);
  f->d = NULL;
  OK(db_open(&reader, f->path, DB_READ, &e));
  db_close(reader);
  char journal[512];
  (void)snprintf(journal, sizeof journal, "%s-wal", f->path);
  assert_int_not_equal(access(journal, F_OK), 0);
}

/* --- trend --------------------------------------------------------------------------------------------------- */

/* Ended runs with totals, oldest first, wherever the view is; totals are replaced as a whole. */
static void test_a_trend_is_made_of_ended_runs(void **state) {
  fixture *f = *state;
  error e;
  view v;
  int64_t runs[4];
  for (size_t i = 0; i < 4; i++) {
    OK(db_begin_run(f->d, i == 3 ? "mutate" : "coverage", "0.1", &runs[i], &e));
    OK(db_put_totals(f->d, runs[i], (const db_total[]){{"line", i, 10}, {"if", i, 4}}, 2, &e));
    if (i != 1) {
      OK(db_end_run(f->d, runs[i], "device", 0, &e));
    }
  }
  OK(db_put_totals(f->d, runs[2], NULL, 0, &e)); /* now without any */
  OK(db_put_totals(f->d, runs[3], (const db_total[]){{"mutation", 7, 9}}, 1, &e));
  OK(db_load(f->d, &runs[1], 1, &v, &e));
  assert_int_equal(v.trend_count, 2);
  assert_int_equal(v.trend[0].run, runs[0]);
  assert_string_equal(v.trend[0].command, "coverage");
  assert_int_equal(strlen(v.trend[0].started), strlen("2026-01-01T00:00:00Z"));
  assert_int_equal(v.trend[0].metric_count, 2);
  assert_string_equal(v.trend[0].metrics[1].name, "line");
  assert_int_equal(v.trend[0].metrics[1].covered, 0);
  assert_int_equal(v.trend[0].metrics[1].total, 10);
  assert_int_equal(v.trend[1].run, runs[3]);
  assert_int_equal(v.trend[1].metric_count, 1);
  assert_string_equal(v.trend[1].metrics[0].name, "mutation");
  assert_int_equal(v.trend[1].metrics[0].covered, 7);
  OK(db_put_totals(f->d, runs[0], (const db_total[]){{"line", 10, 10}}, 1, &e));
  OK(db_load_trend(f->d, &v, &e)); /* anew, in the same view */
  assert_int_equal(v.trend_count, 2);
  assert_int_equal(v.trend[0].metric_count, 1);
  assert_int_equal(v.trend[0].metrics[0].covered, 10);
  view_free(&v);
}

static void test_a_trend_has_the_newest_runs(void **state) {
  fixture *f = *state;
  error e;
  view v;
  int64_t first = 0;
  for (size_t i = 0; i < TREND_RUNS + 3; i++) {
    int64_t run = 0;
    OK(db_begin_run(f->d, "coverage", "0.1", &run, &e));
    OK(db_put_totals(f->d, run, (const db_total[]){{"line", i, 100}}, 1, &e));
    OK(db_end_run(f->d, run, "device", 0, &e));
    first = i == 0 ? run : first;
  }
  OK(db_load(f->d, &first, 1, &v, &e));
  assert_int_equal(v.trend_count, TREND_RUNS);
  for (size_t i = 0; i < TREND_RUNS; i++) {
    assert_int_equal(v.trend[i].metrics[0].covered, i + 3);
  }
  view_free(&v);
}

/* --- migration ---------------------------------------------------------------------------------------------- */

static void test_an_older_database_is_migrated(void **state) {
  (void)state;
  error e;
  db *d;
  char *path = fixture_path("old.db");
  char older[64];
  (void)snprintf(older, sizeof older, "PRAGMA application_id = %d", SCHEMA_APPLICATION);
  sql_file(path, older); /* version 0 of ours */
  OK(db_open(&d, path, DB_READ, &e));
  run_summary *runs;
  size_t count;
  OK(db_list_runs(d, &runs, &count, &e));
  assert_int_equal(count, 0);
  db_close(d);
  sqlite3 *handle;
  int application, version, objects;
  assert_int_equal(sqlite3_open(path, &handle), SQLITE_OK);
  assert_int_equal(schema_probe(handle, &application, &version, &objects), SQLITE_OK);
  assert_int_equal(version, 0); /* reading changed nothing */
  assert_int_equal(sqlite3_close(handle), SQLITE_OK);
  OK(db_open(&d, path, DB_WRITE, &e));
  assert_int_equal(schema_probe(d->handle, &application, &version, &objects), SQLITE_OK);
  assert_int_equal(version, SCHEMA_VERSION);
  (void)fixture_run(d);
  db_close(d);
  fixture_forget(path);
}

/* A file as the first release left it, with a run in it, is read as it is and gone on with. */
static void test_a_database_of_version_1(void **state) {
  (void)state;
  static const char *const rows =
      "INSERT INTO run (uuid, command, version, started, device, exit)"
      " VALUES ('a-b-c', 'coverage', '0.1', '2026-01-01T00:00:00Z', 'Old Device', 3);"
      "INSERT INTO test_case (run, suite, name, command_line, status) VALUES (1, 's', 't', './t', 0);"
      "INSERT INTO file (sha256, text) VALUES ('abc', 'kernel void k() { }');"
      "INSERT INTO program (identity, options) VALUES ('abc 1 1 0 1', '');"
      "INSERT INTO program_file VALUES (1, 0, 1, 'k.cl');"
      "BEGIN;"
      "INSERT INTO function VALUES (1, 1, 'k', 1, 1, 1, 1, 1);"
      "INSERT INTO site VALUES (1, 1, 'function', 1, 1, 13, 12, 1, 14, 1);"
      "COMMIT;"
      "INSERT INTO outcome VALUES (1, 0, 'entered', 1);"
      "INSERT INTO kernel VALUES (1, 1, 'k', 1);"
      "INSERT INTO kernel_function VALUES (1, 0, 1);"
      "INSERT INTO run_program VALUES (1, 1);"
      "INSERT INTO launch VALUES (1, 1, 4);"
      "INSERT INTO evidence VALUES (1, 1, 1, 0);";
  error e;
  db *d;
  view v;
  sqlite3 *handle;
  int application, version, objects;
  char *path = fixture_path("one.db");
  assert_int_equal(sqlite3_open(path, &handle), SQLITE_OK);
  assert_int_equal(schema_migrate(handle, schema_migrations, 1), SQLITE_OK);
  assert_int_equal(sqlite3_exec(handle, rows, NULL, NULL, NULL), SQLITE_OK);
  assert_int_equal(sqlite3_close(handle), SQLITE_OK);
  for (int pass = 0; pass < 2; pass++) { /* read only, then migrated */
    OK(db_open(&d, path, pass == 0 ? DB_READ : DB_WRITE, &e));
    assert_int_equal(schema_probe(d->handle, &application, &version, &objects), SQLITE_OK);
    assert_int_equal(version, SCHEMA_VERSION);
    OK(db_load(d, NULL, 0, &v, &e));
    assert_string_equal(v.device, "Old Device");
    assert_int_equal(v.kernels[0].launches, 4);
    assert_int_equal(v.sites[0].outcomes[0].tests, 1);
    assert_int_equal(v.mutant_count, 0);
    view_free(&v);
    db_close(d);
    assert_int_equal(sqlite3_open(path, &handle), SQLITE_OK);
    assert_int_equal(schema_probe(handle, &application, &version, &objects), SQLITE_OK);
    assert_int_equal(version, pass == 0 ? 1 : SCHEMA_VERSION);
    assert_int_equal(sqlite3_close(handle), SQLITE_OK);
  }
  OK(db_open(&d, path, DB_WRITE, &e));
  (void)fixture_mutation(d, 0, 1);
  OK(db_load(d, NULL, 0, &v, &e));
  assert_int_equal(v.mutant_count, FIXTURE_MUTANTS);
  view_free(&v);
  OK(db_load(d, (const int64_t[]){1}, 1, &v, &e));
  assert_int_equal(v.kernels[0].launches, 4);
  view_free(&v);
  db_close(d);
  fixture_forget(path);
}

static const char *const to_one[] = {"CREATE TABLE thing (name TEXT)", "INSERT INTO thing VALUES ('kept')", NULL};
static const char *const to_two[] = {"ALTER TABLE thing ADD COLUMN colour TEXT DEFAULT 'red'", NULL};
static const char *const broken[] = {"ALTER TABLE thing ADD COLUMN size TEXT", "ALTER TABLE nothing ADD COLUMN x",
                                     NULL};

static int count_columns(sqlite3 *handle) {
  sqlite3_stmt *statement;
  assert_int_equal(sqlite3_prepare_v2(handle, "SELECT * FROM thing", -1, &statement, NULL), SQLITE_OK);
  assert_int_equal(sqlite3_step(statement), SQLITE_ROW);
  assert_string_equal((const char *)sqlite3_column_text(statement, 0), "kept");
  int columns = sqlite3_column_count(statement);
  assert_int_equal(sqlite3_finalize(statement), SQLITE_OK);
  return columns;
}

static void test_migrations_go_step_by_step_or_not_at_all(void **state) {
  (void)state;
  static const migration steps[] = {to_one, to_two, broken};
  sqlite3 *handle;
  int application, version, objects;
  assert_int_equal(sqlite3_open(":memory:", &handle), SQLITE_OK);
  assert_int_equal(schema_migrate(handle, steps, 1), SQLITE_OK);
  assert_int_equal(count_columns(handle), 1);
  assert_int_equal(schema_migrate(handle, steps, 2), SQLITE_OK);
  assert_int_equal(count_columns(handle), 2);
  assert_int_equal(schema_migrate(handle, steps, 2), SQLITE_OK); /* again: nothing to do */
  assert_int_not_equal(schema_migrate(handle, steps, 3), SQLITE_OK);
  assert_int_equal(count_columns(handle), 2);
  assert_int_equal(schema_probe(handle, &application, &version, &objects), SQLITE_OK);
  assert_int_equal(application, SCHEMA_APPLICATION);
  assert_int_equal(version, 2);
  assert_int_equal(sqlite3_close(handle), SQLITE_OK);
}

/* --- processes at once -------------------------------------------------------------------------------------- */

#define WRITERS 3
#define ROUNDS 40

/* Opens the database, which may not be there yet, and stores a run with some test cases. */
static int writer(const char *path) {
  error e;
  db *d;
  int64_t run, test_case;
  model m;
  db_program p;
  fixture_conv(&m);
  if (db_open(&d, path, DB_WRITE, &e) != 0 || db_begin_run(d, "coverage", "0.1", &run, &e) != 0 ||
      db_add_program(d, run, &m, &p, &e) != 0) {
    (void)fprintf(stderr, "%s\n", e.text);
    return 1;
  }
  for (int i = 0; i < ROUNDS; i++) {
    const db_evidence seen[] = {{p.sites[CONV_IF], 0}, {p.sites[CONV_FOR], 2}};
    if (db_begin_test_case(d, run, "suite", "t", "", &test_case, &e) != 0 ||
        db_add_evidence(d, test_case, p.kernels[0], 1, seen, 2, &e) != 0 ||
        db_end_test_case(d, test_case, 0, false, &e) != 0) {
      (void)fprintf(stderr, "%s\n", e.text);
      return 1;
    }
  }
  int result = db_end_run(d, run, "device", 0, &e);
  db_close(d);
  db_program_free(&p);
  model_free(&m);
  return result == 0 ? 0 : 1;
}

static void test_processes_write_at_once(void **state) {
  (void)state;
  error e;
  db *d;
  view v;
  pid_t children[WRITERS];
  char *path = fixture_path("shared.db");
  for (int i = 0; i < WRITERS; i++) {
    children[i] = fork();
    assert_true(children[i] >= 0);
    if (children[i] == 0) {
      _exit(writer(path));
    }
  }
  for (int i = 0; i < WRITERS; i++) {
    int status;
    assert_int_equal(waitpid(children[i], &status, 0), children[i]);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
  }
  OK(db_open(&d, path, DB_READ, &e));
  run_summary *runs;
  size_t count;
  OK(db_list_runs(d, &runs, &count, &e));
  assert_int_equal(count, WRITERS);
  int64_t ids[WRITERS];
  for (size_t i = 0; i < count; i++) {
    ids[i] = runs[i].id;
    assert_int_equal(runs[i].test_cases, ROUNDS);
  }
  OK(db_load(d, ids, count, &v, &e));
  assert_int_equal(v.kernel_count, 2); /* one program */
  assert_int_equal(kernel_named(&v, "conv2d")->launches, WRITERS * ROUNDS);
  view_free(&v);
  db_free_runs(runs, count);
  db_close(d);
  fixture_forget(path);
}

/* A batch that stays open does not lock the others out for ever: it is committed when a call finds it old. */
static void test_an_old_transaction_is_committed(void **state) {
  fixture *f = *state;
  error e;
  OK(db_put_fact(f->d, "GPU", "1", true, &e));
  assert_true(f->d->in_transaction);
  f->d->began -= 1000;
  OK(db_put_fact(f->d, "GPU", "2", true, &e));
  assert_false(f->d->in_transaction);
}

/* Opening a database that is up to date waits for nobody. */
static void test_opening_while_another_writes(void **state) {
  fixture *f = *state;
  error e;
  db *other;
  (void)fixture_run(f->d);
  OK(db_put_fact(f->d, "GPU", "1", true, &e));
  assert_true(f->d->in_transaction);
  f->d->began += 60000; /* stays open */
  OK(db_open(&other, f->path, DB_WRITE, &e));
  view v;
  OK(db_load(other, NULL, 0, &v, &e));
  assert_int_equal(v.kernel_count, 3);
  view_free(&v);
  db_close(other);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(test_a_program_reads_back_as_it_was),
      TEST(test_the_same_program_is_stored_once),
      TEST(test_a_file_that_moved_has_its_newest_name),
      TEST(test_view_counts_test_cases),
      TEST(test_two_programs_share_a_header),
      TEST(test_kernels_keep_their_own_evidence),
      TEST(test_view_is_in_source_order),
      TEST(test_cases_of_a_switch_are_united),
      TEST(test_runs_are_united),
      TEST(test_unknown_runs),
      TEST(test_a_run_without_kernels),
      TEST(test_evidence_is_idempotent_and_launches_add_up),
      TEST(test_findings_are_kept_once),
      TEST(test_facts),
      TEST(test_a_failed_call_undoes_itself_alone),
      TEST(test_very_long_names),
      TEST(test_list_of_runs),
      TEST(test_merging_twice_is_merging_once),
      cmocka_unit_test(test_files_that_are_no_database),
      cmocka_unit_test(test_databases_of_others),
      TEST(test_a_newer_database),
      cmocka_unit_test(test_an_empty_file),
      TEST(test_writing_what_was_opened_for_reading),
      TEST(test_a_full_disk),
      TEST(test_read_only_file_and_directory),
      TEST(test_reading_leaves_nothing_behind),
      TEST(test_a_trend_is_made_of_ended_runs),
      TEST(test_a_trend_has_the_newest_runs),
      cmocka_unit_test(test_an_older_database_is_migrated),
      cmocka_unit_test(test_a_database_of_version_1),
      cmocka_unit_test(test_migrations_go_step_by_step_or_not_at_all),
      cmocka_unit_test(test_processes_write_at_once),
      TEST(test_an_old_transaction_is_committed),
      TEST(test_opening_while_another_writes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
