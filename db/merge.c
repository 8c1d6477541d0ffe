/* Copying the runs of one database into another, or bringing up to date what it has of them. */
#include "db/merge.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

#define MERGE_MILLISECONDS 5000                    /* another process that writes waits up to twice as long */
#define CACHE_PRAGMA "PRAGMA cache_size = -262144" /* KiB at most */

/* --- row ids ------------------------------------------------------------------------------------------------ */

void merge_add_range(ranges *r, int64_t from, int64_t to, int64_t count) {
  if (count > 0) {
    *ARRAY_ADD(r->items, r->count, r->capacity) = (range){from, to, count};
  }
}

static int compare_ranges(const void *a, const void *b) {
  const range *x = a;
  const range *y = b;
  return (x->from > y->from) - (x->from < y->from);
}

void merge_sort_ranges(ranges *r) {
  if (r->count > 0) {
    qsort(r->items, r->count, sizeof *r->items, compare_ranges);
  }
}

/* An id against a range. */
static int compare_id(const void *id, const void *item) {
  int64_t key = *(const int64_t *)id;
  const range *r = item;
  return key < r->from                                             ? -1
         : (uint64_t)key - (uint64_t)r->from >= (uint64_t)r->count ? 1
                                                                   : 0; /* any ids, in a damaged file */
}

int64_t merge_translate(const ranges *r, int64_t from) {
  const range *found = r->count == 0 ? NULL : bsearch(&from, r->items, r->count, sizeof *r->items, compare_id);
  return found == NULL ? 0 : found->to + (from - found->from);
}

/* --- rows ---------------------------------------------------------------------------------------------------- */

/* What a column becomes in `d`: the column itself, its row, 0 for none. -1 on failure, else whether the row is copied. */
static int convert(merging *m, char how, sqlite3_stmt *row, int column, int64_t *id, error *e) {
  static const struct {
    char letter;
    size_t offset; /* of the ranges in `merging` */
    bool needed;
  } ids[] = {{'K', offsetof(merging, kernels), true},  {'S', offsetof(merging, sites), true},
             {'P', offsetof(merging, programs), true}, {'M', offsetof(merging, taken), true},
             {'k', offsetof(merging, kernels), false}, {'s', offsetof(merging, schedules), false},
             {'i', offsetof(merging, files), false},   {'n', offsetof(merging, functions), false}};
  if (how == 'F' || how == 'f') {
    const int found = sql_number(m->d, SQL_FIND_FILE, id, e, "t", (const char *)sqlite3_column_text(row, column));
    return found < 0 ? -1 : found == 1 || how == 'f';
  }
  for (size_t i = 0; i < sizeof ids / sizeof ids[0]; i++) {
    if (ids[i].letter == how) {
      *id = merge_translate((const ranges *)((const char *)m + ids[i].offset), sqlite3_column_int64(row, column));
      return *id != 0 || !ids[i].needed;
    }
  }
  return 1;
}

int merge_copy_row(merging *m, const merge_copy *c, int64_t owner, sqlite3_stmt *row, error *e) {
  sqlite3_stmt *insert = sql_bind(m->d, c->insert, e, "i", owner);
  const char *how = c->columns;
  int index = 2;
  for (int i = 0; insert != NULL && i < sqlite3_column_count(row); i++, how += how[1] != '\0' ? 1 : 0) {
    int64_t id = 0;
    const int copied = convert(m, *how, row, i, &id, e);
    if (copied != 1) {
      return copied;
    }
    int rc = SQLITE_OK;
    if (*how == '=') {
      rc = sqlite3_bind_value(insert, index++, sqlite3_column_value(row, i));
    } else if (*how != '-') {
      rc = id == 0 ? sqlite3_bind_null(insert, index++) : sqlite3_bind_int64(insert, index++, id);
    }
    if (rc != SQLITE_OK) {
      return db_failed(m->d, e);
    }
  }
  assert(insert == NULL || index == sqlite3_bind_parameter_count(insert) + 1);
  return insert == NULL ? -1 : sql_step(m->d, insert, e);
}

int merge_copies(merging *m, const merge_copy *c, int64_t key, int64_t owner, error *e) {
  int step = 0;
  sqlite3_stmt *row = sql_rows(m->from, c->rows, &step, e, "i", key);
  for (; step == 1; step = sql_step(m->from, row, e)) {
    if (merge_copy_row(m, c, owner, row, e) != 0) {
      (void)sqlite3_reset(row);
      return -1;
    }
  }
  return step;
}

int merge_rows(merging *m, sql which, int64_t key, int64_t owner, merge_row row, error *e) {
  int step = 0;
  sqlite3_stmt *statement = sql_rows(m->from, which, &step, e, "i", key);
  for (; step == 1; step = sql_step(m->from, statement, e)) {
    if (row(m, owner, statement, e) != 0) {
      (void)sqlite3_reset(statement);
      return -1;
    }
  }
  return step;
}

/* A nullable integer column, bound as it was. */
static int copy_nullable(sqlite3_stmt *to, int index, sqlite3_stmt *from, int column) {
  return sqlite3_bind_value(to, index, sqlite3_column_value(from, column));
}

/* How many test cases of the same names the run has before this one. */
static int same_before(merging *m, int64_t test_case, char *const names[3], int64_t *nth, error *e) {
  int64_t id = 0;
  int found = 1;
  for (*nth = 0; found == 1; ++*nth) {
    found = sql_number(m->from, SQL_FIND_TEST_CASE, &id, e, "ittti", m->run, names[0], names[1], names[2], *nth);
    if (found == 1 && id == test_case) {
      return 0;
    }
  }
  return found;
}

/* The test case of a known run that this one is: 1 found, 0 not, -1 failed. */
static int find_test_case(merging *m, int64_t old, char *const names[3], int64_t *new, error *e) {
  int64_t nth = 0;
  if (!m->known) {
    return 0;
  }
  return same_before(m, old, names, &nth, e) != 0
             ? -1
             : sql_number(m->d, SQL_FIND_TEST_CASE, new, e, "ittti", m->new_run, names[0], names[1], names[2], nth);
}

/* Runs a statement with `values` columns of a row, from `column` on, as its parameters from `index` on. */
static int run_with(merging *m, sqlite3_stmt *statement, int index, sqlite3_stmt *row, int column, int values,
                    error *e) {
  for (int i = 0; statement != NULL && i < values; i++) {
    if (copy_nullable(statement, index + i, row, column + i) != SQLITE_OK) {
      return db_failed(m->d, e);
    }
  }
  return statement == NULL ? -1 : sql_step(m->d, statement, e);
}

/* The test case in `d`: a new row, or the one that is there, with how it ended. */
static int place_test_case(merging *m, int64_t run, sqlite3_stmt *row, int64_t *new, error *e) {
  enum { NAMES = 4, STATUS = NAMES + 1, TIMED_OUT };
  char *names[NAMES];
  for (int i = 0; i < NAMES; i++) {
    names[i] = sql_text(row, i + 1);
  }
  int found = find_test_case(m, sqlite3_column_int64(row, 0), names, new, e);
  int result = found < 0 ? -1 : 0;
  if (found == 0) {
    sqlite3_stmt *insert = sql_bind(m->d, SQL_COPY_TEST_CASE, e, "itttt", run, names[0], names[1], names[2], names[3]);
    result = run_with(m, insert, NAMES + 2, row, STATUS, 2, e);
    *new = sqlite3_last_insert_rowid(m->d->handle);
  } else if (found == 1 && sqlite3_column_type(row, STATUS) != SQLITE_NULL) {
    result = sql_run(m->d, SQL_UPDATE_TEST_CASE, e, "iiii", *new, sqlite3_column_int64(row, STATUS),
                     sqlite3_column_int64(row, TIMED_OUT), (int64_t)m->newer);
  }
  for (int i = 0; i < NAMES; i++) {
    free(names[i]);
  }
  return result;
}

/* Of two verdicts that say as much the order of columns decides, so that the result does not depend on which comes
 * first. */
static const merge_copy of_test_case[] = {
    {SQL_LAUNCHES, SQL_MERGE_LAUNCHES, "K="},
    {SQL_EVIDENCE, SQL_ADD_EVIDENCE, "KS="},
    {SQL_VERDICTS, SQL_MERGE_VERDICT, "M="},
    {SQL_UNSTABLE, SQL_MERGE_UNSTABLE, "="},
};

static int test_case_row(merging *m, int64_t run, sqlite3_stmt *row, error *e) {
  int64_t old = sqlite3_column_int64(row, 0);
  int64_t new = 0;
  int result = place_test_case(m, run, row, &new, e);
  for (size_t i = 0; result == 0 && i < sizeof of_test_case / sizeof of_test_case[0]; i++) {
    result = merge_copies(m, &of_test_case[i], old, new, e);
  }
  if (result == 0 && m->newer) { /* what the database that knows more says alone */
    result = merge_rows(m, SQL_NTH_LAUNCHES, old, new, merge_nth_launch, e);
    merge_sort_ranges(&m->schedules);
  }
  return result == 0 ? merge_rows(m, SQL_FINDINGS, old, new, merge_finding, e) : result;
}

/* --- what a run knows of its mutants ------------------------------------------------------------------------ */

/* Of two words on a mutant in the same run the one with the higher weight counts: a decision before none, and of two
 * decisions (a run that was gone on with from two copies) the same one in whatever order they are merged. What a
 * mutant's code says is known later than what its runs say, and counts more. */
static unsigned weight(const char *status) {
  const mutant_status s = db_mutant_status(status);
  const bool by_code = s == MUTANT_EQUIVALENT || s == MUTANT_DUPLICATE || s == MUTANT_INVALID;
  return s == MUTANT_PENDING ? 0 : (unsigned)MUTANT_STATUSES * (by_code ? 2 : 1) - (unsigned)s;
}

/* Above 0: `from` knows more, below: `d` does, 0: both say the same. `*result` is -1 on failure. */
static int compare_words(merging *m, int64_t mutant, sqlite3_stmt *row, int *result, error *e) {
  sqlite3_stmt *known = m->known ? sql_bind(m->d, SQL_GET_RUN_MUTANT, e, "ii", m->new_run, mutant) : NULL;
  int step = !m->known ? 0 : known == NULL ? -1 : sql_step(m->d, known, e);
  *result = step < 0 ? -1 : 0;
  if (step != 1) {
    return 1;
  }
  unsigned here = weight((const char *)sqlite3_column_text(known, 0));
  unsigned there = weight((const char *)sqlite3_column_text(row, 1));
  int by_reason = strcmp((const char *)sqlite3_column_text(row, 2), (const char *)sqlite3_column_text(known, 1));
  (void)sqlite3_reset(known);
  return here != there ? (there > here ? 1 : -1) : by_reason;
}

static int run_mutant_row(merging *m, int64_t run, sqlite3_stmt *row, error *e) {
  int64_t old = sqlite3_column_int64(row, 0);
  int64_t mutant = merge_translate(&m->mutants, old);
  int64_t original = merge_translate(&m->mutants, sqlite3_column_int64(row, 3));
  int result = 0;
  int more = mutant == 0 ? -1 : compare_words(m, mutant, row, &result, e);
  if (result != 0 || more < 0) {
    return result;
  }
  merge_add_range(&m->taken, old, mutant, 1);
  if (more > 0 && m->known) {
    m->newer_words++;
    result = sql_run(m->d, SQL_DROP_VERDICTS, e, "ii", run, mutant);
  }
  if (more > 0 && result == 0) {
    result = sql_run(m->d, SQL_SET_MUTANT, e, "iittr", run, mutant, (const char *)sqlite3_column_text(row, 1),
                     (const char *)sqlite3_column_text(row, 2), original);
  }
  const char *code = (const char *)sqlite3_column_text(row, 4);
  return result != 0 || code == NULL ? result : sql_run(m->d, SQL_SET_MUTANT_CODE, e, "tii", code, run, mutant);
}

/* --- runs --------------------------------------------------------------------------------------------------- */

/* How far a run has come, as two numbers, of which the first counts more. */
static int read_progress(db *d, int64_t run, double progress[2], error *e) {
  int step = 0;
  sqlite3_stmt *row = sql_rows(d, SQL_RUN_PROGRESS, &step, e, "i", run);
  if (step == 1) {
    progress[0] = sqlite3_column_double(row, 0);
    progress[1] = sqlite3_column_double(row, 1);
    (void)sqlite3_reset(row);
  }
  return step < 0 ? -1 : 0;
}

static int update_run(merging *m, sqlite3_stmt *row, error *e) {
  double here[2] = {0};
  double there[2] = {0};
  if (read_progress(m->d, m->new_run, here, e) != 0 || read_progress(m->from, m->run, there, e) != 0) {
    return -1;
  }
  m->newer = there[0] > here[0] || (there[0] == here[0] && there[1] > here[1]);
  sqlite3_stmt *update = sql_bind(m->d, SQL_UPDATE_RUN, e, "i", m->new_run);
  if (update != NULL && sqlite3_bind_int(update, 5, m->newer) != SQLITE_OK) {
    return db_failed(m->d, e);
  }
  return run_with(m, update, 2, row, 4, 3, e);
}

/* The run in `d`: a new row, or the one that is there, with how it ended. */
static int place_run(merging *m, error *e) {
  int step = 0;
  sqlite3_stmt *row = sql_rows(m->from, SQL_GET_RUN, &step, e, "i", m->run);
  if (step != 1) {
    return step < 0
               ? -1
               : error_set(e, EXIT_USAGE,
                           "%s is damaged (run %lld is listed and is not there); delete it or name another database",
                           m->from->path, (long long)m->run);
  }
  int found = sql_number(m->d, SQL_RUN_BY_UUID, &m->new_run, e, "t", (const char *)sqlite3_column_text(row, 0));
  int result = found < 0 ? -1 : 0;
  m->known = found == 1;
  m->newer = !m->known;
  if (found == 0) {
    result = run_with(m, sql_bind(m->d, SQL_COPY_RUN, e, ""), 1, row, 0, 8, e);
    m->new_run = sqlite3_last_insert_rowid(m->d->handle);
  } else if (found == 1) {
    result = update_run(m, row, e);
  }
  (void)sqlite3_reset(row);
  return result;
}

static int copy_parts(merging *m, error *e) {
  static const merge_copy of_run[] = {
      {SQL_REPAIRS, SQL_ADD_REPAIR, "--P="},
      {SQL_SKIPPED, SQL_ADD_SKIPPED, "-="},
      {SQL_REFUSED, SQL_MERGE_REFUSED, "-="},
  };
  if (place_run(m, e) != 0 || merge_programs(m, e) != 0 || merge_mutants(m, e) != 0 ||
      merge_rows(m, SQL_RUN_MUTANTS, m->run, m->new_run, run_mutant_row, e) != 0 ||
      merge_rows(m, SQL_PROOFS, m->run, m->new_run, merge_proof, e) != 0 ||
      merge_rows(m, SQL_TEST_CASES, m->run, m->new_run, test_case_row, e) != 0 ||
      merge_rows(m, SQL_RUN_FINDINGS, m->run, m->new_run, merge_run_finding, e) != 0) {
    return -1;
  }
  for (size_t i = 0; i < sizeof of_run / sizeof of_run[0]; i++) {
    if (merge_copies(m, &of_run[i], m->run, m->new_run, e) != 0) {
      return -1;
    }
  }
  return m->newer && merge_explanations(m, e) != 0 ? -1 : 0;
}

/* One run, whole or not at all. */
static int copy_run(merging *m, size_t *merged, error *e) {
  if (db_begin_write(m->d, e) != 0) {
    return -1;
  }
  m->schedules.count = 0;
  m->taken.count = 0;
  m->proofs.count = 0;
  m->newer_words = 0;
  const int result = db_end_write(m->d, copy_parts(m, e), e);
  *merged += result == 0 && (m->newer || m->newer_words > 0) ? 1 : 0;
  return result;
}

/* What is kept beside runs: answers of compilers, digests of code. */
static int copy_remembered(merging *m, error *e) {
  static const sql remembered[][2] = {{SQL_ALL_FACTS, SQL_PUT_FACT}, {SQL_ALL_CODES, SQL_PUT_CODE}};
  int step = db_begin_write(m->d, e);
  if (step != 0) {
    return -1;
  }
  for (size_t i = 0; step == 0 && i < sizeof remembered / sizeof remembered[0]; i++) {
    sqlite3_stmt *row = sql_rows(m->from, remembered[i][0], &step, e, "");
    for (; step == 1; step = sql_step(m->from, row, e)) {
      if (run_with(m, sql_bind(m->d, remembered[i][1], e, ""), 1, row, 0, sqlite3_column_count(row), e) != 0) {
        (void)sqlite3_reset(row);
        return db_end_write(m->d, -1, e);
      }
    }
  }
  return db_end_write(m->d, step, e);
}

/* Keys look random, so each shard changes pages all over their indices: many shards in a transaction, and room for
 * these pages, save most of the writing. A merge that is cut short is done again. */
static void widen(db *d) {
  d->patience = MERGE_MILLISECONDS;
  (void)sqlite3_exec(d->handle, CACHE_PRAGMA, NULL, NULL, NULL);
}

int db_merge(db *d, db *from, size_t *merged, error *e) {
  *merged = 0;
  if (d == from) {
    return 0;
  }
  merging m = {.d = d, .from = from};
  widen(d);
  run_summary *runs = NULL;
  size_t count = 0;
  if (db_list_runs(from, &runs, &count, e) != 0 || db_begin_read(from, e) != 0) {
    db_free_runs(runs, count);
    return -1;
  }
  int result = 0;
  for (size_t i = 0; result == 0 && i < count; i++) {
    m.run = runs[i].id;
    result = copy_run(&m, merged, e);
  }
  if (result == 0) {
    result = copy_remembered(&m, e);
  }
  db_end_read(from);
  db_free_runs(runs, count);
  ranges *const all[] = {&m.programs, &m.files, &m.functions, &m.sites, &m.kernels,
                         &m.mutants,  &m.taken, &m.schedules, &m.proofs};
  for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
    free(all[i]->items);
  }
  return result;
}
