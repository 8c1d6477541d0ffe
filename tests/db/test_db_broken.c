/* Databases that are damaged, or that something else has written into: a sentence and EXIT_USAGE, or a view that every
 * report can be made of, and never a crash. */
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

/* cmocka.h wants these before it. */
/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
/* clang-format on */

#include "base/buffer.h"
#include "base/memory.h"
#include "db/internal.h"
#include "reports/common/report.h"
#include "reports/formats.h"
#include "tests/fixtures/ok.h"
#include "tests/fixtures/proof_fixture.h"
#include "tests/fixtures/report_fixture.h"

/* A database with all kinds of runs, and what it is in bytes. */
typedef struct whole {
  char *path;
  buffer bytes;
} whole;

static bool exec(sqlite3 *handle, const char *query) {
  return sqlite3_exec(handle, query, NULL, NULL, NULL) == SQLITE_OK;
}

static void read_all(const char *path, buffer *to) {
  char part[4096];
  size_t n = 0;
  FILE *in = fopen(path, "rb");
  assert_non_null(in);
  while ((n = fread(part, 1, sizeof part, in)) > 0) buffer_append(to, part, n);
  assert_int_equal(fclose(in), 0);
}

static int make_whole(void **state) {
  error e;
  whole *w = mem_calloc(1, sizeof *w);
  db *d = NULL;
  w->path = fixture_path("whole.db");
  OK(db_open(&d, w->path, DB_WRITE, &e));
  (void)fixture_run(d);
  (void)fixture_mutation(d, 0, 1);
  (void)fixture_proofs(d);
  db_close(d);
  sqlite3 *handle = NULL;
  assert_int_equal(sqlite3_open(w->path, &handle), SQLITE_OK);
  exec(handle,
       "INSERT INTO nth_launch VALUES (1, 1, 1, 0, 4, 8, 2, '');"
       "INSERT INTO schedule VALUES (1, 1, 'first', 'ticket', 2, 0, 'race', '.x', 0);"
       "INSERT INTO explanation VALUES (1, 'text', NULL, 'out', 0, 3, 2, '1', '2', 1, 3, '');"
       "INSERT INTO reached VALUES (1, 2, 0);"
       "INSERT INTO unstable VALUES (1, 'argument 1', 0.5);"
       "PRAGMA journal_mode = DELETE");
  assert_int_equal(sqlite3_close(handle), SQLITE_OK);
  read_all(w->path, &w->bytes);
  *state = w;
  return 0;
}

static int forget_whole(void **state) {
  whole *w = *state;
  buffer_free(&w->bytes);
  fixture_forget(w->path);
  free(w);
  return 0;
}

static void put(const whole *w, const char *bytes, size_t length) {
  FILE *out = fopen(w->path, "wb");
  assert_non_null(out);
  assert_int_equal(fwrite(bytes, 1, length, out), length);
  assert_int_equal(fclose(out), 0);
}

static void write_reports(const view *v) {
  const report_options options = {.show_missed = true};
  error e;
  for (const report_writer *r = report_writers; r->name != NULL; r++) {
    FILE *nowhere = fopen("/dev/null", "w");
    assert_non_null(nowhere);
    OK(r->write(v, &options, nowhere, &e));
    assert_int_equal(fclose(nowhere), 0);
  }
}

/* Opens it to read, loads all there is, writes all reports. Returns whether that went well. */
static bool try_all(const whole *w, const char *what) {
  static const int64_t runs[] = {1, 2, 3};
  error e = {0};
  db *d = NULL;
  view v;
  int result = db_open(&d, w->path, DB_READ, &e);
  run_summary *list = NULL;
  size_t count = 0;
  result = result == 0 ? db_list_runs(d, &list, &count, &e) : result;
  result = result == 0 ? db_load(d, runs, 3, &v, &e) : result;
  if (result == 0) {
    write_reports(&v);
    view_free(&v);
    result = db_load(d, NULL, 0, &v, &e);
    if (result == 0) view_free(&v);
  }
  if (result != 0 && (e.code != EXIT_USAGE || strstr(e.text, "whole.db") == NULL))
    fail_msg("%s: %d: %s", what, e.code, e.text);
  db_free_runs(list, count);
  db_close(d);
  return result == 0;
}

/* The database with some SQL done to it, as far as SQLite does it. */
static bool try_after(const whole *w, const char *query) {
  sqlite3 *handle = NULL;
  put(w, w->bytes.data, w->bytes.length);
  assert_int_equal(sqlite3_open(w->path, &handle), SQLITE_OK);
  if (getenv("CLTC_SHOW_STATEMENTS") != NULL) (void)fprintf(stderr, "%s\n", query);
  assert_true(exec(handle, "PRAGMA synchronous = OFF; PRAGMA journal_mode = MEMORY"));
  (void)exec(handle, query);
  assert_int_equal(sqlite3_close(handle), SQLITE_OK);
  return try_all(w, query);
}

static void assert_refused(const whole *w, const char *query, enum db_mode mode, const char *why) {
  error e = {0};
  db *d = NULL;
  assert_false(try_after(w, query));
  assert_int_equal(db_open(&d, w->path, mode, &e), -1);
  assert_int_equal(e.code, EXIT_USAGE);
  if (strstr(e.text, why) == NULL) fail_msg("%s: %s", query, e.text);
}

static void test_versions(void **state) {
  const whole *w = *state;
  assert_true(try_after(w, "PRAGMA user_version"));
  for (int mode = DB_READ; mode <= DB_WRITE; mode++) {
    assert_refused(w, "PRAGMA user_version = -1", (enum db_mode)mode, "is damaged");
    assert_refused(w, "PRAGMA user_version = -2147483648", (enum db_mode)mode, "is damaged");
    assert_refused(w, "PRAGMA user_version = 0", (enum db_mode)mode, "is damaged");
    assert_refused(w, "PRAGMA user_version = 2147483647", (enum db_mode)mode, "another version of cltestcheck");
    assert_refused(w, "PRAGMA application_id = 7", (enum db_mode)mode, "another application");
  }
}

/* --- what SQL can do ------------------------------------------------------------------------------------------ */

/* The first column of a query, a text a row. */
static size_t read_texts(const whole *w, const char *query, char ***out) {
  sqlite3 *handle = NULL;
  sqlite3_stmt *row = NULL;
  size_t count = 0;
  size_t capacity = 0;
  put(w, w->bytes.data, w->bytes.length);
  assert_int_equal(sqlite3_open(w->path, &handle), SQLITE_OK);
  assert_int_equal(sqlite3_prepare_v2(handle, query, -1, &row, NULL), SQLITE_OK);
  while (sqlite3_step(row) == SQLITE_ROW)
    *ARRAY_ADD(*out, count, capacity) = mem_strdup((const char *)sqlite3_column_text(row, 0));
  (void)sqlite3_finalize(row);
  assert_int_equal(sqlite3_close(handle), SQLITE_OK);
  return count;
}

static void try_each(const whole *w, const char *query) {
  char **statements = NULL;
  size_t count = read_texts(w, query, &statements);
  assert_true(count > 20);
  for (size_t i = 0; i < count; i++) {
    (void)try_after(w, statements[i]);
    free(statements[i]);
  }
  free(statements);
}

static void test_tables_are_gone(void **state) {
  const whole *w = *state;
  try_each(w, "SELECT 'PRAGMA foreign_keys = OFF; DROP TABLE ' || name FROM sqlite_master WHERE type = 'table'");
  try_each(w, "SELECT 'PRAGMA foreign_keys = OFF; DELETE FROM ' || name FROM sqlite_master WHERE type = 'table'");
}

static bool full(void) {
  const char *text = getenv("CLTC_FULL");
  return text != NULL && strcmp(text, "1") == 0;
}

/* Every column with values of other kinds: each with all of them, or with one or two. */
static void test_values_are_wrong(void **state) {
  static const char *const values[] = {"NULL",      "-1",       "4294967295", "1 << 40", "-9223372036854775807 - 1",
                                       "''x%s\n''", "x''ff00''"};
  for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
    buffer query = {0};
    buffer_printf(&query,
                  "SELECT 'PRAGMA foreign_keys = OFF; UPDATE OR IGNORE ' || t.name || ' SET ' || c.name || ' = %s'"
                  " FROM sqlite_master t, pragma_table_info(t.name) c WHERE t.type = 'table'"
                  " AND t.name NOT LIKE 'sqlite%%' AND (t.rowid + c.cid + %zu) %% %d = 0",
                  values[i], i, full() ? 1 : 5);
    try_each(*state, buffer_text(&query));
    buffer_free(&query);
  }
}

/* Ids as far apart as they can be, as merging counts those between the first and the last. */
static void test_merging_ids_far_apart(void **state) {
  static const char *const tables[] = {"function", "site", "kernel", "file", "mutant"};
  const whole *w = *state;
  for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++) {
    char query[256];
    (void)snprintf(query, sizeof query,
                   "PRAGMA foreign_keys = OFF; UPDATE %s SET id = -9223372036854775807 - 1"
                   " WHERE id = (SELECT min(id) FROM %s)",
                   tables[i], tables[i]);
    (void)try_after(w, query);
    char *path = fixture_path("merged.db");
    db *from = NULL;
    db *to = NULL;
    size_t merged = 0;
    error e = {0};
    OK(db_open(&to, path, DB_WRITE, &e));
    if (db_open(&from, w->path, DB_READ, &e) == 0 && db_merge(to, from, &merged, &e) != 0) {
      assert_int_equal(e.code, EXIT_USAGE);
      assert_true(strlen(e.text) > 0);
    }
    db_close(from);
    db_close(to);
    fixture_forget(path);
  }
}

/* --- what a disk can do --------------------------------------------------------------------------------------- */

static void test_a_part_is_gone(void **state) {
  const whole *w = *state;
  for (size_t length = 0; length < w->bytes.length; length += length < 200 ? 17 : 3001) {
    put(w, w->bytes.data, length);
    bool read = try_all(w, "cut"); /* a page that no report needs may be missing at the end */
    assert_true(!read || length > w->bytes.length / 2);
  }
}

static uint32_t draw(uint32_t *seed) { return *seed = *seed * 1664525u + 1013904223u; }

static void test_bytes_are_wrong(void **state) {
  const whole *w = *state;
  uint32_t seed = 1;
  size_t read = 0;
  char *bytes = mem_calloc(w->bytes.length, 1);
  for (int round = 0; round < (full() ? 400 : 40); round++) {
    memcpy(bytes, w->bytes.data, w->bytes.length);
    size_t at = (draw(&seed) >> 4) % w->bytes.length;
    size_t length = 1 + (draw(&seed) >> 8) % (round % 2 == 0 ? 8 : 4096);
    for (size_t i = at; i < w->bytes.length && i < at + length; i++) bytes[i] = (char)(draw(&seed) >> 16);
    put(w, bytes, w->bytes.length);
    read += try_all(w, "bytes") ? 1 : 0;
  }
  assert_true(read > 0 && read < 400);
  free(bytes);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_versions),         cmocka_unit_test(test_tables_are_gone),
      cmocka_unit_test(test_values_are_wrong), cmocka_unit_test(test_a_part_is_gone),
      cmocka_unit_test(test_bytes_are_wrong),  cmocka_unit_test(test_merging_ids_far_apart),
  };
  return cmocka_run_group_tests(tests, make_whole, forget_whole);
}
