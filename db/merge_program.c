/* Copying programs and mutants from one database into another, each once. A program's functions, sites and kernels have
 * ids that follow each other in both, so that a program which is there already costs a few look-ups, whatever its size.
 */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "db/merge.h"

/* --- programs ----------------------------------------------------------------------------------------------- */

static const char *text_of(sqlite3_stmt *row, int column) { return (const char *)sqlite3_column_text(row, column); }

static int damaged(const db *d, int64_t program, error *e) {
  return error_set(e, EXIT_USAGE,
                   "%s is damaged (program %lld is incomplete); delete it or name another database with --db FILE",
                   d->path, (long long)program);
}

/* The program of `d` that this one of `from` is, by what was stored of both: 1 found, 0 not, -1 failed. */
static int find_program(merging *m, int64_t program, int64_t *found, error *e) {
  sqlite3_stmt *row = sql_bind(m->from, SQL_PROGRAM_IDENTITY, e, "i", program);
  int step = row == NULL ? -1 : sql_step(m->from, row, e);
  if (step == 1) {
    step = sql_number(m->d, SQL_FIND_PROGRAM, found, e, "tt", text_of(row, 0), text_of(row, 1));
    (void)sqlite3_reset(row);
  }
  return step;
}

static int copy_program(merging *m, int64_t program, int64_t *new, error *e) {
  model copy;
  db_program from;
  db_program to = {0};
  int result = db_read_program(m->from, program, &copy, &from, e);
  result = result == 0 ? db_add_program(m->d, m->new_run, &copy, &to, e) : result;
  *new = to.id;
  model_free(&copy);
  db_program_free(&from);
  db_program_free(&to);
  return result;
}

static int name_row(merging *m, int64_t program, sqlite3_stmt *row, error *e) {
  return sql_run(m->d, SQL_RENAME_PROGRAM_FILE, e, "iitt", program, sqlite3_column_int64(row, 0), text_of(row, 1),
                 text_of(row, 2));
}

/* Homes go with names: those that were merged last. */
static int copy_homes(merging *m, int64_t program, int64_t new, error *e) {
  id_list files = {0};
  model of = {0};
  int result = db_read_ids(m->from, SQL_PROGRAM_FILE_IDS, program, &files, e);
  of.files = mem_calloc(files.count + 1, sizeof *of.files);
  of.file_count = files.count;
  result = result == 0 ? db_read_homes(m->from, program, &of, e) : result;
  result = result == 0 ? db_put_homes(m->d, new, &of, e) : result;
  model_free(&of);
  free(files.ids);
  return result;
}

/* The program in `d`, where it is part of the run then. */
static int place_program(merging *m, int64_t program, int64_t *new, error *e) {
  int found = find_program(m, program, new, e);
  if (found != 1) {
    return found < 0 ? -1 : copy_program(m, program, new, e);
  }
  int result = sql_run(m->d, SQL_ADD_RUN_PROGRAM, e, "ii", m->new_run, *new);
  result = result == 0 && !m->known ? merge_rows(m, SQL_PROGRAM_NAMES, program, *new, name_row, e) : result;
  return result == 0 && !m->known ? copy_homes(m, program, *new, e) : result;
}

/* The first id of a program's parts, 0 for none, and how many there are. */
static int read_range(db *d, sql which, int64_t program, int64_t *first, int64_t *count, error *e) {
  sqlite3_stmt *row = sql_bind(d, which, e, "i", program);
  int step = row == NULL ? -1 : sql_step(d, row, e);
  if (step == 1) {
    *first = sqlite3_column_int64(row, 0);
    const uint64_t last = (uint64_t)sqlite3_column_int64(row, 1);
    *count = *first == 0 ? 0 : (int64_t)(last - (uint64_t)*first + 1); /* a damaged file may have any ids */
    (void)sqlite3_reset(row);
  }
  return step < 0 ? -1 : 0;
}

static int add_parts(merging *m, sql which, int64_t program, int64_t new, ranges *to, error *e) {
  int64_t first = 0;
  int64_t count = 0;
  int64_t new_first = 0;
  int64_t new_count = 0;
  if (read_range(m->from, which, program, &first, &count, e) != 0 ||
      read_range(m->d, which, new, &new_first, &new_count, e) != 0) {
    return -1;
  }
  if (count != new_count) {
    return damaged(m->from, program, e);
  }
  merge_add_range(to, first, new_first, count);
  return 0;
}

static int add_files(merging *m, int64_t program, int64_t new, error *e) {
  id_list from = {0};
  id_list to = {0};
  int result = db_read_ids(m->from, SQL_PROGRAM_FILE_IDS, program, &from, e);
  result = result == 0 ? db_read_ids(m->d, SQL_PROGRAM_FILE_IDS, new, &to, e) : result;
  result = result == 0 && from.count != to.count ? damaged(m->from, program, e) : result;
  for (size_t i = 0; result == 0 && i < from.count; i++) {
    merge_add_range(&m->files, from.ids[i], to.ids[i], 1);
  }
  free(from.ids);
  free(to.ids);
  return result;
}

static int merge_program(merging *m, int64_t program, error *e) {
  int64_t new = 0;
  int result = place_program(m, program, &new, e);
  if (result == 0) {
    merge_add_range(&m->programs, program, new, 1);
    result = add_files(m, program, new, e);
  }
  result = result == 0 ? add_parts(m, SQL_FUNCTION_RANGE, program, new, &m->functions, e) : result;
  result = result == 0 ? add_parts(m, SQL_SITE_RANGE, program, new, &m->sites, e) : result;
  return result == 0 ? add_parts(m, SQL_KERNEL_RANGE, program, new, &m->kernels, e) : result;
}

int merge_programs(merging *m, error *e) {
  ranges *const all[] = {&m->programs, &m->files, &m->functions, &m->sites, &m->kernels};
  id_list programs = {0};
  for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
    all[i]->count = 0;
  }
  int result = db_read_ids(m->from, SQL_RUN_PROGRAMS, m->run, &programs, e);
  for (size_t i = 0; result == 0 && i < programs.count; i++) {
    result = merge_program(m, programs.ids[i], e);
  }
  free(programs.ids);
  for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
    merge_sort_ranges(all[i]);
  }
  return result;
}

/* --- mutants ------------------------------------------------------------------------------------------------ */

/* Columns of SQL_MUTANTS_OF_RUN, which are the parameters of SQL_ADD_MUTANT. */
enum {
  MUTANT_PROGRAM = 1,
  MUTANT_IDENTITY,
  MUTANT_OPERATOR,
  MUTANT_FILE,
  MUTANT_OFFSET = 7,
  MUTANT_FUNCTION = 11,
  MUTANT_REPLACEMENT = 13,
  MUTANT_COLUMNS = 15
};

/* 1: it is there already, 0: not, -1: failed, or there is another one of this id. */
static int find_mutant(merging *m, int64_t program, sqlite3_stmt *row, int64_t *id, error *e) {
  uint32_t identity = sql_u32(row, MUTANT_IDENTITY);
  sqlite3_stmt *known = sql_bind(m->d, SQL_FIND_MUTANT, e, "iutut", program, identity, text_of(row, MUTANT_OPERATOR),
                                 sql_u32(row, MUTANT_OFFSET), text_of(row, MUTANT_REPLACEMENT));
  int found = known == NULL ? -1 : sql_step(m->d, known, e);
  if (found != 1) {
    return found;
  }
  *id = sqlite3_column_int64(known, 0);
  bool same = sqlite3_column_int(known, 1) != 0;
  (void)sqlite3_reset(known);
  return same ? 1
              : error_set(e, EXIT_INTERNAL,
                          "two mutants of a program in %s and %s have the same id %u; please report this as a fault",
                          m->from->path, m->d->path, (unsigned)identity);
}

static int kernel_row(merging *m, int64_t mutant, sqlite3_stmt *row, error *e) {
  int64_t kernel = merge_translate(&m->kernels, sqlite3_column_int64(row, 0));
  return kernel == 0 ? 0 : sql_run(m->d, SQL_ADD_MUTANT_KERNEL, e, "ii", mutant, kernel);
}

static int add_mutant(merging *m, int64_t program, sqlite3_stmt *row, int64_t *id, error *e) {
  sqlite3_stmt *insert = sql_bind(m->d, SQL_ADD_MUTANT, e, "i", program);
  int rc = insert == NULL ? SQLITE_ERROR : SQLITE_OK;
  for (int i = MUTANT_IDENTITY; rc == SQLITE_OK && i < MUTANT_COLUMNS; i++) {
    const ranges *through = i == MUTANT_FILE ? &m->files : i == MUTANT_FUNCTION ? &m->functions : NULL;
    int64_t new = through == NULL ? 0 : merge_translate(through, sqlite3_column_int64(row, i));
    rc = through == NULL ? sqlite3_bind_value(insert, i, sqlite3_column_value(row, i))
         : new == 0      ? sqlite3_bind_null(insert, i)
                         : sqlite3_bind_int64(insert, i, new);
  }
  if (rc != SQLITE_OK) {
    return insert == NULL ? -1 : db_failed(m->d, e);
  }
  if (sql_step(m->d, insert, e) != 0) {
    return -1;
  }
  *id = sqlite3_last_insert_rowid(m->d->handle);
  return merge_rows(m, SQL_MUTANT_KERNELS, sqlite3_column_int64(row, 0), *id, kernel_row, e);
}

static int mutant_row(merging *m, int64_t run, sqlite3_stmt *row, error *e) {
  (void)run;
  int64_t program = merge_translate(&m->programs, sqlite3_column_int64(row, MUTANT_PROGRAM));
  if (program == 0) {
    return 0;
  }
  int64_t id = 0;
  int found = find_mutant(m, program, row, &id, e);
  if (found == 0 && add_mutant(m, program, row, &id, e) != 0) {
    return -1;
  }
  if (found >= 0) {
    merge_add_range(&m->mutants, sqlite3_column_int64(row, 0), id, 1);
  }
  return found < 0 ? -1 : 0;
}

int merge_mutants(merging *m, error *e) {
  m->mutants.count = 0;
  return merge_rows(m, SQL_MUTANTS_OF_RUN, m->run, m->new_run, mutant_row, e);
}
