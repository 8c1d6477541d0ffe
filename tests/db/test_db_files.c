/* Files of the results database: bad ones are refused in words, older ones migrated. */
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* cmocka.h wants these before it. */
/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
/* clang-format on */

#include "base/memory.h"
#include "db/internal.h"
#include "tests/fixtures/db_fixture.h"
#include "tests/fixtures/ok.h"
#include "tests/fixtures/report_fixture.h"

/* --- bad files ---------------------------------------------------------------------------------------------- */

static void write_file(const char *path, const char *text) {
  FILE *out = fopen(path, "wb");
  assert_non_null(out);
  assert_true(fputs(text, out) >= 0);
  assert_int_equal(fclose(out), 0);
}

static void sql_file(const char *path, const char *statements) {
  sqlite3 *handle;
  assert_int_equal(sqlite3_open(path, &handle), SQLITE_OK);
  assert_int_equal(sqlite3_exec(handle, statements, NULL, NULL, NULL), SQLITE_OK);
  assert_int_equal(sqlite3_close(handle), SQLITE_OK);
}

/* Opening fails with a sentence that names the file and holds `words`. */
static void assert_refused(const char *path, enum db_mode mode, int code, const char *words) {
  error e = {0};
  db *d = NULL;
  assert_int_equal(db_open(&d, path, mode, &e), -1);
  assert_null(d);
  if (strstr(e.text, words) == NULL || strstr(e.text, path) == NULL)
    fail_msg("\"%s\" does not say \"%s\"", e.text, words);
  assert_int_equal(e.code, code);
}

static void test_files_that_are_no_database(void **state) {
  (void)state;
  char *path = fixture_path("file");
  assert_refused(path, DB_READ, EXIT_USAGE, "there is no results database");
  assert_refused("/nowhere/at/all.db", DB_WRITE, EXIT_USAGE, "there is no directory /nowhere/at");
  assert_refused("/tmp", DB_READ, EXIT_USAGE, "is a directory");
  assert_refused("", DB_WRITE, EXIT_USAGE, "is empty");
  write_file(path, "This is a letter, not a database, and long enough to tell; it goes on and on and on and on.");
  assert_refused(path, DB_READ, EXIT_USAGE, "is not a results database");
  assert_refused(path, DB_WRITE, EXIT_USAGE, "is not a results database");
  fixture_forget(path);
}

static void test_databases_of_others(void **state) {
  (void)state;
  char *path = fixture_path("other.db");
  sql_file(path, "CREATE TABLE bookmark (url TEXT)");
  assert_refused(path, DB_READ, EXIT_USAGE, "of another application");
  assert_refused(path, DB_WRITE, EXIT_USAGE, "of another application");
  sql_file(path, "PRAGMA application_id = 12; PRAGMA user_version = 1");
  assert_refused(path, DB_WRITE, EXIT_USAGE, "of another application");
  fixture_forget(path);
}

static void test_a_newer_database(void **state) {
  fixture *f = *state;
  db_close(f->d);
  f->d = NULL;
  sql_file(f->path, "PRAGMA user_version = 99");
  assert_refused(f->path, DB_READ, EXIT_USAGE, "another version of cltestcheck");
  assert_refused(f->path, DB_WRITE, EXIT_USAGE, "another version of cltestcheck");
}

static void test_an_empty_file(void **state) {
  (void)state;
  error e;
  db *d;
  char *path = fixture_path("empty.db");
  write_file(path, "");
  assert_refused(path, DB_READ, EXIT_USAGE, "holds no results yet");
  OK(db_open(&d, path, DB_WRITE, &e));
  (void)fixture_run(d);
  db_close(d);
  fixture_forget(path);
}

static void test_writing_what_was_opened_for_reading(void **state) {
  fixture *f = *state;
  error e;
  db *reader;
  int64_t run;
  OK(db_open(&reader, f->path, DB_READ, &e));
  assert_int_equal(db_begin_run(reader, "coverage", "0.1", &run, &e), -1);
  assert_non_null(strstr(e.text, "for reading only"));
  db_close(reader);
}

static void test_a_full_disk(void **state) {
  fixture *f = *state;
  error e;
  assert_int_equal(sqlite3_exec(f->d->handle, "PRAGMA max_page_count = 60", NULL, NULL, NULL), SQLITE_OK);
  int result = 0;
  char *long_text = mem_calloc(5001, 1);
  memset(long_text, 'x', 5000);
  for (int i = 0; result == 0 && i < 100; i++) {
    char key[16];
    (void)snprintf(key, sizeof key, "%d", i);
    result = db_put_fact(f->d, key, long_text, true, &e);
  }
  assert_int_equal(result, -1);
  assert_int_equal(e.code, EXIT_INTERNAL);
  assert_non_null(strstr(e.text, "the disk is full"));
  assert_non_null(strstr(e.text, f->path));
  free(long_text);
}

/* Runs `body` as a user without rights, since root may write anything. Its result is the exit status. */
static int as_nobody(int (*body)(const char *path), const char *path) {
  pid_t child = fork();
  assert_true(child >= 0);
  if (child == 0) {
    if (geteuid() == 0 && (setgid(65534) != 0 || setuid(65534) != 0)) _exit(99);
    _exit(body(path));
  }
  int status;
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_true(WIFEXITED(status));
  return WEXITSTATUS(status);
}

static int is_refused_as_read_only(const char *path) {
  error e;
  db *d;
  bool refused = db_open(&d, path, DB_WRITE, &e) != 0 && e.code == EXIT_USAGE && strstr(e.text, path) != NULL &&
                 (strstr(e.text, "read-only") != NULL || strstr(e.text, "cannot be") != NULL);
  if (!refused) (void)fprintf(stderr, "%s\n", e.text);
  return refused ? 0 : 1;
}

static int can_be_read(const char *path) {
  error e;
  db *d;
  view v;
  if (db_open(&d, path, DB_READ, &e) != 0 || db_load(d, NULL, 0, &v, &e) != 0) {
    (void)fprintf(stderr, "%s\n", e.text);
    return 1;
  }
  bool all = v.kernel_count == 3;
  view_free(&v);
  db_close(d);
  return all ? 0 : 2;
}

static void chmod_directory(const char *path, mode_t mode) {
  char *directory = mem_strdup(path);
  *strrchr(directory, '/') = '\0';
  assert_int_equal(chmod(directory, mode), 0);
  free(directory);
}

static void test_read_only_file_and_directory(void **state) {
  fixture *f = *state;
  (void)fixture_run(f->d);
  db_close(f->d);
  f->d = NULL;
  chmod_directory(f->path, 0777);
  assert_int_equal(chmod(f->path, 0444), 0);
  assert_int_equal(as_nobody(is_refused_as_read_only, f->path), 0);
  assert_int_equal(as_nobody(can_be_read, f->path), 0);
  chmod_directory(f->path, 0555);
  assert_int_equal(as_nobody(can_be_read, f->path), 0);
  assert_int_equal(chmod(f->path, 0666), 0);
  assert_int_equal(as_nobody(is_refused_as_read_only, f->path), 0);
  assert_int_equal(as_nobody(can_be_read, f->path), 0);
  chmod_directory(f->path, 0755);
}

static void test_reading_leaves_nothing_behind(void **state) {
  fixture *f = *state;
  error e;
  db *reader;
  (void)fixture_run(f->d);
  db_close(f->d);
  f->d = NULL;
  OK(db_open(&reader, f->path, DB_READ, &e));
  db_close(reader);
  char journal[512];
  (void)snprintf(journal, sizeof journal, "%s-wal", f->path);
  assert_int_not_equal(access(journal, F_OK), 0);
}

/* --- migration ---------------------------------------------------------------------------------------------- */

static void test_an_older_database_is_migrated(void **state) {
  (void)state;
  error e;
  db *d;
  char *path = fixture_path("old.db");
  char older[64];
  (void)snprintf(older, sizeof older, "PRAGMA application_id = %d", SCHEMA_APPLICATION);
  sql_file(path, older); /* version 0 of ours */
  OK(db_open(&d, path, DB_READ, &e));
  run_summary *runs;
  size_t count;
  OK(db_list_runs(d, &runs, &count, &e));
  assert_int_equal(count, 0);
  db_close(d);
  sqlite3 *handle;
  int application, version, objects;
  assert_int_equal(sqlite3_open(path, &handle), SQLITE_OK);
  assert_int_equal(schema_probe(handle, &application, &version, &objects), SQLITE_OK);
  assert_int_equal(version, 0); /* reading changed nothing */
  assert_int_equal(sqlite3_close(handle), SQLITE_OK);
  OK(db_open(&d, path, DB_WRITE, &e));
  assert_int_equal(schema_probe(d->handle, &application, &version, &objects), SQLITE_OK);
  assert_int_equal(version, SCHEMA_VERSION);
  (void)fixture_run(d);
  db_close(d);
  fixture_forget(path);
}

static const char *const to_one[] = {"CREATE TABLE thing (name TEXT)", "INSERT INTO thing VALUES ('kept')", NULL};
static const char *const to_two[] = {"ALTER TABLE thing ADD COLUMN colour TEXT DEFAULT 'red'", NULL};
static const char *const broken[] = {"ALTER TABLE thing ADD COLUMN size TEXT", "ALTER TABLE nothing ADD COLUMN x",
                                     NULL};

static int count_columns(sqlite3 *handle) {
  sqlite3_stmt *statement;
  assert_int_equal(sqlite3_prepare_v2(handle, "SELECT * FROM thing", -1, &statement, NULL), SQLITE_OK);
  assert_int_equal(sqlite3_step(statement), SQLITE_ROW);
  assert_string_equal((const char *)sqlite3_column_text(statement, 0), "kept");
  int columns = sqlite3_column_count(statement);
  assert_int_equal(sqlite3_finalize(statement), SQLITE_OK);
  return columns;
}

static void test_migrations_go_step_by_step_or_not_at_all(void **state) {
  (void)state;
  static const migration steps[] = {to_one, to_two, broken};
  sqlite3 *handle;
  int application, version, objects;
  assert_int_equal(sqlite3_open(":memory:", &handle), SQLITE_OK);
  assert_int_equal(schema_migrate(handle, steps, 1), SQLITE_OK);
  assert_int_equal(count_columns(handle), 1);
  assert_int_equal(schema_migrate(handle, steps, 2), SQLITE_OK);
  assert_int_equal(count_columns(handle), 2);
  assert_int_equal(schema_migrate(handle, steps, 2), SQLITE_OK); /* again: nothing to do */
  assert_int_not_equal(schema_migrate(handle, steps, 3), SQLITE_OK);
  assert_int_equal(count_columns(handle), 2);
  assert_int_equal(schema_probe(handle, &application, &version, &objects), SQLITE_OK);
  assert_int_equal(application, SCHEMA_APPLICATION);
  assert_int_equal(version, 2);
  assert_int_equal(sqlite3_close(handle), SQLITE_OK);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_files_that_are_no_database),
      cmocka_unit_test(test_databases_of_others),
      TEST(test_a_newer_database),
      cmocka_unit_test(test_an_empty_file),
      TEST(test_writing_what_was_opened_for_reading),
      TEST(test_a_full_disk),
      TEST(test_read_only_file_and_directory),
      TEST(test_reading_leaves_nothing_behind),
      cmocka_unit_test(test_an_older_database_is_migrated),
      cmocka_unit_test(test_migrations_go_step_by_step_or_not_at_all),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
