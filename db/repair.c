/* Patches: writing them, and those of a view. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "db/internal.h"
#include "db/view_build.h"

int db_add_repair(db *d, int64_t program, const db_repair *r, error *e) {
  return sql_write(d, SQL_ADD_REPAIR, e, "iic", r->run, program, &db_repair_columns, r);
}

void view_free_repairs(view *v) {
  for (size_t i = 0; i < v->repair_count; i++) {
    sql_free(&db_repair_columns, &v->repairs[i]);
  }
  free(v->repairs);
}

/* Rows come with the oldest run first. */
static void add_repair(build *b, sqlite3_stmt *row) {
  view *v = b->v;
  char *sha256 = sql_text(row, 1);
  uint32_t line = 0;
  db_repair r = {.run = sqlite3_column_int64(row, 0), .file = build_file_of(b, sha256)};
  (void)sql_read(row, 3, &db_repair_columns, &r);
  build_place_line(b, sha256, &r.file, &line);
  free(sha256);
  size_t kept = 0;
  for (size_t i = 0; i < v->repair_count; i++) {
    if (v->repairs[i].run != r.run && strcmp(v->repairs[i].name, r.name) == 0) {
      sql_free(&db_repair_columns, &v->repairs[i]);
    } else {
      v->repairs[kept++] = v->repairs[i];
    }
  }
  v->repair_count = kept;
  *ARRAY_ADD(v->repairs, v->repair_count, b->repair_capacity) = r;
}

static int by_name(const void *a, const void *b) {
  return strcmp(((const db_repair *)a)->name, ((const db_repair *)b)->name);
}

int build_repairs(build *b, const id_list *runs, error *e) {
  const int result = build_read_rows(b, SQL_REPAIRS, runs, add_repair, e);
  if (b->v->repair_count > 1) {
    qsort(b->v->repairs, b->v->repair_count, sizeof *b->v->repairs, by_name);
  }
  return result;
}
