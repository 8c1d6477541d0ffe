/* Copying launches, schedules and explanations from one database into another. */
#include <stdlib.h>

#include "base/memory.h"
#include "db/merge.h"

static const char *text_of(sqlite3_stmt *row, int column) { return (const char *)sqlite3_column_text(row, column); }

static int reached_row(merging *m, int64_t schedule, sqlite3_stmt *row, error *e) {
  int64_t site = merge_translate(&m->sites, sqlite3_column_int64(row, 0));
  return site == 0 ? 0 : db_add_reached(m->d, schedule, site, sql_u32(row, 1), e);
}

static int schedule_row(merging *m, int64_t launch, sqlite3_stmt *row, error *e) {
  const db_schedule s = {
      .order = text_of(row, 1),
      .gate = text_of(row, 2),
      .target = sql_u32(row, 3),
      .seed = sql_u32(row, 4),
      .verdict = text_of(row, 5),
      .outcomes = text_of(row, 6),
      .meant = sqlite3_column_int(row, 7) != 0,
  };
  int64_t old = sqlite3_column_int64(row, 0);
  int64_t new = 0;
  if (db_put_schedule(m->d, launch, &s, &new, e) != 0) {
    return -1;
  }
  merge_add_range(&m->schedules, old, new, 1);
  return merge_rows(m, SQL_REACHED, old, new, reached_row, e);
}

int merge_nth_launch(merging *m, int64_t test_case, sqlite3_stmt *row, error *e) {
  const db_launch l = {
      .kernel = merge_translate(&m->kernels, sqlite3_column_int64(row, 1)),
      .number = sql_u32(row, 2),
      .groups = sql_u32(row, 3),
      .local = sql_u32(row, 4),
      .together = sql_u32(row, 5),
      .skipped = text_of(row, 6),
  };
  int64_t new = 0;
  if (l.kernel == 0) {
    return 0;
  }
  return db_put_launch(m->d, test_case, &l, &new, e) == 0
             ? merge_rows(m, SQL_SCHEDULES, sqlite3_column_int64(row, 0), new, schedule_row, e)
             : -1;
}

/* A row of SQL_EXPLANATION. Files are the same where their text is, whatever a program calls them. */
static int explanation_row(merging *m, int64_t schedule, sqlite3_stmt *row, error *e) {
  const db_explanation x = {
      .text = text_of(row, 0),
      .other = merge_translate(&m->schedules, sqlite3_column_int64(row, 1)),
      .argument = text_of(row, 2),
      .first = (uint64_t)sqlite3_column_int64(row, 3),
      .last = (uint64_t)sqlite3_column_int64(row, 4),
      .differing = (uint64_t)sqlite3_column_int64(row, 5),
      .reference = text_of(row, 6),
      .seen = text_of(row, 7),
      .line = sql_u32(row, 9),
      .unfinished = text_of(row, 10),
  };
  int64_t file = 0;
  if (sql_number(m->d, SQL_FIND_FILE, &file, e, "t", text_of(row, 8)) < 0) {
    return -1;
  }
  return db_write_explanation(m->d, schedule, &x, file, e);
}

int merge_explanations(merging *m, error *e) {
  id_list explained = {0};
  merge_sort_ranges(&m->schedules);
  int result = db_read_ids(m->from, SQL_RUN_EXPLANATIONS, m->run, &explained, e);
  for (size_t i = 0; result == 0 && i < explained.count; i++) {
    int64_t schedule = merge_translate(&m->schedules, explained.ids[i]);
    if (schedule != 0) {
      result = merge_rows(m, SQL_EXPLANATION, explained.ids[i], schedule, explanation_row, e);
    }
  }
  free(explained.ids);
  return result;
}
