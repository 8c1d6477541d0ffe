/* Structs are rows: their lists of columns write, read and free them. */
#include "db/columns.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "db/internal.h"

#define KIND_OF(field) \
  _Generic((field),               \
           bool                   \
           : COLUMN_BOOL, uint32_t \
           : COLUMN_U32, uint64_t \
           : COLUMN_U64, int64_t  \
           : COLUMN_I64, double   \
           : COLUMN_REAL, db_number \
           : COLUMN_NUMBER, char * \
           : COLUMN_TEXT, const char *: COLUMN_TEXT)
#define COLUMN(T, field, name) {KIND_OF(((T *)NULL)->field), offsetof(T, field)},
#define DEFINE_COLUMNS(type, list)                             \
  static const db_column type##_list[] = {list(COLUMN, type)}; \
  const db_columns type##_columns = {type##_list, (int)(sizeof type##_list / sizeof type##_list[0])};
DB_STRUCTS(DEFINE_COLUMNS)

/* Any of the fields. */
typedef union field {
  bool truth;
  uint32_t u32;
  uint64_t u64;
  int64_t i64;
  double real;
  db_number number;
  char *text;
} field;

static const size_t sizes[] = {
    [COLUMN_BOOL] = sizeof(bool),   [COLUMN_U32] = sizeof(uint32_t), [COLUMN_U64] = sizeof(uint64_t),
    [COLUMN_I64] = sizeof(int64_t), [COLUMN_REAL] = sizeof(double),  [COLUMN_NUMBER] = sizeof(db_number),
    [COLUMN_TEXT] = sizeof(char *),
};

static int bind_natural(sqlite3_stmt *statement, int index, uint64_t n) {
  return sqlite3_bind_int64(statement, index, n > INT64_MAX ? INT64_MAX : (int64_t)n);
}

static int bind(sqlite3_stmt *statement, int index, const db_column *c, const void *from) {
  field f = {0};
  memcpy(&f, (const char *)from + c->offset, sizes[c->kind]);
  switch (c->kind) {
    case COLUMN_BOOL: return sqlite3_bind_int64(statement, index, f.truth);
    case COLUMN_U32: return sqlite3_bind_int64(statement, index, f.u32);
    case COLUMN_U64: return bind_natural(statement, index, f.u64);
    case COLUMN_I64: return sqlite3_bind_int64(statement, index, f.i64);
    case COLUMN_REAL: return sqlite3_bind_double(statement, index, f.real);
    case COLUMN_NUMBER:
      return f.number.known
                 ? sqlite3_bind_int64(statement, index, (int64_t)f.number.value) /* its bits: it may be below 0 */
                 : sqlite3_bind_null(statement, index);
    default: return sqlite3_bind_text(statement, index, f.text == NULL ? "" : f.text, -1, SQLITE_STATIC);
  }
}

int sql_bind_columns(sqlite3_stmt *statement, int first, const db_columns *columns, const void *from) {
  int rc = SQLITE_OK;
  for (int i = 0; rc == SQLITE_OK && i < columns->count; i++) rc = bind(statement, first + i, &columns->list[i], from);
  return rc;
}

static field read(sqlite3_stmt *row, int index, db_column_kind kind) {
  switch (kind) {
    case COLUMN_BOOL: return (field){.truth = sqlite3_column_int64(row, index) != 0};
    case COLUMN_U32: return (field){.u32 = sql_u32(row, index)};
    case COLUMN_U64: return (field){.u64 = (uint64_t)sqlite3_column_int64(row, index)};
    case COLUMN_I64: return (field){.i64 = sqlite3_column_int64(row, index)};
    case COLUMN_REAL: return (field){.real = sqlite3_column_double(row, index)};
    case COLUMN_NUMBER:
      return (field){
          .number = {sqlite3_column_type(row, index) != SQLITE_NULL, (uint64_t)sqlite3_column_int64(row, index)}};
    default: return (field){.text = sql_text(row, index)};
  }
}

int sql_read(sqlite3_stmt *row, int first, const db_columns *columns, void *to) {
  assert(first + columns->count <= sqlite3_column_count(row));
  for (int i = 0; i < columns->count; i++) {
    const db_column *c = &columns->list[i];
    const field f = read(row, first + i, c->kind);
    memcpy((char *)to + c->offset, &f, sizes[c->kind]);
  }
  return first + columns->count;
}

void sql_free(const db_columns *columns, const void *of) {
  for (int i = 0; i < columns->count; i++) {
    if (columns->list[i].kind == COLUMN_TEXT) {
      char *text = NULL;
      memcpy(&text, (const char *)of + columns->list[i].offset, sizeof text);
      free(text);
    }
  }
}
