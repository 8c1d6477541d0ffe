/* Findings in the database: places and witness come back, each finding is kept once, is migrated and merged. */
/* cmocka.h wants these before it. */
/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
/* clang-format on */
#include <string.h>

#include "db/internal.h"
#include "tests/fixtures/add_finding.h"
#include "tests/fixtures/db_fixture.h"
#include "tests/fixtures/ok.h"
#include "tests/fixtures/report_fixture.h"

/* A run of src/conv.cl and src/common.h; the files are 0 and 1 of the model. */
typedef struct conv_run {
  model m;
  db_program p;
  int64_t run, test_case;
} conv_run;

static void begin(conv_run *r, db *d) {
  error e;
  fixture_conv(&r->m);
  OK(db_begin_run(d, "races", "0.1", &r->run, &e));
  OK(db_begin_test_case(d, r->run, "", "small", "./conv 8", &r->test_case, &e));
  OK(db_add_program(d, r->run, &r->m, &r->p, &e));
}

static void end(conv_run *r) {
  db_program_free(&r->p);
  model_free(&r->m);
}

/* A race of conv2d between two lines, seen in a test case or proved of the run. */
static void add_race(db *d, const conv_run *r, int64_t test_case, uint32_t first, uint32_t second) {
  error e;
  const db_place places[] = {{.role = "first", .access = "write", .file = 0, .line = first, .column = 5},
                             {.role = "second", .access = "read", .file = 1, .line = second, .column = 7},
                             {.role = "allocation", .access = "", .file = 0, .line = 1, .column = 1}};
  const db_witness witness[] = {{.kind = "argument", .what = "local size", .value = "64"},
                                {.kind = "content", .what = "work-items", .element = {true, 3}, .value = "0 and 1"}};
  const db_finding f = {.of.run = r->run,
                        .of.test_case = test_case,
                        .of.program = r->p.id,
                        .of.kernel = r->p.kernels[0],
                        .rule = "data-race",
                        .message = "both write",
                        .detail = {.object = "a",
                                   .space = "local",
                                   .element = {true, 0},
                                   .value_size = {true, 8},
                                   .value_after = {true, UINT64_C(7)},
                                   .groups = "4,1,1",
                                   .who = "several"},
                        .places = places,
                        .place_count = 3,
                        .witness = witness,
                        .witness_count = 2};
  OK(db_put_finding(d, &f, &e));
}

static void expect_race(const view *v, size_t index, uint32_t first, uint32_t second) {
  const db_finding *f = &v->findings[index];
  assert_string_equal(f->rule, "data-race");
  assert_string_equal(f->kernel, "conv2d");
  assert_string_equal(v->files[f->file].name, "src/conv.cl"); /* its first place's */
  assert_int_equal(f->line, first);
  assert_int_equal(f->place_count, 3);
  assert_string_equal(f->places[0].role, "first");
  assert_string_equal(f->places[0].access, "write");
  assert_int_equal(f->places[0].line, first);
  assert_int_equal(f->places[0].column, 5);
  assert_string_equal(v->files[f->places[1].file].name, "src/common.h");
  assert_string_equal(f->places[1].access, "read");
  assert_int_equal(f->places[1].line, second);
  assert_string_equal(f->places[2].role, "allocation");
  assert_string_equal(f->places[2].access, "");
  assert_string_equal(f->detail.object, "a");
  assert_string_equal(f->detail.space, "local");
  assert_string_equal(f->detail.groups, "4,1,1");
  assert_string_equal(f->detail.who, "several");
  assert_string_equal(f->detail.pixel, "");
  assert_true(f->detail.element.known); /* 0 is known, too */
  assert_int_equal(f->detail.element.value, 0);
  assert_int_equal(f->detail.value_after.value, 7);
  assert_false(f->detail.value_before.known);
  assert_int_equal(f->witness_count, 2);
  assert_string_equal(f->witness[0].kind, "argument");
  assert_false(f->witness[0].element.known);
  assert_int_equal(f->witness[1].element.value, 3);
  assert_string_equal(f->witness[0].what, "local size");
  assert_string_equal(f->witness[0].value, "64");
  assert_string_equal(f->witness[1].value, "0 and 1");
}

static void test_places_tell_findings_apart(void **state) {
  fixture *f = *state;
  conv_run r;
  error e;
  view v;
  begin(&r, f->d);
  for (int i = 0; i < 2; i++) { /* the second time all are known */
    add_race(f->d, &r, r.test_case, 3, 2);
    add_race(f->d, &r, r.test_case, 3, 4); /* another second access */
    add_race(f->d, &r, 0, 5, 4);           /* of the run alone */
  }
  OK(db_load(f->d, NULL, 0, &v, &e));
  assert_int_equal(v.finding_count, 3);
  expect_race(&v, 0, 3, 2);
  expect_race(&v, 1, 3, 4);
  expect_race(&v, 2, 5, 4);
  view_free(&v);
  end(&r);
}

/* Places of a finding with a site say more of it and do not make it another one. */
static void test_a_site_tells_where(void **state) {
  fixture *f = *state;
  conv_run r;
  error e;
  view v;
  begin(&r, f->d);
  const model_site *s = &r.m.sites[CONV_BARRIER];
  for (uint32_t line = 20; line < 22; line++) {
    const db_place places[] = {{.role = "barrier", .access = "", .file = s->file, .line = s->line, .column = s->column},
                               {.role = "decision", .access = "", .file = 0, .line = line, .column = 3}};
    const db_finding one = {.of.run = r.run,
                            .of.test_case = r.test_case,
                            .of.program = r.p.id,
                            .of.kernel = r.p.kernels[1],
                            .of.site = r.p.sites[CONV_BARRIER],
                            .rule = "barrier-divergence",
                            .message = "it diverges",
                            .places = places,
                            .place_count = 2};
    OK(db_put_finding(f->d, &one, &e));
  }
  OK(db_load(f->d, NULL, 0, &v, &e));
  assert_int_equal(v.finding_count, 1);
  assert_int_equal(v.findings[0].line, 27); /* of the barrier in the fixture's source */
  assert_int_equal(v.findings[0].place_count, 2);
  assert_int_equal(v.findings[0].places[0].line, 27);
  assert_int_equal(v.findings[0].places[1].line, 20); /* as it came first */
  view_free(&v);
  end(&r);
}

static void test_a_file_that_the_program_lacks(void **state) {
  fixture *f = *state;
  conv_run r;
  error e;
  view v;
  begin(&r, f->d);
  const db_place nowhere = {.role = "first", .access = "write", .file = 2, .line = 1, .column = 1};
  const db_finding one = {
      .of.run = r.run, .of.program = r.p.id, .rule = "data-race", .message = "", .places = &nowhere, .place_count = 1};
  assert_int_equal(db_put_finding(f->d, &one, &e), -1);
  assert_non_null(strstr(e.text, "does not have"));
  OK(db_load(f->d, NULL, 0, &v, &e));
  assert_int_equal(v.finding_count, 0);
  view_free(&v);
  end(&r);
}

static const db_command commands[] = {{.function = "clEnqueueNDRangeKernel",
                                       .kernel = "fill",
                                       .number = 2,
                                       .queue = 1,
                                       .in_order = true,
                                       .thread = 3,
                                       .memory = 5,
                                       .access = "write",
                                       .parameter = "out",
                                       .sure = true},
                                      {.function = "clEnqueueMapBuffer",
                                       .kernel = "",
                                       .number = 1,
                                       .queue = 2,
                                       .memory = 5,
                                       .access = "read",
                                       .parameter = "",
                                       .mapped = true}};

static void expect_commands(const db_finding *f) {
  assert_int_equal(f->command_count, 2);
  for (size_t i = 0; i < 2; i++) {
    const db_command *is = &f->commands[i], *was = &commands[i];
    assert_string_equal(is->function, was->function);
    assert_string_equal(is->kernel, was->kernel);
    assert_string_equal(is->access, was->access);
    assert_string_equal(is->parameter, was->parameter);
    assert_int_equal(is->number, was->number);
    assert_int_equal(is->queue, was->queue);
    assert_int_equal(is->in_order, was->in_order);
    assert_int_equal(is->thread, was->thread);
    assert_int_equal(is->memory, was->memory);
    assert_int_equal(is->mapped, was->mapped);
    assert_int_equal(is->sure, was->sure);
  }
}

/* Merged into a database that has other files and programs under its first numbers; twice, as the second brings
 * nothing. */
static void test_merging(void **state) {
  fixture *f = *state;
  char *path = fixture_path("into.db");
  conv_run r;
  db *into;
  error e;
  view v;
  size_t merged = 0;
  begin(&r, f->d);
  add_race(f->d, &r, r.test_case, 3, 2);
  add_race(f->d, &r, 0, 5, 4);
  OK(db_put_finding(f->d,
                    &(db_finding){.of.run = r.run,
                                  .rule = "host-race",
                                  .commands = commands,
                                  .command_count = 2,
                                  .distinct = "fill and a mapping"},
                    &e));
  OK(db_end_test_case(f->d, r.test_case, 0, false, &e));
  OK(db_end_run(f->d, r.run, "", 0, &e));
  OK(db_open(&into, path, DB_WRITE, &e));
  (void)fixture_run(into);
  for (int i = 0; i < 2; i++) {
    OK(db_merge(into, f->d, &merged, &e));
    assert_int_equal(merged, i == 0 ? 1 : 0);
  }
  run_summary *runs;
  size_t count;
  OK(db_list_runs(into, &runs, &count, &e));
  assert_int_equal(count, 2);
  const int64_t newest = runs[0].id > runs[1].id ? runs[0].id : runs[1].id;
  OK(db_load(into, &newest, 1, &v, &e));
  assert_int_equal(v.finding_count, 3);
  expect_race(&v, 0, 3, 2);
  expect_race(&v, 1, 5, 4);
  assert_int_equal(v.findings[0].command_count, 0);
  expect_commands(&v.findings[2]);
  view_free(&v);
  db_free_runs(runs, count);
  db_close(into);
  fixture_forget(path);
  end(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(test_places_tell_findings_apart),
      TEST(test_a_site_tells_where),
      TEST(test_a_file_that_the_program_lacks),
      TEST(test_merging),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
