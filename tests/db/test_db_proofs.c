/* Proofs in the database: all of a proof and of its findings comes back, is replaced, found again by its key, migrated
 * and merged; of several runs the newest counts. */
/* cmocka.h wants these before it. */
/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
/* clang-format on */
#include <stdlib.h>
#include <string.h>

#include "db/internal.h"
#include "tests/fixtures/db_fixture.h"
#include "tests/fixtures/ok.h"
#include "tests/fixtures/proof_fixture.h"

/* --- what comes back ------------------------------------------------------------------------------------------- */

static void expect_part(const view *v, const db_proof_part *part, const char *text, const char *file, uint32_t line) {
  assert_string_equal(part->text, text);
  assert_string_equal(part->file == MODEL_NONE ? "" : v->files[part->file].name, file);
  assert_int_equal(part->line, line);
}

/* Their order is that of the files in the database. */
static const db_proof *proof_named(const view *v, const char *name) {
  for (size_t i = 0; i < v->proof_count; i++)
    if (strcmp(v->proofs[i].name, name) == 0) return &v->proofs[i];
  fail_msg("there is no proof of %s", name);
  return NULL;
}

static void expect_conv(const view *v) {
  const db_proof *p = proof_named(v, "conv2d");
  assert_string_equal(v->kernels[p->kernel].name, "conv2d");
  assert_string_equal(v->files[p->file].name, "src/conv.cl");
  assert_int_equal(p->line, 3);
  assert_string_equal(p->verdict, "verified");
  assert_string_equal(p->reason, "");
  assert_int_equal(p->parts[PROOF_PRECONDITION].count, 2);
  expect_part(v, &p->parts[PROOF_PRECONDITION].list[0], "n == get_global_size(0)", "", 0);
  expect_part(v, &p->parts[PROOF_PRECONDITION].list[1], "n > 2", "", 0);
  assert_int_equal(p->parts[PROOF_ASSUMPTION].count, 1);
  expect_part(v, &p->parts[PROOF_INVARIANT].list[0], "k >= 0", "src/conv.cl", 8);
  assert_int_equal(p->parts[PROOF_BARRIER].count, 2);
  expect_part(v, &p->parts[PROOF_BARRIER].list[0], "redundant", "src/conv.cl", 27);
  assert_int_equal(p->parts[PROOF_BARRIER].list[0].column, 5);
  assert_int_equal(p->launches, 2);
  assert_int_equal(p->proved, 2);
  assert_true(p->seconds > 0.24 && p->seconds < 0.26);
  assert_int_equal(p->queries, 7);
  assert_int_equal(p->memory, 12345678);
  assert_false(p->reused);
}

static void expect_race(const view *v, const db_finding *f) {
  assert_string_equal(f->rule, "data-race");
  assert_true(f->proved && f->possible);
  assert_ptr_equal(&v->proofs[f->proof], proof_named(v, "scan"));
  assert_int_equal(f->confirmed, CONFIRMED_UNKNOWN);
  assert_string_equal(f->confirmation, "");
  assert_int_equal(f->place_count, 2);
  assert_string_equal(f->places[0].local, "3,0,0");
  assert_string_equal(f->places[0].group, "0,0,0");
  assert_string_equal(f->places[0].condition, "");
  assert_int_equal(f->places[0].inlined_count, 0);
  assert_string_equal(f->places[1].condition, "i < n");
  assert_int_equal(f->places[1].inlined_count, 1);
  assert_string_equal(v->files[f->places[1].file].name, "src/common.h");
  assert_string_equal(v->files[f->places[1].inlined[0].file].name, "src/scan.cl");
  assert_int_equal(f->places[1].inlined[0].line, 3);
  assert_int_equal(f->places[1].inlined[0].column, 11);
  assert_int_equal(f->path_count, 3);
  assert_int_equal(f->path[0].thread, 1);
  assert_int_equal(f->path[1].thread, 2);
  assert_string_equal(v->files[f->path[1].file].name, "src/common.h");
  assert_int_equal(f->path[1].line, 2);
  assert_int_equal(f->path[1].column, 7);
  assert_string_equal(f->path[2].text, "condition of the ?: is true");
}

static void expect_all(const view *v) {
  assert_int_equal(v->proof_count, FIXTURE_PROOFS);
  expect_conv(v);
  assert_string_equal(proof_named(v, "reduce_rows")->verdict, "divergence");
  assert_int_equal(proof_named(v, "reduce_rows")->launches, 0);
  assert_string_equal(proof_named(v, "scan")->reason, "the race depends on contents of index");
  assert_int_equal(v->finding_count, 3);
  expect_race(v, &v->findings[0]);
  assert_string_equal(v->findings[1].rule, "out-of-bounds");
  assert_false(v->findings[1].possible);
  assert_int_equal(v->findings[1].confirmed, CONFIRMED_NOT_LAUNCHABLE);
  assert_string_equal(v->findings[1].confirmation, "a work-group of 65 is larger than the device's");
  assert_ptr_equal(&v->proofs[v->findings[2].proof], proof_named(v, "reduce_rows"));
  assert_int_equal(v->findings[2].confirmed, CONFIRMED_YES);
  assert_false(v->covers);
}

static void test_all_comes_back(void **state) {
  fixture *f = *state;
  error e;
  view v;
  (void)fixture_proofs(f->d);
  OK(db_load(f->d, NULL, 0, &v, &e));
  expect_all(&v);
  view_free(&v);
  run_summary *runs;
  size_t count;
  OK(db_list_runs(f->d, &runs, &count, &e));
  assert_int_equal(count, 1);
  assert_string_equal(runs[0].program, "src/conv.cl"); /* it has no test case */
  db_free_runs(runs, count);
}

/* --- one a kernel and run ---------------------------------------------------------------------------------------- */

/* Proofs of `scan` alone, made by hand. */
typedef struct scan_run {
  model m;
  db_program p;
  int64_t run;
} scan_run;

static void begin(scan_run *r, db *d) {
  error e;
  fixture_scan(&r->m);
  OK(db_begin_run(d, "verify", "0.1", &r->run, &e));
  OK(db_add_program(d, r->run, &r->m, &r->p, &e));
}

static void end(scan_run *r) {
  db_program_free(&r->p);
  model_free(&r->m);
}

static int64_t add(db *d, const scan_run *r, const char *verdict, const char *key, const char *answer) {
  const db_proof proof = {.run = r->run,
                          .name = "scan",
                          .file = 0,
                          .line = 2,
                          .verdict = verdict,
                          .reason = "",
                          .key = key,
                          .answer = answer};
  int64_t row;
  error e;
  OK(db_add_proof(d, r->p.id, r->p.kernels[0], &proof, &row, &e));
  return row;
}

static void add_finding(db *d, const scan_run *r, int64_t proof) {
  const db_place place = {.role = "first", .access = "write", .file = 0, .line = 5, .column = 3};
  const db_step step = {1, 0, 3, 3, "on the way"};
  const db_finding f = {.of.run = r->run,
                        .of.program = r->p.id,
                        .of.kernel = r->p.kernels[0],
                        .rule = "data-race",
                        .message = "both write",
                        .places = &place,
                        .place_count = 1,
                        .path = &step,
                        .path_count = 1,
                        .of.proof = proof};
  error e;
  OK(db_put_finding(d, &f, &e));
}

static void test_a_later_word_replaces(void **state) {
  fixture *f = *state;
  scan_run r;
  error e;
  view v;
  begin(&r, f->d);
  add_finding(f->d, &r, add(f->d, &r, "race", NULL, NULL));
  OK(db_load(f->d, &r.run, 1, &v, &e));
  assert_int_equal(v.finding_count, 1);
  view_free(&v);
  (void)add(f->d, &r, "verified", NULL, NULL);
  OK(db_load(f->d, &r.run, 1, &v, &e));
  assert_int_equal(v.proof_count, 1);
  assert_string_equal(v.proofs[0].verdict, "verified");
  assert_int_equal(v.finding_count, 0); /* it belonged to what was said before */
  view_free(&v);
  end(&r);
}

/* A race that was seen and the same one proved are two findings; a proof of a newer run takes its own away. */
static void test_newest_run(void **state) {
  fixture *f = *state;
  scan_run old, new;
  error e;
  view v;
  begin(&old, f->d);
  add_finding(f->d, &old, 0);
  add_finding(f->d, &old, add(f->d, &old, "race", NULL, NULL));
  OK(db_load(f->d, &old.run, 1, &v, &e));
  assert_int_equal(v.finding_count, 2);
  assert_true(v.findings[0].proved != v.findings[1].proved);
  view_free(&v);
  begin(&new, f->d);
  (void)add(f->d, &new, "verified", NULL, NULL);
  const int64_t both[] = {old.run, new.run};
  OK(db_load(f->d, both, 2, &v, &e));
  assert_int_equal(v.proof_count, 1);
  assert_string_equal(v.proofs[0].verdict, "verified");
  assert_int_equal(v.proofs[0].run, new.run);
  assert_int_equal(v.finding_count, 1);
  assert_false(v.findings[0].proved);
  view_free(&v);
  end(&old);
  end(&new);
}

static void expect_answer(db *d, const char *key, const char *wanted) {
  char *answer;
  error e;
  OK(db_find_proof(d, key, &answer, &e));
  if (wanted == NULL) {
    assert_null(answer);
  } else {
    assert_non_null(answer);
    assert_string_equal(answer, wanted);
  }
  free(answer);
}

static void test_keys(void **state) {
  fixture *f = *state;
  scan_run r, later;
  expect_answer(f->d, "k", NULL);
  begin(&r, f->d);
  (void)add(f->d, &r, "verified", "k", "first");
  expect_answer(f->d, "k", "first");
  expect_answer(f->d, "", NULL);
  begin(&later, f->d);
  (void)add(f->d, &later, "verified", "k", NULL); /* taken over: it keeps no answer of its own */
  expect_answer(f->d, "k", "first");
  (void)add(f->d, &later, "verified", "", "without a key");
  expect_answer(f->d, "", NULL);
  end(&r);
  end(&later);
}

static void test_a_file_that_the_program_lacks(void **state) {
  fixture *f = *state;
  scan_run r;
  error e;
  view v;
  begin(&r, f->d);
  db_proof proof = {.run = r.run, .name = "scan", .file = 7, .verdict = "verified", .reason = ""};
  int64_t row;
  assert_int_equal(db_add_proof(f->d, r.p.id, 0, &proof, &row, &e), -1);
  assert_non_null(strstr(e.text, "does not have"));
  proof.file = MODEL_NONE; /* of a kernel that the model does not know, either */
  OK(db_add_proof(f->d, r.p.id, 0, &proof, &row, &e));
  OK(db_load(f->d, &r.run, 1, &v, &e));
  assert_int_equal(v.proof_count, 1);
  assert_int_equal(v.proofs[0].file, MODEL_NONE);
  assert_int_equal(v.proofs[0].kernel, MODEL_NONE);
  view_free(&v);
  end(&r);
}

/* --- merging, migrating ------------------------------------------------------------------------------------------ */

/* Into a database that has other rows under the same numbers; twice, as the second brings nothing. */
static void test_merging(void **state) {
  fixture *f = *state;
  char *path = fixture_path("into.db");
  scan_run r;
  db *into;
  error e;
  view v;
  size_t merged = 0;
  int64_t run = 0;
  (void)fixture_proofs(f->d);
  OK(db_open(&into, path, DB_WRITE, &e));
  begin(&r, into);
  add_finding(into, &r, add(into, &r, "race", NULL, NULL));
  for (int i = 0; i < 2; i++) {
    OK(db_merge(into, f->d, &merged, &e));
    assert_int_equal(merged, i == 0 ? 1 : 0);
  }
  run_summary *runs;
  size_t count;
  OK(db_list_runs(into, &runs, &count, &e));
  assert_int_equal(count, 2);
  run = runs[1].id;
  db_free_runs(runs, count);
  OK(db_load(into, &run, 1, &v, &e));
  expect_all(&v);
  view_free(&v);
  expect_answer(into, FIXTURE_KEY, FIXTURE_ANSWER);
  int64_t proof = 0;
  OK(db_find_cover(into, FIXTURE_COVER, &proof, &e));
  assert_true(proof > 0);
  OK(db_find_cover(into, "cover of nothing", &proof, &e));
  assert_true(proof == 0);
  db_close(into);
  fixture_forget(path);
  end(&r);
}

/* Of two states of one run the one that has come further says what is known, whichever is merged first. */
static void test_merging_states(void **state) {
  fixture *f = *state;
  char *path = fixture_path("early.db");
  scan_run r;
  db *early;
  error e;
  view v;
  size_t merged = 0;
  begin(&r, f->d);
  add_finding(f->d, &r, add(f->d, &r, "race", NULL, NULL));
  OK(db_open(&early, path, DB_WRITE, &e));
  OK(db_merge(early, f->d, &merged, &e));
  (void)add(f->d, &r, "verified", NULL, NULL);
  OK(db_end_run(f->d, r.run, "", 0, &e));
  for (int i = 0; i < 2; i++) { /* the later state into the earlier one, and the other way round */
    OK(db_merge(i == 0 ? early : f->d, i == 0 ? f->d : early, &merged, &e));
    OK(db_load(i == 0 ? early : f->d, NULL, 0, &v, &e));
    assert_int_equal(v.proof_count, 1);
    assert_string_equal(v.proofs[0].verdict, "verified");
    assert_int_equal(v.finding_count, 0);
    view_free(&v);
  }
  db_close(early);
  fixture_forget(path);
  end(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(test_all_comes_back), TEST(test_a_later_word_replaces),         TEST(test_newest_run),
      TEST(test_keys),           TEST(test_a_file_that_the_program_lacks), TEST(test_merging),
      TEST(test_merging_states),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
