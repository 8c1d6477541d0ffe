/* Copying findings and proofs from one database into another. Files are the same where their text is; what is at a file
 * that is not there stays behind. */
#include "db/merge.h"

static const char *text_of(sqlite3_stmt *row, int column) { return (const char *)sqlite3_column_text(row, column); }

/* The file of the SHA-256 in a column: 1 found, 0 not there, -1 failed. */
static int file_of(merging *m, sqlite3_stmt *row, int column, int64_t *file, error *e) {
  return sql_number(m->d, SQL_FIND_FILE, file, e, "t", text_of(row, column));
}

/* --- findings ------------------------------------------------------------------------------------------------ */

static int place_row(merging *m, int64_t finding, sqlite3_stmt *row, error *e) {
  int64_t file = 0;
  int found = file_of(m, row, 2, &file, e);
  return found != 1 ? found
                    : sql_run(m->d, SQL_ADD_FINDING_PLACE, e, "iuttiuuttt", finding, sql_u32(row, 8), text_of(row, 0),
                              text_of(row, 1), file, sql_u32(row, 3), sql_u32(row, 4), text_of(row, 5), text_of(row, 6),
                              text_of(row, 7));
}

static int witness_row(merging *m, int64_t finding, sqlite3_stmt *row, error *e) {
  return sql_run(m->d, SQL_ADD_FINDING_WITNESS, e, "iutt", finding, sql_u32(row, 2), text_of(row, 0), text_of(row, 1));
}

static int inlined_row(merging *m, int64_t finding, sqlite3_stmt *row, error *e) {
  int64_t file = 0;
  int found = file_of(m, row, 1, &file, e);
  return found != 1 ? found
                    : sql_run(m->d, SQL_ADD_FINDING_INLINED, e, "iuuiuu", finding, sql_u32(row, 0), sql_u32(row, 4),
                              file, sql_u32(row, 2), sql_u32(row, 3));
}

static int step_row(merging *m, int64_t finding, sqlite3_stmt *row, error *e) {
  int64_t file = 0;
  int found = file_of(m, row, 1, &file, e);
  return found != 1 ? found
                    : sql_run(m->d, SQL_ADD_FINDING_STEP, e, "iuuiuut", finding, sql_u32(row, 5), sql_u32(row, 0), file,
                              sql_u32(row, 2), sql_u32(row, 3), text_of(row, 4));
}

static const struct {
  sql rows;
  merge_row copy;
} parts[] = {
    {SQL_FINDING_PLACES, place_row},
    {SQL_FINDING_WITNESS, witness_row},
    {SQL_FINDING_INLINED, inlined_row},
    {SQL_FINDING_STEPS, step_row},
};

/* `test_case` is one of the other database, 0: none. */
int merge_finding(merging *m, int64_t test_case, sqlite3_stmt *row, error *e) {
  const int64_t old = sqlite3_column_int64(row, 0);
  const int64_t kernel = merge_translate(&m->kernels, sqlite3_column_int64(row, 1));
  const int64_t site = merge_translate(&m->sites, sqlite3_column_int64(row, 2));
  const int64_t proof = merge_translate(&m->proofs, sqlite3_column_int64(row, 9));
  int result = sql_run(m->d, SQL_ADD_FINDING, e, "irrrtttritt", m->new_run, test_case, kernel, site, text_of(row, 3),
                       text_of(row, 4), text_of(row, 5), proof, sqlite3_column_int64(row, 10), text_of(row, 11),
                       text_of(row, 12));
  if (result != 0 || sqlite3_changes(m->d->handle) == 0) {
    return result;
  }
  const int64_t new = sqlite3_last_insert_rowid(m->d->handle);
  for (size_t i = 0; result == 0 && i < sizeof parts / sizeof parts[0]; i++) {
    result = merge_rows(m, parts[i].rows, old, new, parts[i].copy, e);
  }
  return result;
}

int merge_run_finding(merging *m, int64_t run, sqlite3_stmt *row, error *e) {
  (void)run;
  return merge_finding(m, 0, row, e);
}

/* --- proofs -------------------------------------------------------------------------------------------------- */

static int part_row(merging *m, int64_t proof, sqlite3_stmt *row, error *e) {
  int64_t file = 0;
  int found = file_of(m, row, 2, &file, e);
  return found < 0 ? found
                   : sql_run(m->d, SQL_ADD_PROOF_PART, e, "iuttruu", proof, sql_u32(row, 5), text_of(row, 0),
                             text_of(row, 1), found == 1 ? file : 0, sql_u32(row, 3), sql_u32(row, 4));
}

static int copy_proof(merging *m, int64_t run, int64_t program, sqlite3_stmt *row, int64_t *new, error *e) {
  int64_t file = 0;
  int found = file_of(m, row, 4, &file, e);
  if (found < 0) {
    return -1;
  }
  int result =
      sql_run(m->d, SQL_ADD_PROOF, e, "iirtruttuudiinni", run, program,
              merge_translate(&m->kernels, sqlite3_column_int64(row, 2)), text_of(row, 3), found == 1 ? file : 0,
              sql_u32(row, 5), text_of(row, 6), text_of(row, 7), sql_u32(row, 8), sql_u32(row, 9),
              sqlite3_column_double(row, 10), sqlite3_column_int64(row, 11), sqlite3_column_int64(row, 12),
              text_of(row, 16), text_of(row, 17), sqlite3_column_int64(row, 13));
  *new = sqlite3_last_insert_rowid(m->d->handle);
  return result == 0 ? merge_rows(m, SQL_PROOF_PARTS, sqlite3_column_int64(row, 0), *new, part_row, e) : result;
}

int merge_proof(merging *m, int64_t run, sqlite3_stmt *row, error *e) {
  const int64_t program = merge_translate(&m->programs, sqlite3_column_int64(row, 1));
  int64_t new = 0;
  if (program == 0) {
    return 0;
  }
  int found = sql_number(m->d, SQL_FIND_RUN_PROOF, &new, e, "iit", run, program, text_of(row, 3));
  int result = found < 0 ? -1 : 0;
  if (found == 1 && m->newer) {
    result = db_drop_proof(m->d, new, e);
  }
  if (result == 0 && (found == 0 || m->newer)) {
    result = copy_proof(m, run, program, row, &new, e);
  }
  merge_add_range(&m->proofs, sqlite3_column_int64(row, 0), new, 1);
  return result;
}
