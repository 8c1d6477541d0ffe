/* Remembered answers of a device's compiler. */
#include "db/internal.h"

int db_get_fact(db *d, const char *device, const char *expression, int *value, error *e) {
  int64_t stored = -1;
  int found = sql_number(d, SQL_GET_FACT, &stored, e, "tt", device, expression);
  *value = found == 1 ? stored != 0 : -1;
  return found < 0 ? -1 : 0;
}

int db_each_fact(db *d, const char *device, void (*take)(void *context, const char *expression, bool value),
                 void *context, error *e) {
  int step = 0;
  sqlite3_stmt *row = sql_rows(d, SQL_FACTS_OF, &step, e, "t", device);
  for (; step == 1; step = sql_step(d, row, e)) {
    take(context, (const char *)sqlite3_column_text(row, 0), sqlite3_column_int(row, 1) != 0);
  }
  return step;
}

int db_put_fact(db *d, const char *device, const char *expression, bool value, error *e) {
  return sql_write(d, SQL_PUT_FACT, e, "tti", device, expression, (int64_t)value);
}
