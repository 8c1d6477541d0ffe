/* Copying findings and proofs from one database into another. Files are the same where their text is; what is at a file
 * that is not there stays behind. */
#include "db/merge.h"

static const char *text_of(sqlite3_stmt *row, int column) { return (const char *)sqlite3_column_text(row, column); }

/* --- findings ------------------------------------------------------------------------------------------------ */

static const merge_copy parts[] = {
    {SQL_FINDING_PLACES, SQL_ADD_FINDING_PLACE, "=F="},   {SQL_FINDING_WITNESS, SQL_ADD_FINDING_WITNESS, "="},
    {SQL_FINDING_COMMANDS, SQL_ADD_FINDING_COMMAND, "="}, {SQL_FINDING_INLINED, SQL_ADD_FINDING_INLINED, "==F="},
    {SQL_FINDING_STEPS, SQL_ADD_FINDING_STEP, "=F="},
};

/* `test_case` is one of the other database, 0: none. */
int merge_finding(merging *m, int64_t test_case, sqlite3_stmt *row, error *e) {
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
  if (result != 0 || sqlite3_changes(m->d->handle) == 0) {
    return result;
  }
  const int64_t new = sqlite3_last_insert_rowid(m->d->handle);
  for (size_t i = 0; result == 0 && i < sizeof parts / sizeof parts[0]; i++) {
    result = merge_copies(m, &parts[i], old, new, e);
  }
  return result;
}

int merge_run_finding(merging *m, int64_t run, sqlite3_stmt *row, error *e) {
  (void)run;
  return merge_finding(m, 0, row, e);
}

/* --- proofs -------------------------------------------------------------------------------------------------- */

static int copy_proof(merging *m, int64_t run, sqlite3_stmt *row, int64_t *new, error *e) {
  static const merge_copy proof = {SQL_PROOFS, SQL_ADD_PROOF, "---Pkf="};
  static const merge_copy proof_parts = {SQL_PROOF_PARTS, SQL_ADD_PROOF_PART, "==f="};
  if (merge_copy_row(m, &proof, run, row, e) != 0) {
    return -1;
  }
  *new = sqlite3_last_insert_rowid(m->d->handle);
  return merge_copies(m, &proof_parts, sqlite3_column_int64(row, 0), *new, e);
}

int merge_proof(merging *m, int64_t run, sqlite3_stmt *row, error *e) {
  const int64_t program = merge_translate(&m->programs, sqlite3_column_int64(row, 3));
  int64_t new = 0;
  if (program == 0) {
    return 0;
  }
  int found = sql_number(m->d, SQL_FIND_RUN_PROOF, &new, e, "iit", run, program, text_of(row, 8));
  int result = found < 0 ? -1 : 0;
  if (found == 1 && m->newer) {
    result = db_drop_proof(m->d, new, e);
  }
  if (result == 0 && (found == 0 || m->newer)) {
    result = copy_proof(m, run, row, &new, e);
  }
  merge_add_range(&m->proofs, sqlite3_column_int64(row, 0), new, 1);
  return result;
}
