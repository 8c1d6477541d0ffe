/* Merging states of one run: a run that went on after it was merged is brought up to date, in any order, any number of
 * times. Databases are compared by all that they hold, told without row ids. */
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

#include "base/buffer.h"
#include "db/internal.h"
#include "tests/fixtures/add_finding.h"
#include "tests/fixtures/amplify_fixture.h"
#include "tests/fixtures/ok.h"
#include "tests/fixtures/report_fixture.h"

enum { STATES = 4 };

/* --- all that a database holds -------------------------------------------------------------------------------- */

static const char *const contents[] = {
    "SELECT 'run', uuid, device, exit, settings, revision FROM run",
    "SELECT 'test', suite, name, status, timed_out FROM test_case",
    "SELECT 'mutant', m.identity, m.operator, f.name, s.name, s.sha, k.name FROM mutant m LEFT JOIN function f"
    " ON f.id = m.function JOIN (SELECT id, sha256 AS sha, '' AS name FROM file) s ON s.id = m.file"
    " JOIN mutant_kernel x ON x.mutant = m.id JOIN kernel k ON k.id = x.kernel",
    "SELECT 'word', m.identity, r.status, r.reason, o.identity FROM run_mutant r JOIN mutant m ON m.id = r.mutant"
    " LEFT JOIN mutant o ON o.id = r.original",
    "SELECT 'verdict', t.name, m.identity, v.runs, v.output, v.crash, v.timeout, v.replayed, v.revealed, "
    "v.revealed_key, v.reused, v.key FROM "
    "verdict v"
    " JOIN test_case t ON t.id = v.test_case JOIN mutant m ON m.id = v.mutant",
    "SELECT 'code', key, built, digest FROM code",
    "SELECT 'launches', t.name, k.name, l.launches FROM launch l JOIN test_case t ON t.id = l.test_case"
    " JOIN kernel k ON k.id = l.kernel",
    "SELECT 'evidence', t.name, k.name, s.offset, s.kind, x.outcome FROM evidence x"
    " JOIN test_case t ON t.id = x.test_case JOIN kernel k ON k.id = x.kernel JOIN site s ON s.id = x.site",
    "SELECT 'finding', t.name, k.name, s.offset, x.rule, x.message FROM finding x"
    " JOIN test_case t ON t.id = x.test_case JOIN kernel k ON k.id = x.kernel JOIN site s ON s.id = x.site",
    "SELECT 'skipped', program, reason FROM skipped",
    "SELECT 'unstable', t.name, u.what, u.share FROM unstable u JOIN test_case t ON t.id = u.test_case",
    "SELECT 'launch', t.name, k.name, n.number, n.groups, n.together, n.skipped, s.ordering, s.target, s.verdict,"
    " s.outcomes, x.text, o.ordering FROM nth_launch n JOIN test_case t ON t.id = n.test_case"
    " JOIN kernel k ON k.id = n.kernel LEFT JOIN schedule s ON s.launch = n.id LEFT JOIN explanation x"
    " ON x.schedule = s.id LEFT JOIN schedule o ON o.id = x.other",
};

static int compare_lines(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

static char *row_text(sqlite3_stmt *row) {
  buffer line = {0};
  for (int i = 0; i < sqlite3_column_count(row); i++) {
    const unsigned char *value = sqlite3_column_text(row, i);
    buffer_printf(&line, "%s|", value == NULL ? "-" : (const char *)value);
  }
  return buffer_take(&line);
}

/* One line a row, sorted. */
static char *dump(const db *d) {
  static char *lines[4096];
  size_t count = 0;
  buffer all = {0};
  for (size_t i = 0; i < sizeof contents / sizeof contents[0]; i++) {
    sqlite3_stmt *row = NULL;
    assert_int_equal(sqlite3_prepare_v2(d->handle, contents[i], -1, &row, NULL), SQLITE_OK);
    while (sqlite3_step(row) == SQLITE_ROW && count < sizeof lines / sizeof lines[0]) lines[count++] = row_text(row);
    assert_int_equal(sqlite3_finalize(row), SQLITE_OK);
  }
  qsort(lines, count, sizeof lines[0], compare_lines);
  for (size_t i = 0; i < count; i++) {
    buffer_printf(&all, "%s\n", lines[i]);
    free(lines[i]);
  }
  return buffer_take(&all);
}

/* --- databases -------------------------------------------------------------------------------------------------- */

static db *fresh(char **path) {
  error e;
  db *d = NULL;
  *path = fixture_path("fresh.db");
  OK(db_open(&d, *path, DB_WRITE, &e));
  return d;
}

static void forget(db *d, char *path) {
  db_close(d);
  fixture_forget(path);
}

/* What `from` holds now, in a database of its own. */
static db *copy_of(db *from, char **path) {
  error e;
  OK(db_commit(from, &e));
  char *text = dump(from);
  db *d = fresh(path);
  sqlite3_backup *backup = sqlite3_backup_init(d->handle, "main", from->handle, "main");
  assert_non_null(backup);
  assert_int_equal(sqlite3_backup_step(backup, -1), SQLITE_DONE);
  assert_int_equal(sqlite3_backup_finish(backup), SQLITE_OK);
  char *copied = dump(d);
  assert_string_equal(text, copied);
  free(text);
  free(copied);
  return d;
}

/* A run, as it was at several times. */
typedef struct history {
  db *states[STATES];
  char *paths[STATES];
  size_t count;
} history;

static void remember(history *h, db *d) {
  h->states[h->count] = copy_of(d, &h->paths[h->count]);
  h->count++;
}

static void forget_all(history *h) {
  for (size_t i = 0; i < h->count; i++) forget(h->states[i], h->paths[i]);
}

/* Merges states in an order, given by their digits, and expects `wanted`. */
static void expect_merged(const history *h, const char *order, const char *wanted) {
  error e;
  char *path = NULL;
  db *all = fresh(&path);
  for (const char *c = order; *c != '\0'; c++) {
    size_t merged = 0;
    OK(db_merge(all, h->states[*c - '0'], &merged, &e));
    OK(db_merge(all, h->states[*c - '0'], &merged, &e));
    assert_int_equal(merged, 0);
  }
  char *text = dump(all);
  assert_string_equal(text, wanted);
  free(text);
  forget(all, path);
}

/* Every order of three states ends in the last state. */
static void expect_last(const history *h) {
  static const char *const orders[] = {"2", "012", "021", "102", "120", "201", "210", "0122", "2021", "210012"};
  char *wanted = dump(h->states[2]);
  assert_int_equal(h->count, 3);
  for (size_t i = 0; i < sizeof orders / sizeof orders[0]; i++) expect_merged(h, orders[i], wanted);
  free(wanted);
}

/* --- mutants ---------------------------------------------------------------------------------------------------- */

enum { FIRST, SECOND, THIRD, FOURTH, MUTANTS };

typedef struct campaign {
  db *d;
  char *path;
  int64_t run, tests[2], ids[MUTANTS];
} campaign;

/* A run of four mutants that are pending, and two test cases. */
static void begin_campaign(campaign *c) {
  error e;
  model m;
  db_program p;
  c->d = fresh(&c->path);
  fixture_conv(&m);
  db_mutant *mutants = fixture_mutants(&m);
  OK(db_begin_run(c->d, "mutate", "0.1", &c->run, &e));
  OK(db_set_revision(c->d, c->run, "0123abcd", &e));
  OK(db_set_settings(c->d, c->run, "runs=20", &e));
  OK(db_add_program(c->d, c->run, &m, &p, &e));
  OK(db_add_mutants(c->d, &p, &m, mutants, MUTANTS, c->ids, &e));
  OK(db_begin_test_case(c->d, c->run, "suite", "same", "./conv", &c->tests[0], &e));
  OK(db_begin_test_case(c->d, c->run, "suite", "same", "./conv", &c->tests[1], &e));
  for (size_t i = 0; i < MUTANTS; i++) OK(db_set_mutant(c->d, c->run, c->ids[i], MUTANT_PENDING, "", 0, &e));
  free(mutants);
  db_program_free(&p);
  model_free(&m);
}

static void verdict(campaign *c, size_t test, size_t mutant, uint32_t runs, uint32_t output) {
  error e;
  char key[32];
  (void)snprintf(key, sizeof key, "%zu %zu %u", test, mutant, (unsigned)output);
  OK(db_put_verdict(c->d, c->tests[test], c->ids[mutant],
                    &(mutant_verdict){.runs = runs, .output = output, .replayed = runs}, &e));
  OK(db_keep_verdict(c->d, c->tests[test], c->ids[mutant], key, mutant == SECOND, &e));
}

static void decide(campaign *c, size_t mutant, mutant_status status, const char *reason, int64_t original) {
  error e;
  OK(db_set_mutant(c->d, c->run, c->ids[mutant], status, reason, original, &e));
}

static void end_campaign(campaign *c, int status) {
  error e;
  OK(db_end_test_case(c->d, c->tests[0], 0, false, &e));
  OK(db_end_test_case(c->d, c->tests[1], 3, false, &e));
  OK(db_end_run(c->d, c->run, "a device", status, &e));
}

/* The program was asked whether it notices a mutant that it kills. */
static void reveal(campaign *c, size_t test, size_t mutant, mutant_revealed revealed) {
  error e;
  OK(db_keep_revealed(c->d, c->tests[test], c->ids[mutant], revealed, "a key", &e));
}

/* Merged while it ran, broken off, at its end. */
static void test_a_campaign_that_went_on(void **state) {
  (void)state;
  error e;
  campaign c;
  history h = {0};
  begin_campaign(&c);
  verdict(&c, 0, FIRST, 20, 20);
  decide(&c, FIRST, MUTANT_KILLED, "output", 0);
  verdict(&c, 0, SECOND, 7, 1); /* under way */
  OK(db_add_unstable(c.d, c.tests[0], "argument 1 of kernel conv2d", 0.25, &e));
  remember(&h, c.d);
  OK(db_put_code(c.d, "a key", &(db_code){true, "a digest"}, &e));
  verdict(&c, 1, SECOND, 20, 0);
  verdict(&c, 0, SECOND, 20, 1);
  decide(&c, SECOND, MUTANT_UNDECIDED, "output", 0);
  decide(&c, THIRD, MUTANT_DUPLICATE, "", c.ids[FIRST]);
  OK(db_add_unstable(c.d, c.tests[0], "argument 1 of kernel conv2d", 0.5, &e));
  remember(&h, c.d);
  verdict(&c, 0, FOURTH, 20, 0);
  decide(&c, FOURTH, MUTANT_SURVIVED, "", 0);
  end_campaign(&c, 2);
  remember(&h, c.d);
  expect_last(&h);
  forget_all(&h);
  forget(c.d, c.path);
}

/* Killed first, then asked: one test case, then the other. */
static void test_a_campaign_that_asks_what_is_revealed(void **state) {
  (void)state;
  campaign c;
  history h = {0};
  begin_campaign(&c);
  for (size_t test = 0; test < 2; test++) {
    verdict(&c, test, FIRST, 20, 20);
    verdict(&c, test, SECOND, 20, 20);
  }
  decide(&c, FIRST, MUTANT_KILLED, "output", 0);
  decide(&c, SECOND, MUTANT_KILLED, "output", 0);
  remember(&h, c.d);
  reveal(&c, 0, FIRST, REVEALED_NO);
  reveal(&c, 0, SECOND, REVEALED_YES);
  remember(&h, c.d);
  reveal(&c, 1, FIRST, REVEALED_NO);
  remember(&h, c.d);
  expect_last(&h);
  forget_all(&h);
  forget(c.d, c.path);
}

/* Two copies go on and disagree: that a mutant was noticed counts, as it was seen. */
static void test_copies_that_reveal_apart(void **state) {
  (void)state;
  campaign c;
  history h = {0};
  begin_campaign(&c);
  verdict(&c, 0, FIRST, 20, 20);
  decide(&c, FIRST, MUTANT_KILLED, "output", 0);
  remember(&h, c.d);
  campaign other = c;
  other.d = copy_of(h.states[0], &other.path);
  reveal(&c, 0, FIRST, REVEALED_NO);
  remember(&h, c.d);
  reveal(&other, 0, FIRST, REVEALED_YES);
  remember(&h, other.d);
  char *wanted = dump(other.d);
  expect_merged(&h, "012", wanted);
  expect_merged(&h, "210", wanted);
  expect_merged(&h, "12", wanted);
  expect_merged(&h, "21021", wanted);
  free(wanted);
  forget_all(&h);
  forget(other.d, other.path);
  forget(c.d, c.path);
}

/* A later start makes the runs of a pending mutant anew: what it decides counts, not the longer beginning before. */
static void test_a_mutant_that_was_begun_again(void **state) {
  (void)state;
  campaign c;
  history h = {0};
  begin_campaign(&c);
  remember(&h, c.d);
  verdict(&c, 0, FIRST, 19, 0);
  verdict(&c, 0, SECOND, 19, 0);
  remember(&h, c.d);
  verdict(&c, 0, FIRST, 2, 1);
  decide(&c, FIRST, MUTANT_UNDECIDED, "output", 0);
  verdict(&c, 0, SECOND, 20, 20);
  decide(&c, SECOND, MUTANT_KILLED, "output", 0);
  remember(&h, c.d);
  expect_last(&h);
  forget_all(&h);
  forget(c.d, c.path);
}

/* Two copies of a run go on apart: each brings what it decided, and where they disagree one of them counts whole. */
static void test_copies_that_went_on_apart(void **state) {
  (void)state;
  campaign c;
  history h = {0};
  begin_campaign(&c);
  remember(&h, c.d);
  verdict(&c, 0, FIRST, 20, 0);
  verdict(&c, 1, FIRST, 20, 0);
  decide(&c, FIRST, MUTANT_SURVIVED, "", 0);
  decide(&c, SECOND, MUTANT_EQUIVALENT, "", 0);
  remember(&h, c.d);
  campaign other = c;
  other.d = copy_of(h.states[0], &other.path);
  verdict(&other, 0, FIRST, 20, 20);
  decide(&other, FIRST, MUTANT_KILLED, "output", 0);
  verdict(&other, 0, THIRD, 20, 20);
  decide(&other, THIRD, MUTANT_KILLED, "crash", 0);
  remember(&h, other.d);
  decide(&other, SECOND, MUTANT_EQUIVALENT, "", 0);
  char *wanted = dump(other.d);
  expect_merged(&h, "012", wanted);
  expect_merged(&h, "210", wanted);
  expect_merged(&h, "12", wanted);
  expect_merged(&h, "21021", wanted);
  free(wanted);
  forget_all(&h);
  forget(other.d, other.path);
  forget(c.d, c.path);
}

/* Only mutants of the run come along, and the original of a duplicate. */
static void test_other_shards_mutants_stay(void **state) {
  (void)state;
  error e;
  campaign c;
  size_t merged = 0;
  char *path = NULL;
  begin_campaign(&c);
  int64_t run = 0;
  OK(db_begin_run(c.d, "mutate", "0.1", &run, &e));
  db *all = fresh(&path);
  OK(db_merge(all, c.d, &merged, &e));
  assert_int_equal(merged, 2);
  OK(sqlite3_exec(c.d->handle, "DELETE FROM run_mutant WHERE mutant <> 3", NULL, NULL, NULL) == SQLITE_OK ? 0 : -1);
  decide(&c, THIRD, MUTANT_DUPLICATE, "", c.ids[FIRST]);
  forget(all, path);
  all = fresh(&path);
  OK(db_merge(all, c.d, &merged, &e));
  int64_t count = 0;
  sqlite3_stmt *row = NULL;
  assert_int_equal(sqlite3_prepare_v2(all->handle, "SELECT count(*) FROM mutant", -1, &row, NULL), SQLITE_OK);
  assert_int_equal(sqlite3_step(row), SQLITE_ROW);
  count = sqlite3_column_int64(row, 0);
  (void)sqlite3_finalize(row);
  assert_int_equal(count, 2);
  forget(all, path);
  forget(c.d, c.path);
}

/* --- coverage, schedules ---------------------------------------------------------------------------------------- */

static void test_coverage_that_went_on(void **state) {
  (void)state;
  error e;
  model conv;
  db_program p;
  int64_t run, first, second;
  char *path = NULL;
  history h = {0};
  db *d = fresh(&path);
  fixture_conv(&conv);
  OK(db_begin_run(d, "coverage", "0.1", &run, &e));
  OK(db_begin_test_case(d, run, "", "a", "./a", &first, &e));
  remember(&h, d);
  OK(db_add_program(d, run, &conv, &p, &e));
  fixture_evidence(d, first, &p, 0, 2, (const model_term[]){{CONV_KERNEL, 0}, {CONV_IF, OUTCOME_TRUE}}, 2);
  remember(&h, d);
  fixture_evidence(d, first, &p, 0, 3, (const model_term[]){{CONV_IF, OUTCOME_FALSE}}, 1);
  OK(add_finding(d, first, p.kernels[0], p.sites[CONV_IF], "rule", "what", &e));
  OK(db_end_test_case(d, first, 0, false, &e));
  OK(db_begin_test_case(d, run, "", "b", "./b", &second, &e));
  fixture_evidence(d, second, &p, 0, 1, (const model_term[]){{CONV_KERNEL, 0}}, 1);
  OK(db_add_skipped(d, run, "a program", "no source", &e));
  OK(db_end_test_case(d, second, 139, true, &e));
  OK(db_end_run(d, run, "a device", 4, &e));
  remember(&h, d);
  expect_last(&h);
  forget_all(&h);
  db_program_free(&p);
  model_free(&conv);
  forget(d, path);
}

static void test_amplification_that_went_on(void **state) {
  (void)state;
  error e;
  amplify_fixture f;
  history h = {0};
  char *path = NULL;
  db *d = fresh(&path);
  amplify_begin(&f, d, "small");
  int64_t launch = amplify_launch(&f, f.conv.kernels[0], 0, 16, "");
  int64_t schedule = amplify_schedule(&f, launch, "first", 4, "");
  remember(&h, d);
  (void)amplify_schedule(&f, launch, "first", 4, ".x");
  (void)amplify_schedule(&f, launch, "reverse", 0, "..");
  remember(&h, d);
  int64_t reverse = amplify_schedule(&f, launch, "reverse", 0, "...");
  (void)amplify_schedule(&f, launch, "first", 4, ".xx");
  amplify_explain(&f, schedule, &(db_explanation){.text = "it differs", .other = reverse, .argument = "out"});
  (void)amplify_launch(&f, f.scan.kernels[0], 0, 1, "one work-group");
  OK(db_end_test_case(d, f.test, 0, false, &e));
  OK(db_end_run(d, f.run, "a device", 3, &e));
  remember(&h, d);
  expect_last(&h);
  forget_all(&h);
  amplify_end(&f);
  forget(d, path);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_a_campaign_that_went_on),   cmocka_unit_test(test_a_campaign_that_asks_what_is_revealed),
      cmocka_unit_test(test_copies_that_reveal_apart),  cmocka_unit_test(test_a_mutant_that_was_begun_again),
      cmocka_unit_test(test_copies_that_went_on_apart), cmocka_unit_test(test_other_shards_mutants_stay),
      cmocka_unit_test(test_coverage_that_went_on),     cmocka_unit_test(test_amplification_that_went_on),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
