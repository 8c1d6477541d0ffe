/* Copying findings from one database into another. */
#include "db/merge.h"

static const char *text_of(sqlite3_stmt *row, int column) { return (const char *)sqlite3_column_text(row, column); }

/* A row of SQL_FINDING_PLACES. Files are the same where their text is. */
static int place_row(merging *m, int64_t finding, sqlite3_stmt *row, error *e) {
  int64_t file = 0;
  int found = sql_number(m->d, SQL_FIND_FILE, &file, e, "t", text_of(row, 2));
  return found != 1 ? found
                    : sql_run(m->d, SQL_ADD_FINDING_PLACE, e, "iuttiuu", finding, sql_u32(row, 6), text_of(row, 0),
                              text_of(row, 1), file, sql_u32(row, 3), sql_u32(row, 4));
}

static int witness_row(merging *m, int64_t finding, sqlite3_stmt *row, error *e) {
  return sql_run(m->d, SQL_ADD_FINDING_WITNESS, e, "iutt", finding, sql_u32(row, 2), text_of(row, 0), text_of(row, 1));
}

/* `test_case` is one of the other database, 0: none. */
int merge_finding(merging *m, int64_t test_case, sqlite3_stmt *row, error *e) {
  const int64_t old = sqlite3_column_int64(row, 0);
  const int64_t kernel = merge_translate(&m->kernels, sqlite3_column_int64(row, 1));
  const int64_t site = merge_translate(&m->sites, sqlite3_column_int64(row, 2));
  int result = sql_run(m->d, SQL_ADD_FINDING, e, "irrrttt", m->new_run, test_case, kernel, site, text_of(row, 3),
                       text_of(row, 4), text_of(row, 5));
  if (result != 0 || sqlite3_changes(m->d->handle) == 0) {
    return result;
  }
  const int64_t new = sqlite3_last_insert_rowid(m->d->handle);
  result = merge_rows(m, SQL_FINDING_PLACES, old, new, place_row, e);
  return result == 0 ? merge_rows(m, SQL_FINDING_WITNESS, old, new, witness_row, e) : result;
}

int merge_run_finding(merging *m, int64_t run, sqlite3_stmt *row, error *e) {
  (void)run;
  return merge_finding(m, 0, row, e);
}
