/* Writing what happens while programs run: runs, test cases, evidence, findings. */
#include <stdio.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#include "db/internal.h"

/* A random (version 4) UUID. */
static int make_uuid(char out[37], error *e) {
  unsigned char b[16];
  if (getrandom(b, sizeof b, 0) != (ssize_t)sizeof b) {
    return error_set(e, EXIT_INTERNAL, "the system gave no random numbers for the identity of a run; try again");
  }
  b[6] = (unsigned char)((b[6] & 0x0f) | 0x40);
  b[8] = (unsigned char)((b[8] & 0x3f) | 0x80);
  (void)snprintf(out, 37, "%02x%02x%02x%02x-%02x%02x-%02x%02x-%02x%02x-%02x%02x%02x%02x%02x%02x", b[0], b[1], b[2],
                 b[3], b[4], b[5], b[6], b[7], b[8], b[9], b[10], b[11], b[12], b[13], b[14], b[15]);
  return 0;
}

static void timestamp(char *out, size_t size) {
  time_t t = time(NULL);
  struct tm utc;
  (void)gmtime_r(&t, &utc);
  (void)strftime(out, size, "%Y-%m-%dT%H:%M:%SZ", &utc);
}

/* Ends a call that starts or ends a run or a test case: those are committed at once, since a long wait for the user's
 * program may follow. */
static int end_and_commit(db *d, int result, error *e) {
  result = db_end_write(d, result, e);
  return result == 0 ? db_commit(d, e) : result;
}

int db_begin_run(db *d, const char *command, const char *version, int64_t *run, error *e) {
  char uuid[37];
  char started[32];
  char process[PROCESS_NAME];
  timestamp(started, sizeof started);
  db_process_name(getpid(), process);
  if (make_uuid(uuid, e) != 0 || db_begin_write(d, e) != 0) {
    return -1;
  }
  int result = sql_run(d, SQL_ADD_RUN, e, "ttttt", uuid, command, version, started, process);
  *run = sqlite3_last_insert_rowid(d->handle);
  return end_and_commit(d, result, e);
}

int db_end_run(db *d, int64_t run, const char *device, int exit, error *e) {
  return sql_write(d, SQL_END_RUN, e, "tii", device, (int64_t)exit, run) != 0 ? -1 : db_commit(d, e);
}

int db_continue_run(db *d, int64_t run, error *e) {
  char process[PROCESS_NAME];
  db_process_name(getpid(), process);
  return sql_write(d, SQL_SET_PROCESS, e, "ti", process, run) != 0 ? -1 : db_commit(d, e);
}

int db_set_revision(db *d, int64_t run, const char *revision, error *e) {
  return sql_write(d, SQL_SET_REVISION, e, "ti", revision, run);
}

int db_begin_test_case(db *d, int64_t run, const char *suite, const char *name, const char *command_line,
                       int64_t *test_case, error *e) {
  if (db_begin_write(d, e) != 0) {
    return -1;
  }
  int result = sql_run(d, SQL_ADD_TEST_CASE, e, "ittt", run, suite, name, command_line);
  *test_case = sqlite3_last_insert_rowid(d->handle);
  return end_and_commit(d, result, e);
}

int db_set_word(db *d, int64_t test_case, const char *word, error *e) {
  return sql_write(d, SQL_SET_WORD, e, "ti", word, test_case);
}

int db_end_test_case(db *d, int64_t test_case, int status, bool timed_out, error *e) {
  return sql_write(d, SQL_END_TEST_CASE, e, "iii", (int64_t)status, (int64_t)timed_out, test_case) != 0
             ? -1
             : db_commit(d, e);
}

int db_drop_test_case(db *d, int64_t test_case, error *e) {
  return sql_write(d, SQL_DROP_TEST_CASE, e, "i", test_case) != 0 ? -1 : db_commit(d, e);
}

int db_add_evidence(db *d, int64_t test_case, int64_t kernel, uint64_t launches, const db_evidence *items, size_t count,
                    error *e) {
  if (db_begin_write(d, e) != 0) {
    return -1;
  }
  int result = 0;
  if (launches > 0) {
    int64_t stored = launches > INT64_MAX / 2 ? INT64_MAX / 2 : (int64_t)launches;
    result = sql_run(d, SQL_ADD_LAUNCHES, e, "iii", test_case, kernel, stored);
  }
  for (size_t i = 0; result == 0 && i < count; i++) {
    result = sql_run(d, SQL_ADD_EVIDENCE, e, "iiiu", test_case, kernel, items[i].site, items[i].outcome);
  }
  return db_end_write(d, result, e);
}

int db_add_refused(db *d, int64_t run, const db_refused *r, error *e) {
  return sql_write(d, SQL_ADD_REFUSED, e, "ic", run, &db_refused_columns, r);
}

int db_add_skipped(db *d, int64_t run, const char *program, const char *reason, error *e) {
  return sql_write(d, SQL_ADD_SKIPPED, e, "itt", run, program, reason);
}
