/* Copying the runs of one database into another. */
#include "db/merge.h"

#include <stdlib.h>

#include "base/memory.h"

void merge_add_pair(pairs *p, int64_t from, int64_t to) {
  *ARRAY_ADD(p->items, p->count, p->capacity) = (pair){from, to};
}

static int compare_pairs(const void *a, const void *b) {
  const pair *x = a;
  const pair *y = b;
  return (x->from > y->from) - (x->from < y->from);
}

void merge_sort_pairs(pairs *p) {
  if (p->count > 0) {
    qsort(p->items, p->count, sizeof *p->items, compare_pairs);
  }
}

int64_t merge_translate(const pairs *p, int64_t from) {
  const pair key = {from, 0};
  const pair *found = p->count == 0 ? NULL : bsearch(&key, p->items, p->count, sizeof key, compare_pairs);
  return found == NULL ? 0 : found->to;
}

/* Mutants of a program, whether runs have them or not: a duplicate's original may be another shard's. */
static int copy_mutants(merging *m, const model *program, const db_program *from, const db_program *to, error *e) {
  db_mutant *mutants = NULL;
  int64_t *ids = NULL;
  size_t count = 0;
  int result = db_read_mutants(m->from, from, program, &mutants, &ids, &count, e);
  int64_t *new_ids = mem_calloc(count, sizeof *new_ids);
  result = result == 0 ? db_add_mutants(m->d, to, program, mutants, count, new_ids, e) : result;
  for (size_t i = 0; result == 0 && i < count; i++) {
    merge_add_pair(&m->mutants, ids[i], new_ids[i]);
  }
  db_free_mutants(mutants, count);
  free(ids);
  free(new_ids);
  return result;
}

static int copy_program(merging *m, int64_t program, error *e) {
  model copy;
  db_program from;
  db_program to = {0};
  int result = db_read_program(m->from, program, &copy, &from, e);
  if (result == 0) {
    result = db_add_program(m->d, m->new_run, &copy, &to, e);
  }
  if (result == 0) {
    result = copy_mutants(m, &copy, &from, &to, e);
  }
  for (size_t i = 0; result == 0 && i < copy.kernel_count; i++) {
    merge_add_pair(&m->kernels, from.kernels[i], to.kernels[i]);
  }
  for (size_t i = 0; result == 0 && i < copy.site_count; i++) {
    merge_add_pair(&m->sites, from.sites[i], to.sites[i]);
  }
  model_free(&copy);
  db_program_free(&from);
  db_program_free(&to);
  return result;
}

static int copy_programs(merging *m, error *e) {
  id_list programs = {0};
  int result = db_read_ids(m->from, SQL_RUN_PROGRAMS, m->run, &programs, e);
  m->kernels.count = 0;
  m->sites.count = 0;
  m->mutants.count = 0;
  for (size_t i = 0; result == 0 && i < programs.count; i++) {
    result = copy_program(m, programs.ids[i], e);
  }
  free(programs.ids);
  merge_sort_pairs(&m->kernels);
  merge_sort_pairs(&m->sites);
  merge_sort_pairs(&m->mutants);
  return result;
}

/* --- the rows of a test case -------------------------------------------------------------------------------- */

static int launch_row(merging *m, int64_t test_case, sqlite3_stmt *row, error *e) {
  int64_t kernel = merge_translate(&m->kernels, sqlite3_column_int64(row, 0));
  return kernel == 0
             ? 0
             : sql_run(m->d, SQL_ADD_LAUNCHES, e, "iii", test_case, kernel, (int64_t)sqlite3_column_int64(row, 1));
}

static int evidence_row(merging *m, int64_t test_case, sqlite3_stmt *row, error *e) {
  int64_t kernel = merge_translate(&m->kernels, sqlite3_column_int64(row, 0));
  int64_t site = merge_translate(&m->sites, sqlite3_column_int64(row, 1));
  return kernel == 0 || site == 0
             ? 0
             : sql_run(m->d, SQL_ADD_EVIDENCE, e, "iiiu", test_case, kernel, site, sql_u32(row, 2));
}

static int finding_row(merging *m, int64_t test_case, sqlite3_stmt *row, error *e) {
  int64_t kernel = merge_translate(&m->kernels, sqlite3_column_int64(row, 0));
  int64_t site = merge_translate(&m->sites, sqlite3_column_int64(row, 1));
  return sql_run(m->d, SQL_ADD_FINDING, e, "irrtt", test_case, kernel, site, (const char *)sqlite3_column_text(row, 2),
                 (const char *)sqlite3_column_text(row, 3));
}

static int verdict_row(merging *m, int64_t test_case, sqlite3_stmt *row, error *e) {
  int64_t mutant = merge_translate(&m->mutants, sqlite3_column_int64(row, 0));
  const char *key = (const char *)sqlite3_column_text(row, 7);
  if (mutant == 0) {
    return 0;
  }
  int result = sql_run(m->d, SQL_PUT_VERDICT, e, "iiuuuuu", test_case, mutant, sql_u32(row, 1), sql_u32(row, 2),
                       sql_u32(row, 3), sql_u32(row, 4), sql_u32(row, 5));
  return result != 0 || key == NULL
             ? result
             : sql_run(m->d, SQL_KEEP_VERDICT, e, "tiii", key, (int64_t)sqlite3_column_int(row, 6), test_case, mutant);
}

static int unstable_row(merging *m, int64_t test_case, sqlite3_stmt *row, error *e) {
  return sql_run(m->d, SQL_ADD_UNSTABLE, e, "itd", test_case, (const char *)sqlite3_column_text(row, 0),
                 sqlite3_column_double(row, 1));
}

static int run_mutant_row(merging *m, int64_t run, sqlite3_stmt *row, error *e) {
  int64_t mutant = merge_translate(&m->mutants, sqlite3_column_int64(row, 0));
  int64_t original = merge_translate(&m->mutants, sqlite3_column_int64(row, 3));
  return mutant == 0 ? 0
                     : sql_run(m->d, SQL_SET_MUTANT, e, "iittr", run, mutant, (const char *)sqlite3_column_text(row, 1),
                               (const char *)sqlite3_column_text(row, 2), original);
}

static int skipped_row(merging *m, int64_t run, sqlite3_stmt *row, error *e) {
  return sql_run(m->d, SQL_ADD_SKIPPED, e, "itt", run, (const char *)sqlite3_column_text(row, 0),
                 (const char *)sqlite3_column_text(row, 1));
}

int merge_rows(merging *m, sql which, int64_t key, int64_t owner, merge_row row, error *e) {
  sqlite3_stmt *statement = sql_bind(m->from, which, e, "i", key);
  int step = statement == NULL ? -1 : sql_step(m->from, statement, e);
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

static int test_case_row(merging *m, int64_t run, sqlite3_stmt *row, error *e) {
  char *texts[3];
  for (int i = 0; i < 3; i++) {
    texts[i] = sql_text(row, i + 1);
  }
  sqlite3_stmt *insert = sql_bind(m->d, SQL_COPY_TEST_CASE, e, "ittt", run, texts[0], texts[1], texts[2]);
  int result = insert == NULL ? -1 : 0;
  if (result == 0 && (copy_nullable(insert, 5, row, 4) != SQLITE_OK || copy_nullable(insert, 6, row, 5) != SQLITE_OK)) {
    result = db_failed(m->d, e);
  }
  result = result == 0 ? sql_step(m->d, insert, e) : result;
  int64_t old = sqlite3_column_int64(row, 0);
  int64_t new = sqlite3_last_insert_rowid(m->d->handle);
  result = result == 0 ? merge_rows(m, SQL_LAUNCHES, old, new, launch_row, e) : result;
  result = result == 0 ? merge_rows(m, SQL_EVIDENCE, old, new, evidence_row, e) : result;
  result = result == 0 ? merge_rows(m, SQL_FINDINGS, old, new, finding_row, e) : result;
  result = result == 0 ? merge_rows(m, SQL_VERDICTS, old, new, verdict_row, e) : result;
  result = result == 0 ? merge_rows(m, SQL_UNSTABLE, old, new, unstable_row, e) : result;
  result = result == 0 ? merge_rows(m, SQL_NTH_LAUNCHES, old, new, merge_nth_launch, e) : result;
  for (int i = 0; i < 3; i++) {
    free(texts[i]);
  }
  return result;
}

/* --- runs --------------------------------------------------------------------------------------------------- */

/* Inserts the run itself, unless it is known: 1 copied, 0 known, -1 failed. */
static int copy_run_row(merging *m, error *e) {
  sqlite3_stmt *row = sql_bind(m->from, SQL_GET_RUN, e, "i", m->run);
  int step = row == NULL ? -1 : sql_step(m->from, row, e);
  if (step != 1) {
    return step;
  }
  const char *uuid = (const char *)sqlite3_column_text(row, 0);
  int64_t known = 0;
  int found = sql_number(m->d, SQL_RUN_BY_UUID, &known, e, "t", uuid);
  int result = found < 0 ? -1 : 0;
  if (found == 0) {
    sqlite3_stmt *insert = sql_bind(m->d, SQL_COPY_RUN, e, "");
    result = insert == NULL ? -1 : 1;
    for (int i = 0; result == 1 && i < 7; i++) {
      if (copy_nullable(insert, i + 1, row, i) != SQLITE_OK) {
        result = db_failed(m->d, e);
      }
    }
    if (result == 1 && sql_step(m->d, insert, e) != 0) {
      result = -1;
    }
    m->new_run = sqlite3_last_insert_rowid(m->d->handle);
  }
  (void)sqlite3_reset(row);
  return result;
}

/* One run, whole or not at all. */
static int copy_run(merging *m, size_t *merged, error *e) {
  if (db_begin_write(m->d, e) != 0) {
    return -1;
  }
  int copied = copy_run_row(m, e);
  int result = copied < 0 ? -1 : 0;
  if (copied == 1) {
    m->schedules.count = 0;
    result = copy_programs(m, e);
    result = result == 0 ? merge_rows(m, SQL_TEST_CASES, m->run, m->new_run, test_case_row, e) : result;
    result = result == 0 ? merge_rows(m, SQL_SKIPPED, m->run, m->new_run, skipped_row, e) : result;
    result = result == 0 ? merge_rows(m, SQL_RUN_MUTANTS, m->run, m->new_run, run_mutant_row, e) : result;
    result = result == 0 ? merge_explanations(m, e) : result;
  }
  result = db_end_write(m->d, result, e);
  result = result == 0 ? db_commit(m->d, e) : result;
  *merged += result == 0 && copied == 1 ? 1 : 0;
  return result;
}

static int copy_facts(merging *m, error *e) {
  sqlite3_stmt *row = sql_bind(m->from, SQL_ALL_FACTS, e, "");
  int step = row == NULL ? -1 : sql_step(m->from, row, e);
  for (; step == 1; step = sql_step(m->from, row, e)) {
    if (db_put_fact(m->d, (const char *)sqlite3_column_text(row, 0), (const char *)sqlite3_column_text(row, 1),
                    sqlite3_column_int(row, 2) != 0, e) != 0) {
      (void)sqlite3_reset(row);
      return -1;
    }
  }
  return step;
}

static int put_code(merging *m, sqlite3_stmt *row, error *e) {
  return sql_run(m->d, SQL_PUT_CODE, e, "tit", (const char *)sqlite3_column_text(row, 0),
                 (int64_t)sqlite3_column_int(row, 1), (const char *)sqlite3_column_text(row, 2));
}

static int copy_codes(merging *m, error *e) {
  if (db_begin_write(m->d, e) != 0) {
    return -1;
  }
  sqlite3_stmt *row = sql_bind(m->from, SQL_ALL_CODES, e, "");
  int step = row == NULL ? -1 : sql_step(m->from, row, e);
  for (; step == 1; step = sql_step(m->from, row, e)) {
    if (put_code(m, row, e) != 0) {
      (void)sqlite3_reset(row);
      return db_end_write(m->d, -1, e);
    }
  }
  return db_end_write(m->d, step, e);
}

int db_merge(db *d, db *from, size_t *merged, error *e) {
  *merged = 0;
  if (d == from) {
    return 0;
  }
  merging m = {.d = d, .from = from};
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
  result = result == 0 ? copy_facts(&m, e) : result;
  result = result == 0 ? copy_codes(&m, e) : result;
  result = result == 0 ? db_commit(d, e) : result;
  db_end_read(from);
  db_free_runs(runs, count);
  free(m.kernels.items);
  free(m.sites.items);
  free(m.mutants.items);
  free(m.schedules.items);
  return result;
}
