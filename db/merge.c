/* Runs of one database are copied into another, or what that has of them is brought up to date. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "db/internal.h"

#define MERGE_MILLISECONDS 5000                    /* another process that writes waits up to twice as long */
#define CACHE_PRAGMA "PRAGMA cache_size = -262144" /* KiB at most */

/* Row ids that follow each other in one database, and the first of those that they are in the other. */
typedef struct range {
  int64_t from, to, count;
} range;
/* Sorted by `from` before ids are looked up. */
typedef struct ranges {
  range *items;
  size_t count, capacity;
} ranges;

/* A merge under way. */
typedef struct merging {
  db *d, *from;
  int64_t run; /* being copied: id in `from` */
  int64_t new_run;
  bool known;                                        /* `d` has had this run before */
  bool newer;                                        /* `from` knows more of it, or alone knows it */
  size_t newer_words;                                /* mutants of which `from` knows more, in a known run */
  ranges programs, files, functions, sites, kernels; /* of the run */
  ranges mutants;                                    /* of the run, with the originals of its duplicates */
  ranges taken;                                      /* of these: `d` knows no more of them than `from` does */
  ranges schedules;                                  /* of its launches */
  ranges proofs;
} merging;

/* How rows of `from` become rows of `d`, whose first parameter is what they belong to: a letter for each column, the last
 * one for all that follow.
 *   =  as it is        -  left out       K S P M  a kernel, site, program or mutant (of those taken)
 *   k s i n  a kernel, schedule, file or function, NULL where it is not known
 *   F f  a file by its SHA-256, f NULL where it is not there
 * A row stays behind where what a capital stands for is not there. */
typedef struct merge_copy {
  sql rows, insert;
  const char *columns;
} merge_copy;

/* Copies a row; `owner` is what it belongs to in `d`. */
typedef int (*merge_row)(merging *m, int64_t owner, sqlite3_stmt *row, error *e);

static void merge_add_range(ranges *r, int64_t from, int64_t to, int64_t count) {
  if (count > 0) *ARRAY_ADD(r->items, r->count, r->capacity) = (range){from, to, count};
}

static int compare_ranges(const void *a, const void *b) {
  const range *x = a, *y = b;
  return (x->from > y->from) - (x->from < y->from);
}

static void merge_sort_ranges(ranges *r) {
  if (r->count > 0) qsort(r->items, r->count, sizeof *r->items, compare_ranges);
}

/* An id against a range. */
static int compare_id(const void *id, const void *item) {
  int64_t key = *(const int64_t *)id;
  const range *r = item;
  return key < r->from                                             ? -1
         : (uint64_t)key - (uint64_t)r->from >= (uint64_t)r->count ? 1
                                                                   : 0; /* any ids, in a damaged file */
}

/* 0 for what is not there. */
static int64_t merge_translate(const ranges *r, int64_t from) {
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

static int merge_copy_row(merging *m, const merge_copy *c, int64_t owner, sqlite3_stmt *row, error *e) {
  sqlite3_stmt *insert = sql_bind(m->d, c->insert, e, "i", owner);
  const char *how = c->columns;
  int index = 2;
  for (int i = 0; insert != NULL && i < sqlite3_column_count(row); i++, how += how[1] != '\0' ? 1 : 0) {
    int64_t id = 0;
    const int copied = convert(m, *how, row, i, &id, e);
    if (copied != 1) return copied;
    int rc = SQLITE_OK;
    if (*how == '=')
      rc = sqlite3_bind_value(insert, index++, sqlite3_column_value(row, i));
    else if (*how != '-')
      rc = id == 0 ? sqlite3_bind_null(insert, index++) : sqlite3_bind_int64(insert, index++, id);
    if (rc != SQLITE_OK) return db_failed(m->d, e);
  }
  assert(insert == NULL || index == sqlite3_bind_parameter_count(insert) + 1);
  return insert == NULL ? -1 : sql_step(m->d, insert, e);
}

static int merge_copies(merging *m, const merge_copy *c, int64_t key, int64_t owner, error *e) {
  EACH_ROW(step, row, m->from, c->rows, e, "i", key) {
    if (merge_copy_row(m, c, owner, row, e) != 0) {
      (void)sqlite3_reset(row);
      return -1;
    }
  }
  return step;
}

/* Copies what a statement of `from` gives for the row `key`. */
static int merge_rows(merging *m, sql which, int64_t key, int64_t owner, merge_row row, error *e) {
  EACH_ROW(step, statement, m->from, which, e, "i", key) {
    if (row(m, owner, statement, e) != 0) {
      (void)sqlite3_reset(statement);
      return -1;
    }
  }
  return step;
}

/* Copying launches, schedules and explanations from one database into another. */

static int schedule_row(merging *m, int64_t launch, sqlite3_stmt *row, error *e) {
  static const merge_copy reached = {SQL_REACHED, SQL_ADD_REACHED, "S="};
  db_schedule s;
  (void)sql_read(row, 1, &db_schedule_columns, &s);
  int64_t old = sqlite3_column_int64(row, 0), new = 0;
  const int result = db_put_schedule(m->d, launch, &s, &new, e);
  sql_free(&db_schedule_columns, &s);
  if (result != 0) return -1;
  merge_add_range(&m->schedules, old, new, 1);
  return merge_copies(m, &reached, old, new, e);
}

/* A row of SQL_NTH_LAUNCHES, with its schedules and what these reached. */
static int merge_nth_launch(merging *m, int64_t test_case, sqlite3_stmt *row, error *e) {
  const int64_t kernel = merge_translate(&m->kernels, sqlite3_column_int64(row, 1));
  db_launch l;
  int64_t new = 0;
  if (kernel == 0) return 0;
  (void)sql_read(row, 2, &db_launch_columns, &l);
  const int result = db_put_launch(m->d, test_case, kernel, &l, &new, e);
  sql_free(&db_launch_columns, &l);
  return result == 0 ? merge_rows(m, SQL_SCHEDULES, sqlite3_column_int64(row, 0), new, schedule_row, e) : -1;
}

/* Files are the same where their text is, whatever a program calls them. */
static int merge_explanations(merging *m, error *e) {
  static const merge_copy explanation = {SQL_EXPLANATION, SQL_PUT_EXPLANATION, "sf="};
  static const merge_copy explained = {SQL_EXPLAINED, SQL_ADD_EXPLAINED, "=f="};
  id_list ids = {0};
  merge_sort_ranges(&m->schedules);
  int result = db_read_ids(m->from, SQL_RUN_EXPLANATIONS, m->run, &ids, e);
  for (size_t i = 0; result == 0 && i < ids.count; i++) {
    const int64_t schedule = merge_translate(&m->schedules, ids.ids[i]);
    if (schedule != 0) {
      const bool copied = merge_copies(m, &explanation, ids.ids[i], schedule, e) == 0 &&
                          sql_run(m->d, SQL_DROP_EXPLAINED, e, "i", schedule) == 0;
      result = copied ? merge_copies(m, &explained, ids.ids[i], schedule, e) : -1;
    }
  }
  free(ids.ids);
  return result;
}

/* Copying findings and proofs from one database into another. Files are the same where their text is; what is at a file
 * that is not there stays behind. */

static const char *text_of(sqlite3_stmt *row, int column) { return (const char *)sqlite3_column_text(row, column); }

static const merge_copy parts[] = {
    {SQL_FINDING_PLACES, SQL_ADD_FINDING_PLACE, "=F="},   {SQL_FINDING_WITNESS, SQL_ADD_FINDING_WITNESS, "="},
    {SQL_FINDING_COMMANDS, SQL_ADD_FINDING_COMMAND, "="}, {SQL_FINDING_INLINED, SQL_ADD_FINDING_INLINED, "==F="},
    {SQL_FINDING_STEPS, SQL_ADD_FINDING_STEP, "=F="},
};

/* `test_case` is one of the other database, 0: none. */
static int merge_finding(merging *m, int64_t test_case, sqlite3_stmt *row, error *e) {
  const int64_t old = sqlite3_column_int64(row, 0);
  const int64_t kernel = merge_translate(&m->kernels, sqlite3_column_int64(row, 1));
  const int64_t site = merge_translate(&m->sites, sqlite3_column_int64(row, 2));
  const int64_t proof = merge_translate(&m->proofs, sqlite3_column_int64(row, 9));
  db_detail detail;
  const int64_t schedule = merge_translate(&m->schedules, sqlite3_column_int64(row, 13));
  (void)sql_read(row, 15, &db_detail_columns, &detail);
  int result = sql_run(m->d, SQL_ADD_FINDING, e, "irrrtttrittrc", m->new_run, test_case, kernel, site, text_of(row, 3),
                       text_of(row, 4), text_of(row, 5), proof, sqlite3_column_int64(row, 10), text_of(row, 11),
                       text_of(row, 12), schedule, &db_detail_columns, &detail);
  sql_free(&db_detail_columns, &detail);
  if (result != 0 || sqlite3_changes(m->d->handle) == 0) return result;
  const int64_t new = sqlite3_last_insert_rowid(m->d->handle);
  for (size_t i = 0; result == 0 && i < sizeof parts / sizeof parts[0]; i++)
    result = merge_copies(m, &parts[i], old, new, e);
  return result;
}

static int merge_run_finding(merging *m, int64_t run, sqlite3_stmt *row, error *e) {
  (void)run;
  return merge_finding(m, 0, row, e);
}

/* --- proofs -------------------------------------------------------------------------------------------------- */

static int copy_proof(merging *m, int64_t run, sqlite3_stmt *row, int64_t *new, error *e) {
  static const merge_copy proof = {SQL_PROOFS, SQL_ADD_PROOF, "---Pkf="};
  static const merge_copy proof_parts = {SQL_PROOF_PARTS, SQL_ADD_PROOF_PART, "==f="};
  if (merge_copy_row(m, &proof, run, row, e) != 0) return -1;
  *new = sqlite3_last_insert_rowid(m->d->handle);
  return merge_copies(m, &proof_parts, sqlite3_column_int64(row, 0), *new, e);
}

/* A row of SQL_PROOFS with its parts; findings refer to it and come later. Of a proof that both have, that of the
 * database that knows more of the run counts. */
static int merge_proof(merging *m, int64_t run, sqlite3_stmt *row, error *e) {
  const int64_t program = merge_translate(&m->programs, sqlite3_column_int64(row, 3));
  int64_t new = 0;
  if (program == 0) return 0;
  int found = sql_number(m->d, SQL_FIND_RUN_PROOF, &new, e, "iit", run, program, text_of(row, 8));
  int result = found < 0 ? -1 : 0;
  if (found == 1 && m->newer) result = db_drop_proof(m->d, new, e);
  if (result == 0 && (found == 0 || m->newer)) result = copy_proof(m, run, row, &new, e);
  merge_add_range(&m->proofs, sqlite3_column_int64(row, 0), new, 1);
  return result;
}

/* Copying programs and mutants from one database into another, each once. A program's functions, sites and kernels have
 * ids that follow each other in both, so that a program which is there already costs a few look-ups, whatever its size.
 */

static int damaged(const db *d, int64_t program, error *e) {
  return error_set(e, EXIT_USAGE,
                   "%s is damaged (program %lld is incomplete); delete it or name another database with --db FILE",
                   d->path, (long long)program);
}

static int copy_program(merging *m, int64_t program, int64_t *new, error *e) {
  model copy;
  db_program from;
  db_program to = {0};
  int result = db_read_program(m->from, program, &copy, &from, e);
  if (result == 0) result = db_add_program(m->d, m->new_run, &copy, &to, e);
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
  if (result == 0)
    result = db_read_homes(m->from, program, &of, e) != 0 || db_put_homes(m->d, new, &of, e) != 0 ? -1 : 0;
  model_free(&of);
  free(files.ids);
  return result;
}

/* The program in `d`, where it is part of the run then. */
static int place_program(merging *m, int64_t program, int64_t *new, error *e) {
  /* The program of `d` that this one of `from` is, by what was stored of both: 1 found, 0 not, -1 failed. */
  int found = 0;
  sqlite3_stmt *row = sql_rows(m->from, SQL_PROGRAM_IDENTITY, &found, e, "i", program);
  if (found == 1) {
    found = sql_number(m->d, SQL_FIND_PROGRAM, new, e, "tt", text_of(row, 0), text_of(row, 1));
    (void)sqlite3_reset(row);
  }
  if (found != 1) return found < 0 ? -1 : copy_program(m, program, new, e);
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
  int64_t first = 0, count = 0, new_first = 0, new_count = 0;
  if (read_range(m->from, which, program, &first, &count, e) != 0 ||
      read_range(m->d, which, new, &new_first, &new_count, e) != 0)
    return -1;
  if (count != new_count) return damaged(m->from, program, e);
  merge_add_range(to, first, new_first, count);
  return 0;
}

static int merge_program(merging *m, int64_t program, error *e) {
  int64_t new = 0;
  if (place_program(m, program, &new, e) != 0) return -1;
  merge_add_range(&m->programs, program, new, 1);
  id_list from = {0}, to = {0};
  int result = db_read_ids(m->from, SQL_PROGRAM_FILE_IDS, program, &from, e) != 0 ||
                       db_read_ids(m->d, SQL_PROGRAM_FILE_IDS, new, &to, e) != 0
                   ? -1
               : from.count != to.count ? damaged(m->from, program, e)
                                        : 0;
  for (size_t i = 0; result == 0 && i < from.count; i++) merge_add_range(&m->files, from.ids[i], to.ids[i], 1);
  free(from.ids);
  free(to.ids);
  const bool fails = result != 0 || add_parts(m, SQL_FUNCTION_RANGE, program, new, &m->functions, e) != 0 ||
                     add_parts(m, SQL_SITE_RANGE, program, new, &m->sites, e) != 0 ||
                     add_parts(m, SQL_KERNEL_RANGE, program, new, &m->kernels, e) != 0;
  return fails ? -1 : 0;
}

/* The programs of the run; a program that `d` has already is only looked up. */
static int merge_programs(merging *m, error *e) {
  ranges *const all[] = {&m->programs, &m->files, &m->functions, &m->sites, &m->kernels};
  id_list programs = {0};
  for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) all[i]->count = 0;
  int result = db_read_ids(m->from, SQL_RUN_PROGRAMS, m->run, &programs, e);
  for (size_t i = 0; result == 0 && i < programs.count; i++) result = merge_program(m, programs.ids[i], e);
  free(programs.ids);
  for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) merge_sort_ranges(all[i]);
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
  if (merge_copy_row(m, &mutant, program, row, e) != 0) return -1;
  *id = sqlite3_last_insert_rowid(m->d->handle);
  return merge_copies(m, &kernels, sqlite3_column_int64(row, 0), *id, e);
}

static int mutant_row(merging *m, int64_t run, sqlite3_stmt *row, error *e) {
  (void)run;
  const int64_t program = merge_translate(&m->programs, sqlite3_column_int64(row, 1));
  if (program == 0) return 0;
  int64_t id = 0;
  const int found = find_mutant(m, program, row, &id, e);
  if (found < 0 || (found == 0 && add_mutant(m, program, row, &id, e) != 0)) return -1;
  merge_add_range(&m->mutants, sqlite3_column_int64(row, 0), id, 1);
  return 0;
}

/* The mutants that are part of the run, not those that its programs have beside: other shards bring these. */
static int merge_mutants(merging *m, error *e) {
  m->mutants.count = 0;
  return merge_rows(m, SQL_MUTANTS_OF_RUN, m->run, m->new_run, mutant_row, e);
}

/* Runs a statement with `values` columns of a row, from `column` on, as its parameters from `index` on. */
static int run_with(merging *m, sqlite3_stmt *statement, int index, sqlite3_stmt *row, int column, int values,
                    error *e) {
  for (int i = 0; statement != NULL && i < values; i++)
    if (sqlite3_bind_value(statement, index + i, sqlite3_column_value(row, column + i)) != SQLITE_OK)
      return db_failed(m->d, e);
  return statement == NULL ? -1 : sql_step(m->d, statement, e);
}

/* The test case in `d`: a new row, or the one that is there, with how it ended. */
static int place_test_case(merging *m, int64_t run, sqlite3_stmt *row, int64_t *new, error *e) {
  enum { NAMES = 4, STATUS = NAMES + 1, TIMED_OUT };
  char *names[NAMES];
  for (int i = 0; i < NAMES; i++) names[i] = sql_text(row, i + 1);
  /* The test case of a known run that this one is: 1 found, 0 not, -1 failed. */
  int64_t nth = 0; /* of those of the same names */
  int found =
      !m->known ? 0
      : sql_number(m->from, SQL_SAME_BEFORE, &nth, e, "i", sqlite3_column_int64(row, 0)) != 1
          ? -1
          : sql_number(m->d, SQL_FIND_TEST_CASE, new, e, "ittti", m->new_run, names[0], names[1], names[2], nth);
  int result = found < 0 ? -1 : 0;
  if (found == 0) {
    sqlite3_stmt *insert = sql_bind(m->d, SQL_COPY_TEST_CASE, e, "itttt", run, names[0], names[1], names[2], names[3]);
    result = run_with(m, insert, NAMES + 2, row, STATUS, 2, e);
    *new = sqlite3_last_insert_rowid(m->d->handle);
  } else if (found == 1 && sqlite3_column_type(row, STATUS) != SQLITE_NULL) {
    result = sql_run(m->d, SQL_UPDATE_TEST_CASE, e, "iiii", *new, sqlite3_column_int64(row, STATUS),
                     sqlite3_column_int64(row, TIMED_OUT), (int64_t)m->newer);
  }
  for (int i = 0; i < NAMES; i++) free(names[i]);
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
  int64_t old = sqlite3_column_int64(row, 0), new = 0;
  int result = place_test_case(m, run, row, &new, e);
  for (size_t i = 0; result == 0 && i < sizeof of_test_case / sizeof of_test_case[0]; i++)
    result = merge_copies(m, &of_test_case[i], old, new, e);
  if (result == 0 && m->newer) { /* what the database that knows more says alone */
    result = merge_rows(m, SQL_NTH_LAUNCHES, old, new, merge_nth_launch, e);
    merge_sort_ranges(&m->schedules);
  }
  return result == 0 ? merge_rows(m, SQL_FINDINGS, old, new, merge_finding, e) : result;
}

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
  if (step != 1) return 1;
  unsigned here = weight((const char *)sqlite3_column_text(known, 0));
  unsigned there = weight((const char *)sqlite3_column_text(row, 1));
  int by_reason = strcmp((const char *)sqlite3_column_text(row, 2), (const char *)sqlite3_column_text(known, 1));
  (void)sqlite3_reset(known);
  return here != there ? (there > here ? 1 : -1) : by_reason;
}

static int run_mutant_row(merging *m, int64_t run, sqlite3_stmt *row, error *e) {
  int64_t old = sqlite3_column_int64(row, 0), mutant = merge_translate(&m->mutants, old);
  int64_t original = merge_translate(&m->mutants, sqlite3_column_int64(row, 3));
  int result = 0;
  int more = mutant == 0 ? -1 : compare_words(m, mutant, row, &result, e);
  if (result != 0 || more < 0) return result;
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
  if (read_progress(m->d, m->new_run, here, e) != 0 || read_progress(m->from, m->run, there, e) != 0) return -1;
  m->newer = there[0] > here[0] || (there[0] == here[0] && there[1] > here[1]);
  sqlite3_stmt *update = sql_bind(m->d, SQL_UPDATE_RUN, e, "i", m->new_run);
  if (update != NULL && sqlite3_bind_int(update, 5, m->newer) != SQLITE_OK) return db_failed(m->d, e);
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
      merge_rows(m, SQL_RUN_FINDINGS, m->run, m->new_run, merge_run_finding, e) != 0)
    return -1;
  for (size_t i = 0; i < sizeof of_run / sizeof of_run[0]; i++)
    if (merge_copies(m, &of_run[i], m->run, m->new_run, e) != 0) return -1;
  return m->newer && merge_explanations(m, e) != 0 ? -1 : 0;
}

/* One run, whole or not at all. */
static int copy_run(merging *m, size_t *merged, error *e) {
  if (db_begin_write(m->d, e) != 0) return -1;
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
  if (step != 0) return -1;
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
  if (d == from) return 0;
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
  if (result == 0) result = copy_remembered(&m, e);
  db_end_read(from);
  db_free_runs(runs, count);
  ranges *const all[] = {&m.programs, &m.files, &m.functions, &m.sites, &m.kernels,
                         &m.mutants,  &m.taken, &m.schedules, &m.proofs};
  for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) free(all[i]->items);
  return result;
}
