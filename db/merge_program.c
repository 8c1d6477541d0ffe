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
  int step = 0;
  sqlite3_stmt *row = sql_rows(m->from, SQL_PROGRAM_IDENTITY, &step, e, "i", program);
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
  if (result == 0) {
    result = db_add_program(m->d, m->new_run, &copy, &to, e);
  }
  *new = to.id;
  model_free(&copy);
  db_program_free(&from);
  db_program_free(&to);
  return result;
}

/* Homes go with names: those that were merged last. */
static int copy_homes(merging *m, int64_t program, int64_t new, error *e) {
  id_list files = {0};
  model of = {0};
  int result = db_read_ids(m->from, SQL_PROGRAM_FILE_IDS, program, &files, e);
  of.files = mem_calloc(files.count + 1, sizeof *of.files);
  of.file_count = files.count;
  if (result == 0) {
    result = db_read_homes(m->from, program, &of, e) != 0 || db_put_homes(m->d, new, &of, e) != 0 ? -1 : 0;
  }
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
  static const merge_copy names = {SQL_PROGRAM_NAMES, SQL_RENAME_PROGRAM_FILE, "="};
  return sql_run(m->d, SQL_ADD_RUN_PROGRAM, e, "ii", m->new_run, *new) != 0 ||
                 (!m->known && (merge_copies(m, &names, program, *new, e) != 0 || copy_homes(m, program, *new, e) != 0))
             ? -1
             : 0;
}

/* The first id of a program's parts, 0 for none, and how many there are. */
static int read_range(db *d, sql which, int64_t program, int64_t *first, int64_t *count, error *e) {
  int step = 0;
  sqlite3_stmt *row = sql_rows(d, which, &step, e, "i", program);
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
  int result = db_read_ids(m->from, SQL_PROGRAM_FILE_IDS, program, &from, e) != 0 ||
                       db_read_ids(m->d, SQL_PROGRAM_FILE_IDS, new, &to, e) != 0
                   ? -1
               : from.count != to.count ? damaged(m->from, program, e)
                                        : 0;
  for (size_t i = 0; result == 0 && i < from.count; i++) {
    merge_add_range(&m->files, from.ids[i], to.ids[i], 1);
  }
  free(from.ids);
  free(to.ids);
  return result;
}

static int merge_program(merging *m, int64_t program, error *e) {
  int64_t new = 0;
  if (place_program(m, program, &new, e) != 0) {
    return -1;
  }
  merge_add_range(&m->programs, program, new, 1);
  const bool fails = add_files(m, program, new, e) != 0 ||
                     add_parts(m, SQL_FUNCTION_RANGE, program, new, &m->functions, e) != 0 ||
                     add_parts(m, SQL_SITE_RANGE, program, new, &m->sites, e) != 0 ||
                     add_parts(m, SQL_KERNEL_RANGE, program, new, &m->kernels, e) != 0;
  return fails ? -1 : 0;
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

/* 1: it is there already, 0: not, -1: failed, or there is another one of this id. */
static int find_mutant(merging *m, int64_t program, sqlite3_stmt *row, int64_t *id, error *e) {
  db_mutant x;
  int found = 0;
  (void)sql_read(row, 5, &db_mutant_columns, &x);
  sqlite3_stmt *known =
      sql_rows(m->d, SQL_FIND_MUTANT, &found, e, "iutut", program, x.id, x.operator_name, x.offset, x.replacement);
  if (found == 1) {
    *id = sqlite3_column_int64(known, 0);
    found = sqlite3_column_int(known, 1) != 0
                ? 1
                : error_set(e, EXIT_INTERNAL,
                            "two mutants of a program in %s and %s have the same id %u; please report this as a fault",
                            m->from->path, m->d->path, (unsigned)x.id);
    (void)sqlite3_reset(known);
  }
  sql_free(&db_mutant_columns, &x);
  return found;
}

static int add_mutant(merging *m, int64_t program, sqlite3_stmt *row, int64_t *id, error *e) {
  static const merge_copy mutant = {SQL_MUTANTS_OF_RUN, SQL_ADD_MUTANT, "--in="};
  static const merge_copy kernels = {SQL_MUTANT_KERNELS, SQL_ADD_MUTANT_KERNEL, "K"};
  if (merge_copy_row(m, &mutant, program, row, e) != 0) {
    return -1;
  }
  *id = sqlite3_last_insert_rowid(m->d->handle);
  return merge_copies(m, &kernels, sqlite3_column_int64(row, 0), *id, e);
}

static int mutant_row(merging *m, int64_t run, sqlite3_stmt *row, error *e) {
  (void)run;
  const int64_t program = merge_translate(&m->programs, sqlite3_column_int64(row, 1));
  if (program == 0) {
    return 0;
  }
  int64_t id = 0;
  const int found = find_mutant(m, program, row, &id, e);
  if (found < 0 || (found == 0 && add_mutant(m, program, row, &id, e) != 0)) {
    return -1;
  }
  merge_add_range(&m->mutants, sqlite3_column_int64(row, 0), id, 1);
  return 0;
}

int merge_mutants(merging *m, error *e) {
  m->mutants.count = 0;
  return merge_rows(m, SQL_MUTANTS_OF_RUN, m->run, m->new_run, mutant_row, e);
}
