/* Which runs a report is about by default, and what several runs of one test case are. */
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
#include "reports/common/report.h"
#include "tests/fixtures/db_fixture.h"
#include "tests/fixtures/ok.h"
#include "tests/fixtures/report_fixture.h"

/* A run of a command on files: pairs of name and text, ended by NULL. */
static int64_t add_run(db *d, const char *command, const char *settings, const char *const *files) {
  error e;
  int64_t run = 0;
  model m = {.options = mem_strdup("")};
  db_program p;
  for (size_t i = 0; files[i] != NULL; i += 2) {
    uint32_t file = fixture_file(&m, files[i], files[i + 1]);
    uint32_t function = fixture_function(&m, file, "k", "kernel", "}", true);
    fixture_line(&m, file, function, "kernel", m.functions[function].site, 0);
  }
  OK(db_begin_run(d, command, "0.1", &run, &e));
  OK(db_set_settings(d, run, settings, &e));
  OK(db_add_program(d, run, &m, &p, &e));
  OK(db_end_run(d, run, "device", 0, &e));
  db_program_free(&p);
  model_free(&m);
  return run;
}

/* The default view has just these runs. */
static void assert_runs(db *d, const int64_t *runs, size_t count) {
  error e;
  view v;
  OK(db_load(d, NULL, 0, &v, &e));
  assert_int_equal(v.run_count, count);
  for (size_t i = 0; i < count; i++) assert_int_equal(v.runs[i].id, runs[i]);
  assert_int_equal(v.run, runs[count - 1]);
  view_free(&v);
}

static const char *const plain[] = {"a.cl", "kernel void a() {}", NULL};
static const char *const changed[] = {"a.cl", "kernel void a() {;}", NULL};
static const char *const both[] = {"a.cl", "kernel void a() {}", "b.cl", "kernel void b() {}", NULL};
static const char *const other[] = {"b.cl", "kernel void b() {}", NULL};

/* The newest of each command, on the sources of the newest of all. */
static void test_newest_of_each_command(void **state) {
  fixture *f = *state;
  int64_t old = add_run(f->d, "coverage", "", plain);
  assert_runs(f->d, &old, 1);
  int64_t covered = add_run(f->d, "coverage", "", plain);
  assert_runs(f->d, &covered, 1);
  int64_t raced = add_run(f->d, "amplify", "", both);
  assert_runs(f->d, (const int64_t[]){covered, raced}, 2);
  int64_t mutated = add_run(f->d, "mutate", "", plain);
  assert_runs(f->d, (const int64_t[]){covered, raced, mutated}, 3);
  int64_t again = add_run(f->d, "coverage", "", plain);
  assert_runs(f->d, (const int64_t[]){raced, mutated, again}, 3);
}

static void test_other_sources_are_apart(void **state) {
  fixture *f = *state;
  int64_t covered = add_run(f->d, "coverage", "", plain);
  int64_t edited = add_run(f->d, "coverage", "", changed);
  assert_runs(f->d, &edited, 1);
  int64_t mutated = add_run(f->d, "mutate", "", plain); /* as it was before */
  assert_runs(f->d, (const int64_t[]){covered, mutated}, 2);
  int64_t elsewhere = add_run(f->d, "amplify", "", other);
  assert_runs(f->d, &elsewhere, 1);
  int64_t mixed = add_run(f->d, "mutate", "", both); /* of the runs before it, a.cl of `covered` is the same */
  assert_runs(f->d, (const int64_t[]){covered, elsewhere, mixed}, 3);
  const char *const nothing[] = {NULL};
  int64_t empty = add_run(f->d, "coverage", "", nothing);
  assert_runs(f->d, &empty, 1);
}

/* A campaign in shards: the newest run of each shard; runs of other settings are no part of it. */
static void test_shards_are_one_campaign(void **state) {
  fixture *f = *state;
  int64_t covered = add_run(f->d, "coverage", "", plain);
  int64_t s[6];
  s[0] = add_run(f->d, "mutate", "runs 1 shard 1/3 seed 0", plain);
  s[1] = add_run(f->d, "mutate", "runs 1 shard 2/3 seed 0", plain);
  s[2] = add_run(f->d, "mutate", "runs 9 shard 2/3 seed 0", plain);
  s[3] = add_run(f->d, "mutate", "runs 1 shard 1/2 seed 0", plain);
  s[4] = add_run(f->d, "mutate", "runs 1 shard 1/3 seed 0", plain);
  s[5] = add_run(f->d, "mutate", "runs 1 shard 3/3 seed 0", plain);
  assert_runs(f->d, (const int64_t[]){covered, s[1], s[4], s[5]}, 4);
  int64_t whole = add_run(f->d, "mutate", "runs 1 shard 1/1 seed 0", plain);
  assert_runs(f->d, (const int64_t[]){covered, whole}, 2);
}

/* Of coverage and a campaign with the same tests each test case is there once; shards give all mutants. */
static void test_test_cases_are_themselves(void **state) {
  fixture *f = *state;
  error e;
  view v;
  int64_t covered = fixture_run(f->d);
  int64_t first = fixture_mutation(f->d, 0, 2);
  int64_t second = fixture_mutation(f->d, 1, 2);
  OK(db_set_settings(f->d, first, "tests shard 1/2 x", &e));
  OK(db_set_settings(f->d, second, "tests shard 2/2 x", &e));
  OK(db_commit(f->d, &e));
  OK(db_load(f->d, NULL, 0, &v, &e));
  assert_int_equal(v.run_count, 3);
  assert_int_equal(v.runs[0].id, covered);
  assert_int_equal(v.test_case_count, 3); /* small, large, tiny */
  assert_int_equal(v.mutant_count, FIXTURE_MUTANTS);
  assert_int_equal(kernel_named(&v, "conv2d")->launches, 3);
  assert_int_equal(kernel_named(&v, "conv2d")->tests, 2);
  assert_true(v.covers);
  const test_case_counts counts = report_test_cases(&v, "coverage");
  assert_int_equal(counts.all, 2);
  assert_int_equal(counts.failed, 0); /* large did, but not in the newest run */
  view_free(&v);
  OK(db_load(f->d, &first, 1, &v, &e));
  assert_false(v.covers);
  view_free(&v);
}

/* Launches of a test case: of its executions in several runs the most; twice in a run they are two test cases. */
static void test_launches_of_a_test_case(void **state) {
  fixture *f = *state;
  error e;
  view v;
  static const uint64_t launches[3][2] = {{2, 0}, {5, 1}, {3, 4}};
  int64_t runs[3];
  model m;
  db_program p;
  fixture_conv(&m);
  for (size_t i = 0; i < 3; i++) {
    OK(db_begin_run(f->d, "coverage", "0.1", &runs[i], &e));
    OK(db_add_program(f->d, runs[i], &m, &p, &e));
    for (size_t k = 0; k < 2; k++) {
      int64_t test = 0;
      OK(db_begin_test_case(f->d, runs[i], "suite", "t", "./t", &test, &e));
      OK(db_add_evidence(f->d, test, p.kernels[0], launches[i][k], NULL, 0, &e));
    }
    db_program_free(&p);
  }
  model_free(&m);
  OK(db_load(f->d, runs, 3, &v, &e));
  assert_int_equal(v.test_case_count, 2);
  assert_int_equal(kernel_named(&v, "conv2d")->launches, 5 + 4);
  assert_int_equal(kernel_named(&v, "conv2d")->tests, 2);
  view_free(&v);
}

/* Coverage was measured where something says what launches execute, whatever the command is called. */
static void test_evidence_is_coverage(void **state) {
  fixture *f = *state;
  static const char *const commands[] = {"memory", "amplify", "a new one"};
  error e;
  model m;
  fixture_conv(&m);
  for (size_t i = 0; i < 2 * sizeof commands / sizeof commands[0]; i++) {
    const bool seen = i % 2 == 1;
    int64_t run = 0, test = 0;
    db_program p;
    view v;
    OK(db_begin_run(f->d, commands[i / 2], "0.1", &run, &e));
    OK(db_add_program(f->d, run, &m, &p, &e));
    OK(db_begin_test_case(f->d, run, "suite", "t", "./t", &test, &e));
    OK(db_add_evidence(f->d, test, p.kernels[0], 1, &(db_evidence){p.sites[0], 0}, seen ? 1 : 0, &e));
    OK(db_load(f->d, &run, 1, &v, &e));
    assert_int_equal(kernel_named(&v, "conv2d")->launches, 1);
    assert_int_equal(report_covered(&v), seen);
    view_free(&v);
    db_program_free(&p);
  }
  model_free(&m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(test_newest_of_each_command),    TEST(test_other_sources_are_apart), TEST(test_shards_are_one_campaign),
      TEST(test_test_cases_are_themselves), TEST(test_launches_of_a_test_case), TEST(test_evidence_is_coverage),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
