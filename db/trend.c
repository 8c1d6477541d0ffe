/* The totals of runs: kept when a run ends, read for a trend. */
#include <stdlib.h>

#include "base/memory.h"
#include "db/view_build.h"

int db_put_totals(db *d, int64_t run, const db_total *totals, size_t count, error *e) {
  if (db_begin_write(d, e) != 0) {
    return -1;
  }
  int result = sql_run(d, SQL_DROP_TOTALS, e, "i", run);
  for (size_t i = 0; result == 0 && i < count; i++) {
    result = sql_run(d, SQL_ADD_TOTAL, e, "itii", run, totals[i].metric, (int64_t)totals[i].covered,
                     (int64_t)totals[i].total);
  }
  return db_end_write(d, result, e);
}

/* Rows of a run follow each other. */
static void add_row(view *v, size_t *capacity, size_t *metric_capacity, sqlite3_stmt *row) {
  int64_t run = sqlite3_column_int64(row, 0);
  if (v->trend_count == 0 || v->trend[v->trend_count - 1].run != run) {
    view_trend *added = ARRAY_ADD(v->trend, v->trend_count, *capacity);
    *added = (view_trend){
        .run = run, .command = sql_text(row, 1), .started = sql_text(row, 2), .programs = sql_text(row, 6)};
    *metric_capacity = 0;
  }
  view_trend *t = &v->trend[v->trend_count - 1];
  *ARRAY_ADD(t->metrics, t->metric_count, *metric_capacity) =
      (db_total){.metric = sql_text(row, 3),
                 .covered = (unsigned long)sqlite3_column_int64(row, 4),
                 .total = (unsigned long)sqlite3_column_int64(row, 5)};
}

static int read_trend(db *d, view *v, error *e) {
  view_free_trend(v);
  size_t capacity = 0;
  size_t metric_capacity = 0;
  int step = 0;
  sqlite3_stmt *row = sql_rows(d, SQL_TREND, &step, e, "i", (int64_t)TREND_RUNS);
  for (; step == 1; step = sql_step(d, row, e)) {
    add_row(v, &capacity, &metric_capacity, row);
  }
  return step;
}

int build_trend(build *b, error *e) { return read_trend(b->d, b->v, e); }

int db_load_trend(db *d, view *v, error *e) {
  if (db_begin_read(d, e) != 0) {
    return -1;
  }
  int result = read_trend(d, v, e);
  db_end_read(d);
  return result;
}

void view_free_trend(view *v) {
  for (size_t i = 0; i < v->trend_count; i++) {
    for (size_t k = 0; k < v->trend[i].metric_count; k++) {
      free((void *)v->trend[i].metrics[k].metric);
    }
    free(v->trend[i].metrics);
    free(v->trend[i].command);
    free(v->trend[i].started);
    free(v->trend[i].programs);
  }
  free(v->trend);
  v->trend = NULL;
  v->trend_count = 0;
}
