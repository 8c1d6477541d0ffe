/* Homes of sources: stored with a program, newest first found wins, and read back into its model. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "db/internal.h"

static int file_id(db *d, const model_home *h, int64_t *id, error *e) {
  int found = sql_number(d, SQL_FIND_FILE, id, e, "t", h->sha256);
  if (found == 0) {
    found = sql_run(d, SQL_ADD_FILE, e, "tb", h->sha256, h->text, h->length);
    *id = sqlite3_last_insert_rowid(d->handle);
  }
  return found < 0 ? -1 : 0;
}

static int add_home(db *d, int64_t program, size_t position, const model_home *h, error *e) {
  int64_t file = 0;
  if (file_id(d, h, &file, e) != 0 ||
      sql_run(d, SQL_ADD_HOME, e, "iiic", program, (int64_t)position, file, &model_home_columns, h) != 0) {
    return -1;
  }
  int64_t home = sqlite3_last_insert_rowid(d->handle);
  for (size_t i = 0; i < h->span_count; i++) {
    if (sql_run(d, SQL_ADD_HOME_SPAN, e, "ic", home, &model_span_columns, &h->spans[i]) != 0) {
      return -1;
    }
  }
  return 0;
}

int db_put_homes(db *d, int64_t program, const model *m, error *e) {
  if (sql_run(d, SQL_DROP_HOME_SPANS, e, "i", program) != 0 || sql_run(d, SQL_DROP_HOMES, e, "i", program) != 0) {
    return -1;
  }
  for (size_t i = 0; i < m->file_count; i++) {
    for (size_t k = 0; k < m->files[i].home_count; k++) {
      if (add_home(d, program, i, &m->files[i].homes[k], e) != 0) {
        return -1;
      }
    }
  }
  return 0;
}

static int read_spans(db *d, int64_t home, model_home *h, error *e) {
  int step = 0;
  for (sqlite3_stmt *row = sql_rows(d, SQL_HOME_SPANS, &step, e, "i", home); step == 1; step = sql_step(d, row, e)) {
    model_span s;
    (void)sql_read(row, 1, &model_span_columns, &s);
    const model_span *last = h->span_count == 0 ? NULL : &h->spans[h->span_count - 1];
    bool behind = last == NULL || s.offset - last->offset >= last->length;
    if (behind && s.home_offset <= h->length && s.home_length <= h->length - s.home_offset) { /* else damaged */
      *ARRAY_ADD(h->spans, h->span_count, h->span_capacity) = s;
    }
  }
  return step;
}

/* The row ids of the homes of all files, in the order in which they are in the model. */
static int read_homes(db *d, int64_t program, model *m, id_list *ids, error *e) {
  int step = 0;
  sqlite3_stmt *row = sql_rows(d, SQL_PROGRAM_HOMES, &step, e, "i", program);
  for (; step == 1; step = sql_step(d, row, e)) {
    uint32_t position = sql_u32(row, 1);
    if (position >= m->file_count) {
      continue;
    }
    model_file *f = &m->files[position];
    model_home *h = ARRAY_ADD(f->homes, f->home_count, f->home_capacity);
    sql_read_file(row, 2, h->sha256, &h->text, &h->length);
    (void)sql_read(row, 4, &model_home_columns, h);
    *ARRAY_ADD(ids->ids, ids->count, ids->capacity) = sqlite3_column_int64(row, 0);
  }
  return step;
}

int db_read_homes(db *d, int64_t program, model *m, error *e) {
  id_list ids = {0};
  int result = read_homes(d, program, m, &ids, e);
  size_t n = 0;
  for (size_t i = 0; i < m->file_count; i++) {
    for (size_t k = 0; k < m->files[i].home_count && result == 0; k++) {
      result = read_spans(d, ids.ids[n++], &m->files[i].homes[k], e);
    }
  }
  free(ids.ids);
  return result;
}
