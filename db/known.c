/* What earlier runs found and later ones need not find again: verdicts and compiled mutants, by digests of all that
 * they depend on. What a key is made of is the campaign's matter. */
#include <string.h>

#include "db/internal.h"

int db_keep_verdict(db *d, int64_t test_case, int64_t mutant, const char *key, bool reused, error *e) {
  return sql_write(d, SQL_KEEP_VERDICT, e, "tiii", key, (int64_t)reused, test_case, mutant);
}

int db_find_verdict(db *d, const char *key, uint32_t runs, int64_t *test_case, mutant_verdict *v, error *e) {
  *v = (mutant_verdict){0};
  *test_case = 0;
  int step = 0;
  sqlite3_stmt *row = sql_rows(d, SQL_KNOWN_VERDICT, &step, e, "tu", key, runs);
  if (step == 1) {
    *test_case = sqlite3_column_int64(row, 0);
    *v = sql_verdict(row, 1);
    (void)sqlite3_reset(row);
  }
  return step < 0 ? -1 : 0;
}

int db_keep_revealed(db *d, int64_t test_case, int64_t mutant, mutant_revealed revealed, const char *key, error *e) {
  return sql_write(d, SQL_KEEP_REVEALED, e, "inii", (int64_t)revealed, key[0] == '\0' ? NULL : key, test_case, mutant);
}

int db_find_revealed(db *d, const char *key, mutant_revealed *revealed, error *e) {
  *revealed = REVEALED_UNKNOWN;
  int step = 0;
  sqlite3_stmt *row = sql_rows(d, SQL_KNOWN_REVEALED, &step, e, "t", key);
  if (step == 1) {
    *revealed = sql_revealed(row, 0);
    (void)sqlite3_reset(row);
  }
  return step < 0 ? -1 : 0;
}

int db_put_code(db *d, const char *key, const db_code *code, error *e) {
  return sql_write(d, SQL_PUT_CODE, e, "tit", key, (int64_t)code->built, code->digest);
}

int db_find_code(db *d, const char *key, bool *found, db_code *code, error *e) {
  *found = false;
  *code = (db_code){0};
  int step = 0;
  sqlite3_stmt *row = sql_rows(d, SQL_GET_CODE, &step, e, "t", key);
  if (step == 1) {
    const char *digest = (const char *)sqlite3_column_text(row, 1);
    *found = true;
    code->built = sqlite3_column_int(row, 0) != 0;
    (void)strncpy(code->digest, digest == NULL ? "" : digest, sizeof code->digest - 1);
    (void)sqlite3_reset(row);
  }
  return step < 0 ? -1 : 0;
}
