/* Copying launches, schedules and explanations from one database into another. */
#include <stdlib.h>

#include "base/memory.h"
#include "db/merge.h"

static int schedule_row(merging *m, int64_t launch, sqlite3_stmt *row, error *e) {
  static const merge_copy reached = {SQL_REACHED, SQL_ADD_REACHED, "S="};
  db_schedule s;
  (void)sql_read(row, 1, &db_schedule_columns, &s);
  int64_t old = sqlite3_column_int64(row, 0);
  int64_t new = 0;
  const int result = db_put_schedule(m->d, launch, &s, &new, e);
  sql_free(&db_schedule_columns, &s);
  if (result != 0) {
    return -1;
  }
  merge_add_range(&m->schedules, old, new, 1);
  return merge_copies(m, &reached, old, new, e);
}

int merge_nth_launch(merging *m, int64_t test_case, sqlite3_stmt *row, error *e) {
  const int64_t kernel = merge_translate(&m->kernels, sqlite3_column_int64(row, 1));
  db_launch l;
  int64_t new = 0;
  if (kernel == 0) {
    return 0;
  }
  (void)sql_read(row, 2, &db_launch_columns, &l);
  const int result = db_put_launch(m->d, test_case, kernel, &l, &new, e);
  sql_free(&db_launch_columns, &l);
  return result == 0 ? merge_rows(m, SQL_SCHEDULES, sqlite3_column_int64(row, 0), new, schedule_row, e) : -1;
}

/* Files are the same where their text is, whatever a program calls them. */
int merge_explanations(merging *m, error *e) {
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
