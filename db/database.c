/* The handle: opening with a clear word about what is wrong, transactions, statements, runs and their processes,
 * closing. */
#include <assert.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/memory.h"
#include "db/internal.h"

/* A process as the database names it, so that a reader can tell whether it still lives: the boot of the machine, its
 * id, and when it began, as ids are used again. */

/* The first line of a small file; "" without one. */
static void read_line(const char *path, char *line, int size) {
  line[0] = '\0';
  FILE *f = fopen(path, "re");
  if (f != NULL) {
    if (fgets(line, size, f) == NULL) line[0] = '\0';
    (void)fclose(f);
  }
}

/* When it began, in ticks since the boot; 0: it is not there. */
static unsigned long long start_of(pid_t process) {
  char path[64];
  char line[1024];
  unsigned long long started = 0;
  (void)snprintf(path, sizeof path, "/proc/%ld/stat", (long)process);
  read_line(path, line, sizeof line);
  const char *at = strrchr(line, ')'); /* the name before may hold anything */
  for (int field = 2; at != NULL && field < 22; field++) at = strchr(at + 1, ' ');
  if (at != NULL) started = strtoull(at, NULL, 10);
  return started;
}

void db_process_name(pid_t process, char out[PROCESS_NAME]) {
  char boot[64];
  read_line("/proc/sys/kernel/random/boot_id", boot, sizeof boot);
  boot[strcspn(boot, "\n")] = '\0';
  (void)snprintf(out, PROCESS_NAME, "%s %ld %llu", boot, (long)process, start_of(process));
}

/* Does the process of that name live, on this machine? */
static bool db_process_lives(const char *name) {
  char now[PROCESS_NAME];
  const char *space = strchr(name, ' ');
  long process = space == NULL ? 0 : strtol(space, NULL, 10);
  if (process <= 0 || start_of((pid_t)process) == 0) return false;
  db_process_name((pid_t)process, now);
  return strcmp(now, name) == 0;
}

/* Remembered answers of a device's compiler. */

int db_get_fact(db *d, const char *device, const char *expression, int *value, error *e) {
  int64_t stored = -1;
  int found = sql_number(d, SQL_GET_FACT, &stored, e, "tt", device, expression);
  *value = found == 1 ? stored != 0 : -1;
  return found < 0 ? -1 : 0;
}

int db_each_fact(db *d, const char *device, void (*take)(void *context, const char *expression, bool value),
                 void *context, error *e) {
  EACH_ROW(step, row, d, SQL_FACTS_OF, e, "t", device) {
    take(context, (const char *)sqlite3_column_text(row, 0), sqlite3_column_int(row, 1) != 0);
  }
  return step;
}

int db_put_fact(db *d, const char *device, const char *expression, bool value, error *e) {
  return sql_write(d, SQL_PUT_FACT, e, "tti", device, expression, (int64_t)value);
}

/* What earlier runs found and later ones need not find again: verdicts and compiled mutants, by digests of all that
 * they depend on. What a key is made of is the campaign's matter. */

int db_keep_verdict(db *d, int64_t test_case, int64_t mutant, const char *key, bool reused, error *e) {
  return sql_write(d, SQL_KEEP_VERDICT, e, "tiii", key, (int64_t)reused, test_case, mutant);
}

static mutant_verdict sql_verdict(sqlite3_stmt *statement, int first);

int db_find_verdict(db *d, const char *key, uint32_t runs, int64_t *test_case, mutant_verdict *v, error *e) {
  *v = (mutant_verdict){0};
  *test_case = 0;
  int step = 0;
  sqlite3_stmt *row = sql_rows(d, SQL_KNOWN_VERDICT, &step, e, "tu", key, runs);
  if (step == 1) {
    *test_case = sqlite3_column_int64(row, 0);
    *v = sql_verdict(row, 1);
    (void)sqlite3_reset(row);
  }
  return step < 0 ? -1 : 0;
}

int db_keep_revealed(db *d, int64_t test_case, int64_t mutant, mutant_revealed revealed, const char *key, error *e) {
  return sql_write(d, SQL_KEEP_REVEALED, e, "inii", (int64_t)revealed, key[0] == '\0' ? NULL : key, test_case, mutant);
}

int db_find_revealed(db *d, const char *key, mutant_revealed *revealed, error *e) {
  *revealed = REVEALED_UNKNOWN;
  int step = 0;
  sqlite3_stmt *row = sql_rows(d, SQL_KNOWN_REVEALED, &step, e, "t", key);
  if (step == 1) {
    *revealed = sql_revealed(row, 0);
    (void)sqlite3_reset(row);
  }
  return step < 0 ? -1 : 0;
}

int db_put_code(db *d, const char *key, const db_code *code, error *e) {
  return sql_write(d, SQL_PUT_CODE, e, "tit", key, (int64_t)code->built, code->digest);
}

int db_find_code(db *d, const char *key, bool *found, db_code *code, error *e) {
  *found = false;
  *code = (db_code){0};
  int step = 0;
  sqlite3_stmt *row = sql_rows(d, SQL_GET_CODE, &step, e, "t", key);
  if (step == 1) {
    const char *digest = (const char *)sqlite3_column_text(row, 1);
    *found = true;
    code->built = sqlite3_column_int(row, 0) != 0;
    (void)strncpy(code->digest, digest == NULL ? "" : digest, sizeof code->digest - 1);
    (void)sqlite3_reset(row);
  }
  return step < 0 ? -1 : 0;
}

/* The list of runs. */

int db_list_runs(db *d, run_summary **out, size_t *count, error *e) {
  *out = NULL;
  *count = 0;
  size_t capacity = 0;
  EACH_ROW(step, row, d, SQL_LIST_RUNS, e, "") {
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
    scoped char *process = sql_text(row, 7);
    run->running = run->exit < 0 && db_process_lives(process);
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

/* Running a statement of the table: prepare once, bind, step. */

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
    case 'i': return sqlite3_bind_int64(statement, index, va_arg(*args, int64_t));
    case 'u': return sqlite3_bind_int64(statement, index, va_arg(*args, uint32_t));
    case 'r': {
      int64_t id = va_arg(*args, int64_t);
      return id == 0 ? sqlite3_bind_null(statement, index) : sqlite3_bind_int64(statement, index, id);
    }
    case 'd': return sqlite3_bind_double(statement, index, va_arg(*args, double));
    case 'n': return sqlite3_bind_text(statement, index, va_arg(*args, const char *), -1, SQLITE_STATIC);
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
  if (rc == SQLITE_ROW) return 1;
  if (rc != SQLITE_DONE) (void)db_failed(d, e); /* before the reset, while the message is that of the failure */
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
  if (db_begin_write(d, e) != 0) return -1;
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
  scoped char *digest = sql_text(row, first);
  const void *bytes = sqlite3_column_blob(row, first + 1);
  (void)snprintf(sha256, 65, "%s", digest);
  *length = bytes == NULL ? 0 : (size_t)sqlite3_column_bytes(row, first + 1);
  *text = mem_strndup(bytes == NULL ? "" : bytes, *length);
}

mutant_revealed sql_revealed(sqlite3_stmt *statement, int column) {
  const sqlite3_int64 value = sqlite3_column_int64(statement, column);
  return value == REVEALED_NO || value == REVEALED_YES ? (mutant_revealed)value : REVEALED_UNKNOWN;
}

/* VERDICT_COLUMNS from this one on, and `revealed`. */
static mutant_verdict sql_verdict(sqlite3_stmt *statement, int first) {
  mutant_verdict v = {0};
  v.revealed = sql_revealed(statement, sql_read(statement, first, &mutant_verdict_columns, &v));
  return v;
}

int db_read_ids(db *d, sql which, int64_t key, id_list *list, error *e) {
  int row = 0;
  sqlite3_stmt *statement = sql_rows(d, which, &row, e, "i", key);
  for (; row == 1; row = sql_step(d, statement, e))
    *ARRAY_ADD(list->ids, list->count, list->capacity) = sqlite3_column_int64(statement, 0);
  return row;
}

#define BUSY_MILLISECONDS 10000
#define ROOM 65536 /* bytes: a disk with less is full */
/* A write transaction older than this is committed at the end of the call that finds it so. */
#define TRANSACTION_MILLISECONDS 200

static int64_t now(void) {
  struct timespec t;
  (void)clock_gettime(CLOCK_MONOTONIC, &t);
  return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* --- sentences ---------------------------------------------------------------------------------------------- */

typedef struct failure {
  int rc; /* SQLite's primary result code */
  int code;
  const char *sentence; /* of the path, then of SQLite's message, if it says that */
} failure;

#define NOT_AS_SAID                                                                                                    \
  "%s does not hold what a database of its version does (%s): it is damaged or was changed by something else; delete " \
  "it, or name another database with --db FILE"

static const failure failures[] = {
    {SQLITE_FULL, EXIT_INTERNAL,
     "the disk is full, results could not be stored in %s; free some space there and in TMPDIR, and run again"},
    {SQLITE_IOERR, EXIT_INTERNAL,
     "reading or writing %s failed (%s); look at the disk or name a database on another one with --db FILE"},
    {SQLITE_BUSY, EXIT_INTERNAL,
     "%s stayed locked by another process (%s); wait until that has ended or name another database with --db FILE"},
    {SQLITE_LOCKED, EXIT_INTERNAL,
     "%s stayed locked by another process (%s); wait until that has ended or name another database with --db FILE"},
    {SQLITE_NOTADB, EXIT_USAGE, "%s is not a results database of cltestcheck (%s); name another file with --db FILE"},
    {SQLITE_CORRUPT, EXIT_USAGE, "%s is damaged (%s); delete it, or name another database with --db FILE"},
    {SQLITE_ERROR, EXIT_USAGE, NOT_AS_SAID},
    {SQLITE_SCHEMA, EXIT_USAGE, NOT_AS_SAID},
    {SQLITE_MISMATCH, EXIT_USAGE, NOT_AS_SAID},
    {SQLITE_FORMAT, EXIT_USAGE, NOT_AS_SAID},
    {SQLITE_TOOBIG, EXIT_USAGE, NOT_AS_SAID},
    {SQLITE_READONLY, EXIT_USAGE,
     "%s cannot be written (%s); make the file and its directory writable or name another one with --db FILE"},
    {SQLITE_CANTOPEN, EXIT_USAGE,
     "%s cannot be opened (%s); check that you may read and write it and its directory, or name another one with --db "
     "FILE"},
    {SQLITE_PERM, EXIT_USAGE, "%s may not be opened (%s); check its permissions or name another one with --db FILE"},
};

/* Beside the database SQLite needs a file of 32 KiB, and calls it an I/O error when there is no room for that. */
static int cause_of(const char *path, int rc) {
  struct statvfs system;
  bool full = (rc & 0xff) == SQLITE_IOERR && statvfs(path, &system) == 0 && system.f_bavail * system.f_frsize < ROOM;
  return full ? SQLITE_FULL : rc & 0xff;
}

int db_failed_at(const char *path, sqlite3 *handle, int rc, error *e) {
  bool told = handle != NULL && sqlite3_errcode(handle) != SQLITE_OK;
  const char *message = told ? sqlite3_errmsg(handle) : sqlite3_errstr(rc);
  bool cut = told && sqlite3_extended_errcode(handle) == SQLITE_IOERR_SHORT_READ;
  int cause = cut ? SQLITE_CORRUPT : cause_of(path, rc);
  for (size_t i = 0; i < sizeof failures / sizeof failures[0]; i++)
    if (failures[i].rc == cause) return error_set(e, failures[i].code, failures[i].sentence, path, message);
  return error_set(e, EXIT_INTERNAL, "the results database %s could not be used: %s", path, message);
}

int db_failed(const db *d, error *e) { return db_failed_at(d->path, d->handle, sqlite3_errcode(d->handle), e); }

/* --- opening ------------------------------------------------------------------------------------------------ */

static bool is_directory(const char *path) {
  struct stat s;
  return stat(path, &s) == 0 && S_ISDIR(s.st_mode);
}

/* What can be said of the path before SQLite sees it. */
static int check_path(const char *path, enum db_mode mode, error *e) {
  if (path[0] == '\0')
    return error_set(e, EXIT_USAGE, "the name of the results database is empty; name a file with --db FILE");
  if (is_directory(path)) {
    return error_set(e, EXIT_USAGE, "%s is a directory, not a results database; name a file in it with --db FILE",
                     path);
  }
  const char *slash = strrchr(path, '/');
  if (slash != NULL && slash != path) {
    scoped char *directory = mem_strndup(path, (size_t)(slash - path));
    bool there = is_directory(directory);
    if (!there) {
      (void)error_set(e, EXIT_USAGE,
                      "the results database %s cannot be opened because there is no directory %s; create it or name "
                      "another file with --db FILE",
                      path, directory);
    }
    if (!there) return -1;
  }
  if (mode == DB_READ && access(path, F_OK) != 0 && errno == ENOENT) {
    return error_set(e, EXIT_USAGE,
                     "there is no results database %s; make one with `cltestcheck coverage -- PROGRAM` or name another "
                     "file with --db FILE",
                     path);
  }
  return 0;
}

/* The path as a URI that makes SQLite read the file alone, as if nobody could write it. */
static char *immutable_uri(const char *path) {
  scoped_buffer uri = buffer_with("file:");
  for (const char *c = path; *c != '\0'; c++)
    if (strchr("%?#", *c) != NULL)
      buffer_printf(&uri, "%%%02x", (unsigned)(unsigned char)*c);
    else
      buffer_putc(&uri, *c);
  buffer_puts(&uri, "?immutable=1");
  return buffer_take(&uri);
}

char *db_uri(const db *d) {
  const char *path = sqlite3_db_filename(d->handle, "main");
  return sqlite3_uri_boolean(path, "immutable", 0) != 0 ? immutable_uri(path) : mem_strdup(path);
}

typedef struct probe {
  int application, version, objects;
} probe;

/* Opens and has a first look; the handle is kept even on failure, for its message. */
static int try_open(const char *path, int flags, sqlite3 **handle, probe *p) {
  if (*handle != NULL) {
    (void)sqlite3_close(*handle);
    *handle = NULL;
  }
  int rc = sqlite3_open_v2(path, handle, flags, NULL);
  if (rc == SQLITE_OK) {
    (void)sqlite3_extended_result_codes(*handle, 0);
    (void)sqlite3_busy_timeout(*handle, BUSY_MILLISECONDS);
    rc = schema_probe(*handle, &p->application, &p->version, &p->objects);
  }
  return rc;
}

/* Reading: as a writer would, so that the journal is cleaned up; else read-only; else, in a directory that cannot be
 * written, as a file that nobody writes. The last leaves a journal out of sight, so it is not tried if there is one. */
static int open_for_reading(const char *path, sqlite3 **handle, probe *p) {
  int rc = try_open(path, SQLITE_OPEN_READWRITE, handle, p);
  if (rc == SQLITE_OK || rc == SQLITE_NOTADB || rc == SQLITE_BUSY) return rc;
  rc = try_open(path, SQLITE_OPEN_READONLY, handle, p);
  if (rc == SQLITE_OK || rc == SQLITE_NOTADB || rc == SQLITE_BUSY) return rc;
  scoped_buffer journal = buffer_with("%s-wal", path);
  struct stat s;
  if (stat(buffer_text(&journal), &s) != 0 || s.st_size == 0) {
    scoped char *uri = immutable_uri(path);
    rc = try_open(uri, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, handle, p);
  }
  return rc;
}

/* Is it ours, and not from the future? */
static int check_identity(const char *path, const probe *p, enum db_mode mode, error *e) {
  bool empty = p->objects == 0 && p->version == 0 && p->application == 0;
  if (p->application != SCHEMA_APPLICATION && !empty) {
    return error_set(e, EXIT_USAGE,
                     "%s is a database of another application, not results of cltestcheck; name another file with "
                     "--db FILE",
                     path);
  }
  if (p->version < 0 || (p->version == 0 && p->objects > 0)) {
    return error_set(e, EXIT_USAGE,
                     "%s is damaged (its schema says that it is version %d); delete it, or name another database with "
                     "--db FILE",
                     path, p->version);
  }
  if (p->version > SCHEMA_VERSION) {
    return error_set(e, EXIT_USAGE,
                     "%s was written by another version of cltestcheck (its schema is %d, this one's is %d); "
                     "use that version or name another file with --db FILE",
                     path, p->version, SCHEMA_VERSION);
  }
  if (empty && mode == DB_READ) {
    return error_set(e, EXIT_USAGE,
                     "%s holds no results yet; make some with `cltestcheck coverage -- PROGRAM` or name another file "
                     "with --db FILE",
                     path);
  }
  return 0;
}

/* A pragma that may meet another process which is just doing the same: SQLite does not always wait by itself. */
static int insist(sqlite3 *handle, const char *pragma) {
  int64_t until = now() + BUSY_MILLISECONDS;
  int rc = sqlite3_exec(handle, pragma, NULL, NULL, NULL);
  while ((rc == SQLITE_BUSY || rc == SQLITE_LOCKED) && now() < until) {
    (void)sqlite3_sleep(5);
    rc = sqlite3_exec(handle, pragma, NULL, NULL, NULL);
  }
  return rc;
}

/* Can a write begin? In a directory that cannot be written only this tells. Another process that is just writing is
 * not waited for: it shows that one can. */
static int try_writing(sqlite3 *handle) {
  (void)sqlite3_busy_timeout(handle, 0);
  int rc = sqlite3_exec(handle, "BEGIN IMMEDIATE; ROLLBACK", NULL, NULL, NULL);
  (void)sqlite3_busy_timeout(handle, BUSY_MILLISECONDS);
  return rc == SQLITE_BUSY ? SQLITE_OK : rc;
}

static int prepare_writing(const char *path, sqlite3 *handle, const probe *p, error *e) {
  if (sqlite3_db_readonly(handle, "main") == 1)
    return error_set(e, EXIT_USAGE, "%s is read-only; make the file writable or name another one with --db FILE", path);
  int rc = insist(handle, "PRAGMA journal_mode = WAL");
  if (rc == SQLITE_OK) rc = insist(handle, "PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON");
  if (rc == SQLITE_OK && p->version < SCHEMA_VERSION) {
    int64_t until = now() + BUSY_MILLISECONDS;
    do {
      rc = schema_migrate(handle, schema_migrations, SCHEMA_VERSION);
    } while (rc == SQLITE_BUSY && now() < until);
  } else if (rc == SQLITE_OK) {
    rc = try_writing(handle);
  }
  return rc == SQLITE_OK ? 0 : db_failed_at(path, handle, rc, e);
}

/* An older database is read from a migrated copy in memory: reading changes no file. */
static int prepare_reading(const char *path, sqlite3 **handle, const probe *p, error *e) {
  int rc = SQLITE_OK;
  if (p->version < SCHEMA_VERSION) {
    sqlite3 *copy = NULL;
    rc = sqlite3_open(":memory:", &copy);
    sqlite3_backup *backup = rc == SQLITE_OK ? sqlite3_backup_init(copy, "main", *handle, "main") : NULL;
    if (backup != NULL) {
      (void)sqlite3_backup_step(backup, -1);
      rc = sqlite3_backup_finish(backup);
    }
    if (rc == SQLITE_OK) rc = schema_migrate(copy, schema_migrations, SCHEMA_VERSION);
    (void)sqlite3_close(*handle);
    *handle = copy;
  }
  if (rc == SQLITE_OK) rc = sqlite3_exec(*handle, "PRAGMA query_only = ON", NULL, NULL, NULL);
  return rc == SQLITE_OK ? 0 : db_failed_at(path, *handle, rc, e);
}

/* What a call would have to undo is kept in memory up to this and then in a temporary file: the folder for these may be
 * full, but SQLite walks through what it keeps in memory without a limit at the end of each statement. More than 128
 * KiB SQLite 3.40 cannot move into a file. */
#define UNDO_BYTES (120 << 10)

static void configure_once(void) {
  static bool done;
  if (!done) {
    (void)sqlite3_config(SQLITE_CONFIG_STMTJRNL_SPILL, UNDO_BYTES);
    done = true;
  }
}

/* A file that could only be made, not written. */
static void remove_empty(const char *path) {
  struct stat s;
  if (stat(path, &s) == 0 && S_ISREG(s.st_mode) && s.st_size == 0) (void)unlink(path);
}

int db_open(db **out, const char *path, enum db_mode mode, error *e) {
  *out = NULL;
  configure_once();
  if (check_path(path, mode, e) != 0) return -1;
  /* ":memory:" and "file:x" are names like any other here. */
  scoped_buffer name = buffer_with("%s%s", path[0] == '/' ? "" : "./", path);
  bool missing = access(buffer_text(&name), F_OK) != 0;
  sqlite3 *handle = NULL;
  probe p = {0};
  int rc = mode == DB_READ ? open_for_reading(buffer_text(&name), &handle, &p)
                           : try_open(buffer_text(&name), SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_URI,
                                      &handle, &p);
  int result = rc == SQLITE_OK ? check_identity(path, &p, mode, e) : db_failed_at(path, handle, rc, e);
  if (result == 0)
    result = mode == DB_READ ? prepare_reading(path, &handle, &p, e) : prepare_writing(path, handle, &p, e);
  if (result != 0) {
    (void)sqlite3_close(handle);
    if (missing) remove_empty(buffer_text(&name));
  }
  if (result != 0) return -1;
  *out = mem_calloc(1, sizeof **out);
  **out = (db){.handle = handle, .path = mem_strdup(path), .writable = mode == DB_WRITE};
  return 0;
}

void db_close(db *d) {
  if (d == NULL) return;
  (void)db_commit(d, NULL);
  for (size_t i = 0; i < SQL_COUNT; i++) (void)sqlite3_finalize(d->statements[i]);
  (void)sqlite3_close(d->handle);
  free(d->path);
  free(d);
}

/* --- transactions ------------------------------------------------------------------------------------------- */

/* BEGIN or COMMIT; waits for other writers beyond SQLite's own waiting, which it cuts short where two wait for each
 * other. */
static int patiently(db *d, sql which, error *e) {
  int64_t until = now() + BUSY_MILLISECONDS;
  sqlite3_stmt *statement = sql_bind(d, which, e, "");
  int result = statement == NULL ? -1 : sql_step(d, statement, e);
  while (result != 0 && statement != NULL && (sqlite3_errcode(d->handle) & 0xff) == SQLITE_BUSY && now() < until) {
    (void)sqlite3_sleep(5);
    result = sql_step(d, statement, e);
  }
  return result;
}

int db_commit(db *d, error *e) {
  if (!d->in_transaction) return 0;
  int result = patiently(d, SQL_COMMIT, e);
  if (result != 0 && sqlite3_get_autocommit(d->handle) == 0) (void)sql_run(d, SQL_ROLLBACK, NULL, "");
  d->in_transaction = false;
  return result;
}

int db_begin_write(db *d, error *e) {
  if (!d->writable) return error_set(e, EXIT_INTERNAL, "%s was opened for reading only and cannot be written", d->path);
  if (!d->in_transaction) {
    if (patiently(d, SQL_BEGIN_WRITE, e) != 0) return -1;
    d->in_transaction = true;
    d->began = now();
  }
  int result = sql_run(d, SQL_CALL_BEGIN, e, "");
  d->depth += result == 0 ? 1 : 0;
  return result;
}

int db_end_write(db *d, int result, error *e) {
  d->depth--;
  if (result == 0) {
    result = sql_run(d, SQL_CALL_END, e, "");
    if (result == 0 && d->depth == 0 && now() - d->began > TRANSACTION_MILLISECONDS) result = db_commit(d, e);
    return result;
  }
  if (sqlite3_get_autocommit(d->handle) != 0) { /* SQLite has rolled back all of it */
    d->in_transaction = false;
    return result;
  }
  (void)sql_run(d, SQL_CALL_UNDO, NULL, "");
  (void)sql_run(d, SQL_CALL_END, NULL, "");
  return result;
}

int db_begin_read(db *d, error *e) { return db_commit(d, e) != 0 ? -1 : patiently(d, SQL_BEGIN_READ, e); }

void db_end_read(db *d) { (void)sql_run(d, SQL_COMMIT, NULL, ""); }

/* Structs are rows: their lists of columns write, read and free them. */

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

static int bind(sqlite3_stmt *statement, int index, const db_column *c, const void *from) {
  field f = {0};
  memcpy(&f, (const char *)from + c->offset, sizes[c->kind]);
  switch (c->kind) {
    case COLUMN_BOOL: return sqlite3_bind_int64(statement, index, f.truth);
    case COLUMN_U32: return sqlite3_bind_int64(statement, index, f.u32);
    case COLUMN_U64: return sqlite3_bind_int64(statement, index, f.u64 > INT64_MAX ? INT64_MAX : (int64_t)f.u64);
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

static field read_column(sqlite3_stmt *row, int index, db_column_kind kind) {
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
    const field f = read_column(row, first + i, c->kind);
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
