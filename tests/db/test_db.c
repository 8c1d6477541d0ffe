/* The results database: what goes in comes out, once. */
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
#include "db/internal.h"
#include "tests/fixtures/add_finding.h"
#include "tests/fixtures/db_fixture.h"
#include "tests/fixtures/ok.h"
#include "tests/fixtures/report_fixture.h"

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
  mem_arena memory = {0};
  db_program p, ids;
  int64_t run;
  fixture_conv(&m);
  OK(db_begin_run(f->d, "coverage", "0.1", &run, &e));
  OK(db_add_program(f->d, run, &m, &p, &e));
  OK(db_read_program(f->d, p.id, &memory, &back, &ids, &e));
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
  db_program_free(&p);
  mem_arena_free(&memory);
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
  for (int i = 0; i < 3; i++)
    fixture_evidence(f->d, test_case, &p, 0, 5, (const model_term[]){{CONV_IF, OUTCOME_TRUE}}, 1);
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
      OK(add_finding(f->d, test_cases[i], p.kernels[1], p.sites[CONV_BARRIER], "barrier-divergence", "first", &e));
      OK(add_finding(f->d, test_cases[i], p.kernels[1], 0, "barrier-divergence", "nowhere", &e));
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
  assert_int_equal(runs[1].findings, 1); /* the fixture's divergence */
  assert_int_equal(runs[1].survivors, 0);
  assert_string_equal(runs[1].program, "suite"); /* as it was started: by its name */
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
  assert_int_equal(before.site_count, after.site_count);
  for (size_t i = 0; i < before.site_count; i++) {
    assert_int_equal(before.sites[i].offset, after.sites[i].offset);
    for (size_t k = 0; k < before.sites[i].outcome_count; k++)
      assert_int_equal(before.sites[i].outcomes[k].tests, after.sites[i].outcomes[k].tests);
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

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(test_a_program_reads_back_as_it_was),
      TEST(test_the_same_program_is_stored_once),
      TEST(test_a_file_that_moved_has_its_newest_name),
      TEST(test_evidence_is_idempotent_and_launches_add_up),
      TEST(test_findings_are_kept_once),
      TEST(test_facts),
      TEST(test_a_failed_call_undoes_itself_alone),
      TEST(test_very_long_names),
      TEST(test_list_of_runs),
      TEST(test_merging_twice_is_merging_once),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
