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
  const char *root = h->root == NULL ? "" : h->root;
  if (file_id(d, h, &file, e) != 0 ||
      sql_run(d, SQL_ADD_HOME, e, "iiitt", program, (int64_t)position, file, h->name, root) != 0) {
    return -1;
  }
  int64_t home = sqlite3_last_insert_rowid(d->handle);
  for (size_t i = 0; i < h->span_count; i++) {
    const model_span *s = &h->spans[i];
    if (sql_run(d, SQL_ADD_HOME_SPAN, e, "iuuuu", home, s->offset, s->length, s->home_offset, s->home_length) != 0) {
      return -1;
    }
  }
  return 0;
}

int db_put_homes(db *d, int64_t program, const model *m, error *e) {
  int result = sql_run(d, SQL_DROP_HOME_SPANS, e, "i", program);
  result = result == 0 ? sql_run(d, SQL_DROP_HOMES, e, "i", program) : result;
  for (size_t i = 0; i < m->file_count; i++) {
    for (size_t k = 0; k < m->files[i].home_count && result == 0; k++) {
      result = add_home(d, program, i, &m->files[i].homes[k], e);
    }
  }
  return result;
}

static int read_spans(db *d, int64_t home, model_home *h, error *e) {
  sqlite3_stmt *row = sql_bind(d, SQL_HOME_SPANS, e, "i", home);
  int step = row == NULL ? -1 : sql_step(d, row, e);
  for (; step == 1; step = sql_step(d, row, e)) {
    model_span s = {sql_u32(row, 0), sql_u32(row, 1), sql_u32(row, 2), sql_u32(row, 3)};
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
  sqlite3_stmt *row = sql_bind(d, SQL_PROGRAM_HOMES, e, "i", program);
  int step = row == NULL ? -1 : sql_step(d, row, e);
  for (; step == 1; step = sql_step(d, row, e)) {
    uint32_t position = sql_u32(row, 1);
    if (position >= m->file_count) {
      continue;
    }
    model_file *f = &m->files[position];
    model_home *h = ARRAY_ADD(f->homes, f->home_count, f->home_capacity);
    const void *text = sqlite3_column_blob(row, 5);
    h->name = sql_text(row, 2);
    h->root = sql_text(row, 3);
    h->length = text == NULL ? 0 : (size_t)sqlite3_column_bytes(row, 5);
    h->text = mem_strndup(text == NULL ? "" : text, h->length);
    char *sha256 = sql_text(row, 4);
    (void)strncpy(h->sha256, sha256, sizeof h->sha256 - 1);
    free(sha256);
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
