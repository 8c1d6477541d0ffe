/* The list of runs. */
#include <stdlib.h>

#include "base/memory.h"
#include "db/internal.h"

int db_list_runs(db *d, run_summary **out, size_t *count, error *e) {
  *out = NULL;
  *count = 0;
  size_t capacity = 0;
  int step = 0;
  for (sqlite3_stmt *row = sql_rows(d, SQL_LIST_RUNS, &step, e, ""); step == 1; step = sql_step(d, row, e)) {
    run_summary *run = ARRAY_ADD(*out, *count, capacity);
    run->id = sqlite3_column_int64(row, 0);
    run->command = sql_text(row, 1);
    run->started = sql_text(row, 2);
    run->device = sql_text(row, 3);
    run->exit = sqlite3_column_type(row, 4) == SQLITE_NULL ? -1 : sqlite3_column_int(row, 4);
    run->revision = sql_text(row, 6);
    run->test_cases = (size_t)sqlite3_column_int64(row, 5);
    run->program = sql_text(row, 8);
    run->findings = (size_t)sqlite3_column_int64(row, 9);
    run->survivors = (size_t)sqlite3_column_int64(row, 10);
    run->settings = sql_text(row, 11);
    char *process = sql_text(row, 7);
    run->running = run->exit < 0 && db_process_lives(process);
    free(process);
  }
  if (step != 0) {
    db_free_runs(*out, *count);
    *out = NULL;
    *count = 0;
  }
  return step;
}

void db_free_runs(run_summary *runs, size_t count) {
  for (size_t i = 0; i < count; i++) {
    free(runs[i].command);
    free(runs[i].started);
    free(runs[i].device);
    free(runs[i].revision);
    free(runs[i].program);
    free(runs[i].settings);
  }
  free(runs);
}
