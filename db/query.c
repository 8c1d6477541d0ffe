/* Running a statement of the table: prepare once, bind, step. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "db/internal.h"

static sqlite3_stmt *prepared(db *d, sql which, error *e) {
  if (d->statements[which] == NULL) {
    if (sqlite3_prepare_v3(d->handle, sql_texts[which], -1, SQLITE_PREPARE_PERSISTENT, &d->statements[which], NULL) !=
        SQLITE_OK) {
      (void)db_failed(d, e);
      return NULL;
    }
  }
  (void)sqlite3_reset(d->statements[which]);
  return d->statements[which];
}

/* Binds one parameter; takes its value from `args`. */
static int bind_one(sqlite3_stmt *statement, int index, char type, va_list *args) {
  switch (type) {
    case 'i':
      return sqlite3_bind_int64(statement, index, va_arg(*args, int64_t));
    case 'u':
      return sqlite3_bind_int64(statement, index, va_arg(*args, uint32_t));
    case 'r': {
      int64_t id = va_arg(*args, int64_t);
      return id == 0 ? sqlite3_bind_null(statement, index) : sqlite3_bind_int64(statement, index, id);
    }
    case 'd':
      return sqlite3_bind_double(statement, index, va_arg(*args, double));
    case 'n':
      return sqlite3_bind_text(statement, index, va_arg(*args, const char *), -1, SQLITE_STATIC);
    case 't': {
      const char *text = va_arg(*args, const char *);
      return sqlite3_bind_text(statement, index, text == NULL ? "" : text, -1, SQLITE_STATIC);
    }
    default: {
      const void *bytes = va_arg(*args, const void *);
      size_t length = va_arg(*args, size_t);
      return sqlite3_bind_blob64(statement, index, bytes == NULL ? "" : bytes, length, SQLITE_STATIC);
    }
  }
}

static sqlite3_stmt *bind_all(db *d, sql which, error *e, const char *types, va_list *args) {
  sqlite3_stmt *statement = prepared(d, which, e);
  int index = 1;
  for (const char *type = types; statement != NULL && *type != '\0'; type++) {
    const db_columns *columns = *type == 'c' ? va_arg(*args, const db_columns *) : NULL;
    const int rc = columns != NULL ? sql_bind_columns(statement, index, columns, va_arg(*args, const void *))
                                   : bind_one(statement, index, *type, args);
    if (rc != SQLITE_OK) {
      (void)db_failed(d, e);
      return NULL;
    }
    index += columns != NULL ? columns->count : 1;
  }
  return statement;
}

sqlite3_stmt *sql_bind(db *d, sql which, error *e, const char *types, ...) {
  va_list args;
  va_start(args, types);
  sqlite3_stmt *statement = bind_all(d, which, e, types, &args);
  va_end(args);
  return statement;
}

int sql_step(db *d, sqlite3_stmt *statement, error *e) {
  int rc = sqlite3_step(statement);
  if (rc == SQLITE_ROW) {
    return 1;
  }
  if (rc != SQLITE_DONE) {
    (void)db_failed(d, e); /* before the reset, while the message is that of the failure */
  }
  (void)sqlite3_reset(statement);
  return rc == SQLITE_DONE ? 0 : -1;
}

sqlite3_stmt *sql_rows(db *d, sql which, int *step, error *e, const char *types, ...) {
  va_list args;
  va_start(args, types);
  sqlite3_stmt *statement = bind_all(d, which, e, types, &args);
  va_end(args);
  *step = statement == NULL ? -1 : sql_step(d, statement, e);
  return statement;
}

int sql_run(db *d, sql which, error *e, const char *types, ...) {
  va_list args;
  va_start(args, types);
  sqlite3_stmt *statement = bind_all(d, which, e, types, &args);
  va_end(args);
  return statement == NULL ? -1 : sql_step(d, statement, e);
}

int sql_write(db *d, sql which, error *e, const char *types, ...) {
  if (db_begin_write(d, e) != 0) {
    return -1;
  }
  va_list args;
  va_start(args, types);
  sqlite3_stmt *statement = bind_all(d, which, e, types, &args);
  va_end(args);
  return db_end_write(d, statement == NULL ? -1 : sql_step(d, statement, e), e);
}

int sql_number(db *d, sql which, int64_t *value, error *e, const char *types, ...) {
  va_list args;
  va_start(args, types);
  sqlite3_stmt *statement = bind_all(d, which, e, types, &args);
  va_end(args);
  int found = statement == NULL ? -1 : sql_step(d, statement, e);
  if (found == 1) {
    found = sqlite3_column_type(statement, 0) != SQLITE_NULL;
    *value = sqlite3_column_int64(statement, 0);
    (void)sqlite3_reset(statement);
  }
  return found;
}

char *sql_text(sqlite3_stmt *statement, int column) {
  const unsigned char *text = sqlite3_column_text(statement, column);
  return text == NULL ? mem_strdup("")
                      : mem_strndup((const char *)text, (size_t)sqlite3_column_bytes(statement, column));
}

uint32_t sql_u32(sqlite3_stmt *statement, int column) {
  sqlite3_int64 value = sqlite3_column_int64(statement, column);
  return value < 0 || value > UINT32_MAX ? MODEL_NONE : (uint32_t)value;
}

void sql_read_file(sqlite3_stmt *row, int first, char sha256[65], char **text, size_t *length) {
  char *digest = sql_text(row, first);
  const void *bytes = sqlite3_column_blob(row, first + 1);
  (void)snprintf(sha256, 65, "%s", digest);
  free(digest);
  *length = bytes == NULL ? 0 : (size_t)sqlite3_column_bytes(row, first + 1);
  *text = mem_strndup(bytes == NULL ? "" : bytes, *length);
}

mutant_revealed sql_revealed(sqlite3_stmt *statement, int column) {
  const sqlite3_int64 value = sqlite3_column_int64(statement, column);
  return value == REVEALED_NO || value == REVEALED_YES ? (mutant_revealed)value : REVEALED_UNKNOWN;
}

mutant_verdict sql_verdict(sqlite3_stmt *statement, int first) {
  mutant_verdict v = {0};
  v.revealed = sql_revealed(statement, sql_read(statement, first, &mutant_verdict_columns, &v));
  return v;
}

int db_read_ids(db *d, sql which, int64_t key, id_list *list, error *e) {
  int row = 0;
  sqlite3_stmt *statement = sql_rows(d, which, &row, e, "i", key);
  for (; row == 1; row = sql_step(d, statement, e)) {
    *ARRAY_ADD(list->ids, list->count, list->capacity) = sqlite3_column_int64(statement, 0);
  }
  return row;
}
