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

int db_put_launch(db *d, int64_t test_case, const db_launch *l, int64_t *row, error *e) {
  *row = 0;
  if (db_begin_write(d, e) != 0) {
    return -1;
  }
  int result = sql_run(d, SQL_PUT_LAUNCH, e, "iiuuuut", test_case, l->kernel, l->number, l->groups, l->local,
                       l->together, l->skipped);
  if (result == 0) {
    result = found(d, sql_number(d, SQL_FIND_LAUNCH, row, e, "iiu", test_case, l->kernel, l->number), "launch", e);
  }
  return db_end_write(d, result, e);
}

int db_put_schedule(db *d, int64_t launch, const db_schedule *s, int64_t *row, error *e) {
  *row = 0;
  if (db_begin_write(d, e) != 0) {
    return -1;
  }
  int result = sql_run(d, SQL_PUT_SCHEDULE, e, "ittuutti", launch, s->order, s->gate, s->target, s->seed, s->verdict,
                       s->outcomes, (int64_t)s->meant);
  if (result == 0) {
    result = found(d, sql_number(d, SQL_FIND_SCHEDULE, row, e, "ittuu", launch, s->order, s->gate, s->target, s->seed),
                   "schedule", e);
  }
  return db_end_write(d, result, e);
}

/* --- why it is so --------------------------------------------------------------------------------------------- */

static int64_t stored_number(uint64_t n) { return n > INT64_MAX ? INT64_MAX : (int64_t)n; }

int db_write_explanation(db *d, int64_t schedule, const db_explanation *x, int64_t file, error *e) {
  return sql_run(d, SQL_PUT_EXPLANATION, e, "itrtiiittrut", schedule, x->text, x->other, x->argument,
                 stored_number(x->first), stored_number(x->last), stored_number(x->differing), x->reference, x->seen,
                 file, x->line, x->unfinished);
}

int db_put_explanation(db *d, int64_t schedule, const db_explanation *x, error *e) {
  if (db_begin_write(d, e) != 0) {
    return -1;
  }
  int64_t file = 0; /* of the kernel's program; NULL when it has none of that name */
  int result = sql_number(d, SQL_SCHEDULE_FILE, &file, e, "it", schedule, x->file) < 0 ? -1 : 0;
  result = result == 0 ? db_write_explanation(d, schedule, x, file, e) : result;
  return db_end_write(d, result, e);
}

int db_add_reached(db *d, int64_t schedule, int64_t site, uint32_t outcome, error *e) {
  if (db_begin_write(d, e) != 0) {
    return -1;
  }
  return db_end_write(d, sql_run(d, SQL_ADD_REACHED, e, "iiu", schedule, site, outcome), e);
}

/* --- once more ------------------------------------------------------------------------------------------------ */

int db_get_replay(db *d, int64_t schedule, db_replay *out, error *e) {
  *out = (db_replay){0};
  sqlite3_stmt *row = sql_bind(d, SQL_GET_REPLAY, e, "i", schedule);
  int step = row == NULL ? -1 : sql_step(d, row, e);
  if (step == 0) {
    return error_set(
        e, EXIT_USAGE,
        "%s holds no schedule %lld; `cltestcheck report` prints the ids of those that failed, `cltestcheck "
        "report --format json` all",
        d->path, (long long)schedule);
  }
  if (step != 1) {
    return -1;
  }
  *out = (db_replay){
      .suite = sql_text(row, 0),
      .name = sql_text(row, 1),
      .command_line = sql_text(row, 2),
      .kernel = sql_text(row, 3),
      .launch = sql_u32(row, 4),
      .groups = sql_u32(row, 5),
      .order = sql_text(row, 6),
      .gate = sql_text(row, 7),
      .target = sql_u32(row, 8),
      .seed = sql_u32(row, 9),
      .settings = sql_text(row, 10),
  };
  (void)sqlite3_reset(row);
  return 0;
}

void db_free_replay(db_replay *r) {
  char *const texts[] = {r->suite, r->name, r->command_line, r->kernel, r->order, r->gate, r->settings};
  for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
    free(texts[i]);
  }
  *r = (db_replay){0};
}
