/* The results database on mutants: what goes in comes out, shards come together, a broken-off run goes on. */
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

#include "base/memory.h"
#include "db/internal.h"
#include "tests/fixtures/db_fixture.h"
#include "tests/fixtures/ok.h"
#include "tests/fixtures/report_fixture.h"

static const db_mutant *mutant_of(const view *v, uint32_t id) {
  const db_mutant *found = NULL;
  for (size_t i = 0; i < v->mutant_count; i++) {
    if (v->mutants[i].id == id) {
      assert_null(found); /* once */
      found = &v->mutants[i];
    }
  }
  assert_non_null(found);
  return found;
}

static void assert_verdict(const view *v, const mutant_verdict *verdict, const char *test, uint32_t runs,
                           uint32_t output, uint32_t crash, uint32_t timeout) {
  assert_string_equal(v->test_cases[verdict->test_case].name, test);
  assert_int_equal(verdict->runs, runs);
  assert_int_equal(verdict->output, output);
  assert_int_equal(verdict->crash, crash);
  assert_int_equal(verdict->timeout, timeout);
}

static void test_status_names(void **state) {
  (void)state;
  for (unsigned i = 0; i < MUTANT_STATUSES; i++)
    assert_int_equal(db_mutant_status(mutant_status_name((mutant_status)i)), i);
  assert_string_equal(mutant_status_name(MUTANT_NO_COVERAGE), "no-coverage");
  assert_string_equal(mutant_status_name(MUTANT_PENDING), "pending");
  assert_int_equal(db_mutant_status("unheard of"), MUTANT_PENDING);
}

static void test_mutants_of_a_run(void **state) {
  fixture *f = *state;
  error e;
  view v;
  (void)fixture_mutation(f->d, 0, 1);
  OK(db_load(f->d, NULL, 0, &v, &e));
  assert_int_equal(v.mutant_count, FIXTURE_MUTANTS);
  assert_int_equal(v.test_case_count, 3);
  for (size_t i = 1; i < v.mutant_count; i++) {
    assert_true(v.mutants[i - 1].file < v.mutants[i].file ||
                (v.mutants[i - 1].file == v.mutants[i].file && v.mutants[i - 1].offset <= v.mutants[i].offset));
  }
  const db_mutant *times = mutant_of(&v, 1001 + MUTANT_TIMES);
  assert_string_equal(times->operator_name, "arith");
  assert_string_equal(times->original, "*");
  assert_string_equal(times->replacement, "/");
  assert_null(times->description);
  assert_int_equal(times->line, 9);
  assert_int_equal(times->end_line, 9);
  assert_int_equal(times->column, 28); /* three tabs, then "sum += in[clamp_index(y ": 24 bytes */
  assert_int_equal(times->end_column, 29);
  assert_int_equal(times->end_offset, times->offset + 1);
  assert_string_equal(v.files[times->file].name, "src/conv.cl");
  assert_string_equal(v.functions[times->function].name, "conv2d");
  assert_int_equal(times->kernel_count, 1);
  assert_string_equal(v.kernels[times->kernels[0]].name, "conv2d");
  assert_int_equal(times->status, MUTANT_KILLED);
  assert_string_equal(times->reason, "crash");
  assert_int_equal(times->duplicate_of, MODEL_NONE);
  assert_int_equal(times->verdict_count, 3);
  assert_verdict(&v, &times->verdicts[0], "small", 20, 0, 0, 0);
  assert_verdict(&v, &times->verdicts[1], "large", 20, 4, 16, 0);
  assert_verdict(&v, &times->verdicts[2], "tiny", 20, 0, 0, 0);
  const db_mutant *sum = mutant_of(&v, 1001 + MUTANT_SUM);
  assert_int_equal(v.mutants[sum->duplicate_of].id, 1001 + MUTANT_PLUS);
  assert_string_equal(mutant_of(&v, 1001 + MUTANT_SKIP)->description, "loop skipped");
  const db_mutant *half = mutant_of(&v, 1001 + MUTANT_HALF);
  assert_string_equal(v.kernels[half->kernels[0]].name, "reduce_rows");
  assert_int_equal(half->verdict_count, 0);
  view_free(&v);
}

static void assert_same_mutants(const view *a, const view *b) {
  assert_int_equal(a->mutant_count, b->mutant_count);
  assert_int_equal(a->test_case_count, b->test_case_count);
  for (size_t i = 0; i < a->test_case_count; i++) assert_string_equal(a->test_cases[i].name, b->test_cases[i].name);
  for (size_t i = 0; i < a->mutant_count; i++) {
    const db_mutant *x = &a->mutants[i];
    const db_mutant *y = &b->mutants[i];
    assert_int_equal(x->id, y->id);
    assert_int_equal(x->file, y->file);
    assert_int_equal(x->offset, y->offset);
    assert_int_equal(x->end_offset, y->end_offset);
    assert_int_equal(x->function, y->function);
    assert_int_equal(x->status, y->status);
    assert_string_equal(x->reason, y->reason);
    assert_int_equal(x->duplicate_of, y->duplicate_of);
    assert_int_equal(x->kernel_count, y->kernel_count);
    assert_memory_equal(x->kernels, y->kernels, x->kernel_count * sizeof *x->kernels);
    assert_int_equal(x->verdict_count, y->verdict_count);
    for (size_t k = 0; k < x->verdict_count; k++) {
      const mutant_verdict *p = &x->verdicts[k];
      assert_int_equal(p->test_case, y->verdicts[k].test_case);
      assert_verdict(b, &y->verdicts[k], a->test_cases[p->test_case].name, p->runs, p->output, p->crash, p->timeout);
      assert_int_equal(p->replayed, y->verdicts[k].replayed);
      assert_int_equal(p->outside, y->verdicts[k].outside);
      assert_int_equal(p->unwritten, y->verdicts[k].unwritten);
      assert_int_equal(p->reused, y->verdicts[k].reused);
    }
  }
}

/* Three machines' shards, merged in any order and twice, are the whole. */
static void test_shards_come_together(void **state) {
  fixture *f = *state;
  error e;
  view whole, joined;
  (void)fixture_mutation(f->d, 0, 1);
  OK(db_add_unstable(f->d, 1, "argument 1 of kernel conv2d, launch 0", 0.25, &e));
  OK(db_load(f->d, NULL, 0, &whole, &e));
  char *paths[3];
  db *shards[3];
  for (unsigned i = 0; i < 3; i++) {
    paths[i] = fixture_path("shard.db");
    OK(db_open(&shards[i], paths[i], DB_WRITE, &e));
    (void)fixture_run(shards[i]); /* so that ids are not the same everywhere */
    (void)fixture_mutation(shards[i], i, 3);
    OK(db_add_unstable(shards[i], 3, "argument 1 of kernel conv2d, launch 0", i == 1 ? 0.25 : 0.125, &e));
  }
  static const unsigned orders[2][3] = {{0, 1, 2}, {2, 0, 1}};
  for (size_t order = 0; order < 2; order++) {
    char *path = fixture_path("all.db");
    db *all;
    size_t merged;
    OK(db_open(&all, path, DB_WRITE, &e));
    for (size_t i = 0; i < 6; i++) {
      OK(db_merge(all, shards[orders[order][i % 3]], &merged, &e));
      assert_int_equal(merged, i < 3 ? 2 : 0);
    }
    const int64_t runs[] = {2, 4, 6};
    OK(db_load(all, runs, 3, &joined, &e));
    assert_same_mutants(&whole, &joined);
    assert_int_equal(joined.unstable_count, 1);
    assert_int_equal(joined.unstable[0].test_case, 0);
    assert_true(joined.unstable[0].share == 0.25);
    view_free(&joined);
    int64_t run = 0;
    OK(db_find_unfinished(all, "mutate", "runs=20", &run, &e)); /* settings came along; MUTANT_WHILE is pending */
    assert_int_not_equal(run, 0);
    db_close(all);
    fixture_forget(path);
  }
  for (unsigned i = 0; i < 3; i++) {
    db_close(shards[i]);
    fixture_forget(paths[i]);
  }
  view_free(&whole);
}

/* The newest run that decided a mutant counts, with its verdicts alone; a pending one decides nothing. */
static void test_the_newest_run_decides(void **state) {
  fixture *f = *state;
  error e;
  view v;
  model m;
  db_program p;
  int64_t ids[FIXTURE_MUTANTS], runs[3], test_case;
  runs[0] = fixture_mutation(f->d, 0, 1);
  fixture_conv(&m);
  db_mutant *mutants = fixture_mutants(&m);
  for (size_t i = 1; i < 3; i++) {
    OK(db_begin_run(f->d, "mutate", "0.1", &runs[i], &e));
    OK(db_add_program(f->d, runs[i], &m, &p, &e));
    OK(db_add_mutants(f->d, &p, &m, mutants, FIXTURE_MUTANTS, ids, &e));
    db_program_free(&p);
    OK(db_begin_test_case(f->d, runs[i], "suite", "large", "./conv 1024", &test_case, &e));
    OK(db_end_test_case(f->d, test_case, 7, false, &e));
    mutant_status status = i == 1 ? MUTANT_KILLED : MUTANT_PENDING;
    OK(db_set_mutant(f->d, runs[i], ids[MUTANT_FOR], status, "output", 0, &e));
    OK(db_put_verdict(f->d, test_case, ids[MUTANT_FOR], &(mutant_verdict){.runs = 5, .output = 5}, &e));
    OK(db_put_verdict(f->d, test_case, ids[MUTANT_FOR], &(mutant_verdict){.runs = 10, .output = 10}, &e));
  }
  OK(db_load(f->d, runs, 3, &v, &e));
  assert_int_equal(v.test_case_count, 3);
  assert_int_equal(v.test_cases[1].status, 7);
  const db_mutant *loop = mutant_of(&v, 1001 + MUTANT_FOR);
  assert_int_equal(loop->status, MUTANT_KILLED);
  assert_int_equal(loop->verdict_count, 1);
  assert_verdict(&v, &loop->verdicts[0], "large", 10, 10, 0, 0);
  assert_int_equal(mutant_of(&v, 1001 + MUTANT_PLUS)->verdict_count, 3); /* the newer runs do not have it */
  view_free(&v);
  OK(db_load(f->d, &runs[2], 1, &v, &e));
  assert_int_equal(v.mutant_count, 1);
  assert_int_equal(v.mutants[0].status, MUTANT_PENDING);
  view_free(&v);
  free(mutants);
  model_free(&m);
}

/* Two programs use a header: its mutant is one, killed when it is in either. */
static void test_a_mutant_of_two_programs(void **state) {
  fixture *f = *state;
  error e;
  view v;
  model conv, scan;
  db_program p, q;
  int64_t run, tests[2], ids[2];
  fixture_conv(&conv);
  fixture_scan(&scan);
  db_mutant *all = fixture_mutants(&conv);
  db_mutant mutant = all[MUTANT_CLAMP];
  OK(db_begin_run(f->d, "mutate", "0.1", &run, &e));
  OK(db_add_program(f->d, run, &conv, &p, &e));
  OK(db_add_program(f->d, run, &scan, &q, &e));
  OK(db_begin_test_case(f->d, run, "", "a", "", &tests[0], &e));
  OK(db_begin_test_case(f->d, run, "", "b", "", &tests[1], &e));
  OK(db_add_mutants(f->d, &p, &conv, &mutant, 1, &ids[0], &e));
  mutant.function = 1; /* of scan */
  OK(db_add_mutants(f->d, &q, &scan, &mutant, 1, &ids[1], &e));
  assert_int_not_equal(ids[0], ids[1]);
  OK(db_set_mutant(f->d, run, ids[0], MUTANT_KILLED, "output", 0, &e));
  OK(db_set_mutant(f->d, run, ids[1], MUTANT_SURVIVED, "", 0, &e));
  OK(db_put_verdict(f->d, tests[0], ids[0], &(mutant_verdict){.runs = 20, .output = 20}, &e));
  OK(db_put_verdict(f->d, tests[0], ids[1], &(mutant_verdict){.runs = 20}, &e));
  OK(db_put_verdict(f->d, tests[1], ids[1], &(mutant_verdict){.runs = 20, .output = 1}, &e));
  OK(db_load(f->d, NULL, 0, &v, &e));
  assert_int_equal(v.mutant_count, 1);
  assert_int_equal(v.mutants[0].status, MUTANT_KILLED);
  assert_string_equal(v.functions[v.mutants[0].function].name, "clamp_index");
  assert_int_equal(v.mutants[0].kernel_count, 2);
  assert_int_equal(v.mutants[0].verdict_count, 2);
  assert_verdict(&v, &v.mutants[0].verdicts[0], "a", 20, 20, 0, 0);
  assert_verdict(&v, &v.mutants[0].verdicts[1], "b", 20, 1, 0, 0);
  view_free(&v);
  OK(db_drop_program(f->d, run, p.id, &e)); /* has mutants in the run: stays */
  OK(db_load(f->d, NULL, 0, &v, &e));
  assert_int_equal(v.mutants[0].status, MUTANT_KILLED);
  view_free(&v);
  db_program_free(&p);
  db_program_free(&q);
  model_free(&conv);
  model_free(&scan);
  free(all);
}

static void test_mutants_are_stored_once(void **state) {
  fixture *f = *state;
  error e;
  model m;
  db_program p;
  int64_t run, first[FIXTURE_MUTANTS], again[FIXTURE_MUTANTS];
  fixture_conv(&m);
  db_mutant *mutants = fixture_mutants(&m);
  OK(db_begin_run(f->d, "mutate", "0.1", &run, &e));
  OK(db_add_program(f->d, run, &m, &p, &e));
  OK(db_add_mutants(f->d, &p, &m, mutants, 4, first, &e));
  OK(db_add_mutants(f->d, &p, &m, mutants, FIXTURE_MUTANTS, again, &e));
  assert_memory_equal(first, again, 4 * sizeof first[0]);
  mutants[5].id = mutants[4].id; /* two that claim to be the same */
  assert_int_equal(db_add_mutants(f->d, &p, &m, mutants, FIXTURE_MUTANTS, again, &e), -1);
  assert_int_equal(e.code, EXIT_INTERNAL);
  assert_non_null(strstr(e.text, "1005"));
  free(mutants);
  db_program_free(&p);
  model_free(&m);
}

static void test_going_on_with_a_run(void **state) {
  fixture *f = *state;
  error e;
  int64_t run, found, test_case, second;
  mutant_status status;
  mutant_verdict verdict;
  int64_t finished = fixture_mutation(f->d, 0, FIXTURE_MUTANTS); /* MUTANT_PLUS alone */
  OK(db_find_unfinished(f->d, "mutate", "runs=20", &found, &e));
  assert_int_equal(found, 0);
  OK(db_get_mutant(f->d, finished, 1, &status, &e));
  assert_int_equal(status, MUTANT_KILLED);
  OK(db_get_mutant(f->d, finished, 2, &status, &e));
  assert_int_equal(status, MUTANT_PENDING);
  verdict = verdict_of(f->d, 1, 1);
  assert_int_equal(verdict.output, 20);
  verdict = verdict_of(f->d, 1, 2);
  assert_int_equal(verdict.runs, 0);
  int64_t pending = fixture_mutation(f->d, 0, 1); /* ended, with a pending mutant */
  OK(db_find_unfinished(f->d, "mutate", "runs=20", &found, &e));
  assert_int_equal(found, pending);
  OK(db_begin_run(f->d, "mutate", "0.1", &run, &e));
  OK(db_set_settings(f->d, run, "runs=5", &e));
  OK(db_begin_test_case(f->d, run, "s", "t", "./t", &test_case, &e));
  OK(db_begin_test_case(f->d, run, "s", "t", "./t", &second, &e));
  OK(db_find_unfinished(f->d, "mutate", "runs=20", &found, &e));
  assert_int_equal(found, pending);
  OK(db_find_unfinished(f->d, "mutate", "runs=5", &found, &e));
  assert_int_equal(found, run);
  OK(db_find_unfinished(f->d, "coverage", "runs=5", &found, &e));
  assert_int_equal(found, 0);
  OK(db_find_test_case(f->d, run, "s", "t", "./t", 0, &found, &e));
  assert_int_equal(found, test_case);
  OK(db_find_test_case(f->d, run, "s", "t", "./t", 1, &found, &e));
  assert_int_equal(found, second);
  OK(db_find_test_case(f->d, run, "s", "t", "./t", 2, &found, &e));
  assert_int_equal(found, 0);
  OK(db_find_test_case(f->d, pending, "s", "t", "./t", 0, &found, &e));
  assert_int_equal(found, 0);
}

/* A mutant that ran turns out to be a duplicate of one that has not: its verdict is that one's now, in this run alone.
 */
static void test_a_duplicate_hands_over(void **state) {
  fixture *f = *state;
  error e;
  mutant_status status;
  mutant_verdict verdict;
  const int64_t run = fixture_mutation(f->d, 0, FIXTURE_MUTANTS); /* MUTANT_PLUS alone: killed, 20 of 20 differ */
  (void)fixture_mutation(f->d, 0, FIXTURE_MUTANTS);               /* another run, of the test cases 4 to 6 */
  OK(db_hand_over_mutant(f->d, run, 1, 2, &e));
  OK(db_get_mutant(f->d, run, 2, &status, &e));
  assert_int_equal(status, MUTANT_KILLED);
  verdict = verdict_of(f->d, 1, 2);
  assert_int_equal(verdict.output, 20);
  verdict = verdict_of(f->d, 1, 1);
  assert_int_equal(verdict.runs, 0);
  verdict = verdict_of(f->d, 4, 1);
  assert_int_equal(verdict.output, 20);
  OK(db_drop_verdicts(f->d, run, 2, &e));
  verdict = verdict_of(f->d, 1, 2);
  assert_int_equal(verdict.runs, 0);
}

/* 10,000 mutants, each run against 20 test cases: stored, merged and loaded without loops over all pairs. */
#define MANY 10000
#define MANY_TESTS 20

static void test_many_mutants(void **state) {
  fixture *f = *state;
  error e;
  view v;
  model m;
  db_program p;
  int64_t run, tests[MANY_TESTS];
  fixture_conv(&m);
  db_mutant *one = fixture_mutants(&m);
  db_mutant *mutants = mem_calloc(MANY, sizeof *mutants);
  int64_t *ids = mem_calloc(MANY, sizeof *ids);
  for (uint32_t i = 0; i < MANY; i++) {
    mutants[i] = one[MUTANT_PLUS];
    mutants[i].id = i + 1;
  }
  OK(db_begin_run(f->d, "mutate", "0.1", &run, &e));
  OK(db_add_program(f->d, run, &m, &p, &e));
  OK(db_add_mutants(f->d, &p, &m, mutants, MANY, ids, &e));
  for (size_t t = 0; t < MANY_TESTS; t++) {
    char name[16];
    (void)snprintf(name, sizeof name, "t%zu", t);
    OK(db_begin_test_case(f->d, run, "", name, "", &tests[t], &e));
    for (size_t i = 0; i < MANY; i++)
      OK(db_put_verdict(f->d, tests[t], ids[i], &(mutant_verdict){.runs = 20, .output = t == 3 ? 20 : 0}, &e));
  }
  for (size_t i = 0; i < MANY; i++) OK(db_set_mutant(f->d, run, ids[i], MUTANT_KILLED, "output", 0, &e));
  char *path = fixture_path("many.db");
  db *copy;
  size_t merged;
  OK(db_open(&copy, path, DB_WRITE, &e));
  OK(db_merge(copy, f->d, &merged, &e));
  OK(db_load(copy, NULL, 0, &v, &e));
  assert_int_equal(v.mutant_count, MANY);
  for (size_t i = 0; i < MANY; i++) {
    assert_int_equal(v.mutants[i].verdict_count, MANY_TESTS);
    assert_int_equal(v.mutants[i].verdicts[3].output, 20);
  }
  view_free(&v);
  db_close(copy);
  fixture_forget(path);
  free(one);
  free(mutants);
  free(ids);
  db_program_free(&p);
  model_free(&m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_status_names), TEST(test_mutants_of_a_run),         TEST(test_shards_come_together),
      TEST(test_the_newest_run_decides),   TEST(test_a_mutant_of_two_programs), TEST(test_mutants_are_stored_once),
      TEST(test_going_on_with_a_run),      TEST(test_a_duplicate_hands_over),   TEST(test_many_mutants),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
