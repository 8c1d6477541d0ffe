/* Writing what schedule amplification finds: launches, schedules, explanations; reading a schedule to run it again. */
#include <stdlib.h>

#include "db/internal.h"

/* Runs a statement's result through: the row that was put is found by what identifies it, as it may be an old one. */
static int found(const db *d, int number, const char *what, error *e) {
  return number == 1 ? 0
         : number < 0
             ? -1
             : error_set(e, EXIT_INTERNAL,
                         "a %s that was just stored in %s is not there; please report this as a fault", what, d->path);
}

int db_put_launch(db *d, int64_t test_case, int64_t kernel, const db_launch *l, int64_t *row, error *e) {
  *row = 0;
  if (db_begin_write(d, e) != 0) {
    return -1;
  }
  int result = sql_run(d, SQL_PUT_LAUNCH, e, "iic", test_case, kernel, &db_launch_columns, l);
  if (result == 0) {
    result = found(d, sql_number(d, SQL_FIND_LAUNCH, row, e, "iiu", test_case, kernel, l->number), "launch", e);
  }
  return db_end_write(d, result, e);
}

int db_put_schedule(db *d, int64_t launch, const db_schedule *s, int64_t *row, error *e) {
  *row = 0;
  if (db_begin_write(d, e) != 0) {
    return -1;
  }
  int result = sql_run(d, SQL_PUT_SCHEDULE, e, "ic", launch, &db_schedule_columns, s);
  if (result == 0) {
    result = found(d, sql_number(d, SQL_FIND_SCHEDULE, row, e, "ittuu", launch, s->order, s->gate, s->target, s->seed),
                   "schedule", e);
  }
  return db_end_write(d, result, e);
}

/* --- why it is so --------------------------------------------------------------------------------------------- */

int db_write_explanation(db *d, int64_t schedule, const db_explanation *x, int64_t file, error *e) {
  return sql_run(d, SQL_PUT_EXPLANATION, e, "irrcc", schedule, x->other, file, &db_explanation_columns, x,
                 &db_why_columns, &x->why);
}

static int put_explained(db *d, int64_t schedule, const db_explanation *x, error *e) {
  int result = sql_run(d, SQL_DROP_EXPLAINED, e, "i", schedule);
  for (size_t i = 0; result == 0 && i < x->place_count; i++) {
    const db_explained *p = &x->places[i];
    int64_t file = 0;
    result = sql_number(d, SQL_EXPLAINED_FILE, &file, e, "iu", schedule, p->file) < 0
                 ? -1
                 : sql_run(d, SQL_ADD_EXPLAINED, e, "iurc", schedule, (uint32_t)i, file, &db_explained_columns, p);
  }
  return result;
}

int db_put_explanation(db *d, int64_t schedule, const db_explanation *x, error *e) {
  if (db_begin_write(d, e) != 0) {
    return -1;
  }
  int64_t file = 0; /* of the kernel's program; NULL when it has none of that name */
  const int found = sql_number(d, SQL_SCHEDULE_FILE, &file, e, "it", schedule, x->file_name);
  const bool written = found >= 0 && db_write_explanation(d, schedule, x, file, e) == 0;
  return db_end_write(d, written ? put_explained(d, schedule, x, e) : -1, e);
}

int db_add_reached(db *d, int64_t schedule, int64_t site, uint32_t outcome, error *e) {
  return sql_write(d, SQL_ADD_REACHED, e, "iiu", schedule, site, outcome);
}

/* --- once more ------------------------------------------------------------------------------------------------ */

int db_get_replay(db *d, int64_t schedule, db_replay *out, error *e) {
  *out = (db_replay){0};
  int step = 0;
  sqlite3_stmt *row = sql_rows(d, SQL_GET_REPLAY, &step, e, "i", schedule);
  if (step == 0) {
    return error_set(e, EXIT_USAGE,
                     "%s holds no schedule %lld; `cltestcheck report` prints the ids of those that failed, "
                     "`cltestcheck report --format json` all",
                     d->path, (long long)schedule);
  }
  if (step != 1) {
    return -1;
  }
  (void)sql_read(row, 1, &db_replay_columns, out);
  (void)sqlite3_reset(row);
  return 0;
}

void db_free_replay(db_replay *r) {
  sql_free(&db_replay_columns, r);
  *r = (db_replay){0};
}
