/* Processes share a file of the results database. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

/* cmocka.h wants these before it. */
/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
/* clang-format on */

#include "db/internal.h"
#include "home/home.h"
#include "tests/fixtures/db_fixture.h"
#include "tests/fixtures/ok.h"
#include "tests/fixtures/report_fixture.h"

/* --- processes at once -------------------------------------------------------------------------------------- */

#define WRITERS 3
#define ROUNDS 40

/* Opens the database, which may not be there yet, and stores a run with some test cases. */
static int writer(const char *path) {
  error e;
  db *d;
  int64_t run, test_case;
  model m;
  db_program p;
  fixture_conv(&m);
  if (db_open(&d, path, DB_WRITE, &e) != 0 || db_begin_run(d, "coverage", "0.1", &run, &e) != 0 ||
      db_add_program(d, run, &m, &p, &e) != 0) {
    (void)fprintf(stderr, "%s\n", e.text);
    return 1;
  }
  for (int i = 0; i < ROUNDS; i++) {
    const db_evidence seen[] = {{p.sites[CONV_IF], 0}, {p.sites[CONV_FOR], 2}};
    if (db_begin_test_case(d, run, "suite", "t", "", &test_case, &e) != 0 ||
        db_add_evidence(d, test_case, p.kernels[0], 1, seen, 2, &e) != 0 ||
        db_end_test_case(d, test_case, 0, false, &e) != 0) {
      (void)fprintf(stderr, "%s\n", e.text);
      return 1;
    }
  }
  int result = db_end_run(d, run, "device", 0, &e);
  db_close(d);
  db_program_free(&p);
  model_free(&m);
  return result == 0 ? 0 : 1;
}

static void test_processes_write_at_once(void **state) {
  (void)state;
  error e;
  db *d;
  view v;
  pid_t children[WRITERS];
  char *path = fixture_path("shared.db");
  for (int i = 0; i < WRITERS; i++) {
    children[i] = fork();
    assert_true(children[i] >= 0);
    if (children[i] == 0) _exit(writer(path));
  }
  for (int i = 0; i < WRITERS; i++) {
    int status;
    assert_int_equal(waitpid(children[i], &status, 0), children[i]);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
  }
  OK(db_open(&d, path, DB_READ, &e));
  run_summary *runs;
  size_t count;
  OK(db_list_runs(d, &runs, &count, &e));
  assert_int_equal(count, WRITERS);
  int64_t ids[WRITERS];
  for (size_t i = 0; i < count; i++) {
    ids[i] = runs[i].id;
    assert_int_equal(runs[i].test_cases, ROUNDS);
  }
  for (size_t i = 0; i <= count; i++) { /* each alone, and all together: the same test cases again */
    OK(db_load(d, i < count ? &ids[i] : ids, i < count ? 1 : count, &v, &e));
    assert_int_equal(v.kernel_count, 2); /* one program */
    assert_int_equal(v.test_case_count, ROUNDS);
    assert_int_equal(kernel_named(&v, "conv2d")->launches, ROUNDS);
    view_free(&v);
  }
  db_free_runs(runs, count);
  db_close(d);
  fixture_forget(path);
}

/* A batch that stays open does not lock the others out for ever: it is committed when a call finds it old. */
static void test_an_old_transaction_is_committed(void **state) {
  fixture *f = *state;
  error e;
  OK(db_put_fact(f->d, "GPU", "1", true, &e));
  assert_true(f->d->in_transaction);
  f->d->began -= 1000;
  OK(db_put_fact(f->d, "GPU", "2", true, &e));
  assert_false(f->d->in_transaction);
}

/* Opening a database that is up to date waits for nobody. */
static void test_opening_while_another_writes(void **state) {
  fixture *f = *state;
  error e;
  db *other;
  (void)fixture_run(f->d);
  OK(db_put_fact(f->d, "GPU", "1", true, &e));
  assert_true(f->d->in_transaction);
  f->d->began += 60000; /* stays open */
  OK(db_open(&other, f->path, DB_WRITE, &e));
  view v;
  OK(db_load(other, NULL, 0, &v, &e));
  assert_int_equal(v.kernel_count, 3);
  view_free(&v);
  db_close(other);
}

/* Does another process see the lock that keeps the index of the journal alive? */
static bool index_is_locked(const char *index) {
  int status = 0;
  pid_t child = fork();
  if (child == 0) {
    struct flock lock = {
        .l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = 128, .l_len = 1}; /* SQLite's dead man's switch */
    int file = open(index, O_RDWR);
    _exit(file >= 0 && fcntl(file, F_GETLK, &lock) == 0 && lock.l_type != F_UNLCK ? 0 : 1);
  }
  assert_int_equal(waitpid(child, &status, 0), child);
  return status == 0;
}

/* A search for sources walks over the database, too: closing one of its files again would take all locks away. */
static void test_searches_leave_locks_alone(void **state) {
  fixture *f = *state;
  char index[512];
  size_t length = 0;
  (void)snprintf(index, sizeof index, "%s-shm", f->path);
  assert_true(index_is_locked(index));
  free(catalogue_read(index, &length));
  assert_true(index_is_locked(index));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_processes_write_at_once),
      TEST(test_an_old_transaction_is_committed),
      TEST(test_searches_leave_locks_alone),
      TEST(test_opening_while_another_writes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
