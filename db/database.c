/* The handle: opening with a clear word about what is wrong, transactions, closing. */
#include <errno.h>
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
#include "db/schema.h"

#define BUSY_MILLISECONDS 10000
#define ROOM 65536 /* bytes: a disk with less is full */
/* A write transaction older than this is committed at the end of the call that finds it so, but for merges. */
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
  for (size_t i = 0; i < sizeof failures / sizeof failures[0]; i++) {
    if (failures[i].rc == cause) {
      return error_set(e, failures[i].code, failures[i].sentence, path, message);
    }
  }
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
  if (path[0] == '\0') {
    return error_set(e, EXIT_USAGE, "the name of the results database is empty; name a file with --db FILE");
  }
  if (is_directory(path)) {
    return error_set(e, EXIT_USAGE, "%s is a directory, not a results database; name a file in it with --db FILE",
                     path);
  }
  const char *slash = strrchr(path, '/');
  if (slash != NULL && slash != path) {
    char *directory = mem_strndup(path, (size_t)(slash - path));
    bool there = is_directory(directory);
    if (!there) {
      (void)error_set(e, EXIT_USAGE,
                      "the results database %s cannot be opened because there is no directory %s; create it or name "
                      "another file with --db FILE",
                      path, directory);
    }
    free(directory);
    if (!there) {
      return -1;
    }
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
  buffer uri = {0};
  buffer_puts(&uri, "file:");
  for (const char *c = path; *c != '\0'; c++) {
    if (strchr("%?#", *c) != NULL) {
      buffer_printf(&uri, "%%%02x", (unsigned)(unsigned char)*c);
    } else {
      buffer_putc(&uri, *c);
    }
  }
  buffer_puts(&uri, "?immutable=1");
  return buffer_take(&uri);
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
  if (rc == SQLITE_OK || rc == SQLITE_NOTADB || rc == SQLITE_BUSY) {
    return rc;
  }
  rc = try_open(path, SQLITE_OPEN_READONLY, handle, p);
  if (rc == SQLITE_OK || rc == SQLITE_NOTADB || rc == SQLITE_BUSY) {
    return rc;
  }
  buffer journal = {0};
  buffer_printf(&journal, "%s-wal", path);
  struct stat s;
  if (stat(buffer_text(&journal), &s) != 0 || s.st_size == 0) {
    char *uri = immutable_uri(path);
    rc = try_open(uri, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, handle, p);
    free(uri);
  }
  buffer_free(&journal);
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
  if (sqlite3_db_readonly(handle, "main") == 1) {
    return error_set(e, EXIT_USAGE, "%s is read-only; make the file writable or name another one with --db FILE", path);
  }
  int rc = insist(handle, "PRAGMA journal_mode = WAL");
  if (rc == SQLITE_OK) {
    rc = insist(handle, "PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON");
  }
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
    if (rc == SQLITE_OK) {
      rc = schema_migrate(copy, schema_migrations, SCHEMA_VERSION);
    }
    (void)sqlite3_close(*handle);
    *handle = copy;
  }
  if (rc == SQLITE_OK) {
    rc = sqlite3_exec(*handle, "PRAGMA query_only = ON", NULL, NULL, NULL);
  }
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
  if (stat(path, &s) == 0 && S_ISREG(s.st_mode) && s.st_size == 0) {
    (void)unlink(path);
  }
}

int db_open(db **out, const char *path, enum db_mode mode, error *e) {
  *out = NULL;
  configure_once();
  if (check_path(path, mode, e) != 0) {
    return -1;
  }
  /* ":memory:" is a name like any other here. */
  buffer name = {0};
  buffer_printf(&name, "%s%s", path[0] == ':' ? "./" : "", path);
  bool missing = access(buffer_text(&name), F_OK) != 0;
  sqlite3 *handle = NULL;
  probe p = {0};
  int rc = mode == DB_READ ? open_for_reading(buffer_text(&name), &handle, &p)
                           : try_open(buffer_text(&name), SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, &handle, &p);
  int result = rc == SQLITE_OK ? check_identity(path, &p, mode, e) : db_failed_at(path, handle, rc, e);
  if (result == 0) {
    result = mode == DB_READ ? prepare_reading(path, &handle, &p, e) : prepare_writing(path, handle, &p, e);
  }
  if (result != 0) {
    (void)sqlite3_close(handle);
    if (missing) {
      remove_empty(buffer_text(&name));
    }
  }
  buffer_free(&name);
  if (result != 0) {
    return -1;
  }
  *out = mem_calloc(1, sizeof **out);
  **out = (db){
      .handle = handle, .path = mem_strdup(path), .writable = mode == DB_WRITE, .patience = TRANSACTION_MILLISECONDS};
  return 0;
}

void db_close(db *d) {
  if (d == NULL) {
    return;
  }
  (void)db_commit(d, NULL);
  for (size_t i = 0; i < SQL_COUNT; i++) {
    (void)sqlite3_finalize(d->statements[i]);
  }
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
  if (!d->in_transaction) {
    return 0;
  }
  int result = patiently(d, SQL_COMMIT, e);
  if (result != 0 && sqlite3_get_autocommit(d->handle) == 0) {
    (void)sql_run(d, SQL_ROLLBACK, NULL, "");
  }
  d->in_transaction = false;
  return result;
}

int db_begin_write(db *d, error *e) {
  if (!d->writable) {
    return error_set(e, EXIT_INTERNAL, "%s was opened for reading only and cannot be written", d->path);
  }
  if (!d->in_transaction) {
    if (patiently(d, SQL_BEGIN_WRITE, e) != 0) {
      return -1;
    }
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
    if (result == 0 && d->depth == 0 && now() - d->began > d->patience) {
      result = db_commit(d, e);
    }
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

int db_begin_read(db *d, error *e) {
  if (db_commit(d, e) != 0) {
    return -1;
  }
  return patiently(d, SQL_BEGIN_READ, e);
}

void db_end_read(db *d) { (void)sql_run(d, SQL_COMMIT, NULL, ""); }
