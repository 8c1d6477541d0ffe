/* The pool of processes, with a stand-in for the program and for the worker that replays captures. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/clock.h"
#include "runner/experiment/pool.h"
#include "tests/runner/experiment/worker.h"
#include "wire/fields.h"
#include "wire/protocol.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])
#define KILLED (128 + SIGKILL)
#define SHORT 0.3 /* seconds */
enum { PROCESSES = 32, JOBS = 32 };

static char mark[64];

/* What is seen of a job. */
typedef struct seen_job {
  pool_job job;
  char *argv[4];
  uint64_t action;
  char number[8];
  uint32_t pid; /* of the process that spoke last */
  unsigned forgotten, ended, released;
} seen_job;

static int on_message(void *context, void *client, uint32_t type, const void *payload, size_t length, buffer *answer,
                      error *e) {
  seen_job *j = context;
  wire_reader in = {.at = payload, .left = length};
  (void)client;
  (void)answer;
  (void)e;
  if (type == MESSAGE_NOTE) j->pid = wire_u32(&in);
  return 0;
}

static void on_gone(void *context, void *client) {
  (void)context;
  (void)client;
}

static void turn(pool_job *job, buffer *answer) {
  wire_begin(answer, MESSAGE_TURN);
  wire_put_u64(answer, ((seen_job *)job)->action);
  wire_end(answer);
}

static void forget(pool_job *job) { ((seen_job *)job)->forgotten++; }

static seen_job make(uint64_t worker, uint64_t variant, uint64_t action, double limit) {
  return (seen_job){.job = {.limit = limit, .worker = worker, .variant = variant, .turn = turn, .forget = forget},
                    .action = action};
}

/* Once it lies where it stays. */
static void settle(seen_job *j) {
  j->argv[0] = (char *)POOL_WORKER;
  (void)snprintf(j->number, sizeof j->number, "%d", j->job.worker == 0 ? (int)j->action : -1);
  j->argv[1] = j->number;
  j->argv[2] = mark;
  j->job.child = (child_options){.argv = j->argv, .on.layer = "none.so"};
  j->job.handler = (server_handler){j, sizeof(int), on_message, on_gone};
}

/* --- a list of jobs ----------------------------------------------------------------------------------------------- */

typedef struct job_list {
  seen_job *jobs;
  size_t count, next;
} job_list;

static pool_job *next(void *context) {
  job_list *l = context;
  if (l->next == l->count) return NULL;
  seen_job *j = &l->jobs[l->next++];
  settle(j);
  return &j->job;
}

static bool enough(void *context, const pool_job *job) {
  (void)context;
  (void)job;
  return false;
}

static int ended(void *context, pool_job *job, error *e) {
  (void)context;
  (void)e;
  ((seen_job *)job)->ended++;
  return 0;
}

static void released(void *context, pool_job *job) {
  (void)context;
  ((seen_job *)job)->released++;
}

static void tick(void *context) { (void)context; }

static void run(pool *p, seen_job *jobs, size_t count, unsigned width) {
  job_list list = {jobs, count, 0};
  const pool_source source = {&list, next, enough, ended, released, tick};
  bool interrupted = false;
  error e;
  if (pool_run(p, &source, width, &interrupted, &e) != 0) fail_msg("%s", e.text);
  assert_false(interrupted);
}

/* --- workers ------------------------------------------------------------------------------------------------------ */

/* One turn after another of the same pool: what becomes of it, and which process (numbered as they appear) does it. */
static const struct {
  uint64_t worker, variant, action;
  int status;
  bool replayed, timed_out, escaped, incomplete, repeated;
  unsigned process;
} turns[] = {
    {1, 0, DO_WELL, 0, true, false, false, false, false, 0},
    {1, 0, DO_WELL, 0, true, false, false, false, false, 0}, /* kept for the next turn */
    {2, 0, DO_WELL, 0, true, false, false, false, false, 1}, /* of another capture */
    {1, 5, DO_ESCAPE, 0, true, false, true, false, false, 0},
    {1, 6, DO_WELL, 0, true, false, false, false, false, 0}, /* memory of others is whole */
    {1, 7, DO_SPOIL, 0, true, false, false, false, false, 0},
    {1, 7, DO_WELL, 0, true, false, false, false, false, 0}, /* it may only harm its own variant */
    {1, 8, DO_WELL, 0, true, false, false, false, false, 2},
    {1, 8, DO_FAULT, 128 + SIGSEGV, false, false, false, true, false, 2},
    {1, 9, DO_HALF, 0, true, false, false, true, false, 2},
    {1, 0, DO_EXIT, EXIT_OF_DO_EXIT, false, false, false, false, false, 2},
    {1, 0, DO_WELL, 0, true, false, false, false, false, 3},
    {1, 0, DO_HANG, KILLED, false, true, false, false, false, 3},
    {1, 0, DO_DIE, KILLED, false, false, false, false, true, 5}, /* process 4 too; twice is its own doing */
    {1, 0, DO_DIE_ONCE, 0, true, false, false, false, true, 7},  /* process 6 was killed by somebody else */
    {1, 0, DO_WELL, 0, true, false, false, false, false, 7},
    {2, 0, DO_WELL, 0, true, false, false, false, false, 1},
};

static unsigned number_of(uint32_t pids[PROCESSES], unsigned *count, uint32_t pid) {
  for (unsigned i = 0; i < *count; i++)
    if (pids[i] == pid) return i;
  assert_in_range(*count, 0, PROCESSES - 1);
  pids[*count] = pid;
  return (*count)++;
}

static void test_turns(void **state) {
  (void)state;
  pool *p = pool_open(2, NULL, 0);
  uint32_t pids[PROCESSES] = {0};
  unsigned processes = 0;
  for (size_t i = 0; i < COUNT(turns); i++) {
    const bool hangs = turns[i].action == DO_HANG;
    seen_job j = make(turns[i].worker, turns[i].variant, turns[i].action, hangs ? SHORT : 0);
    run(p, &j, 1, 1);
    assert_int_equal(j.ended, 1);
    assert_int_equal(j.released, 1);
    assert_int_equal(j.job.status, turns[i].status);
    assert_int_equal(j.job.replayed, turns[i].replayed);
    assert_int_equal(j.job.timed_out, turns[i].timed_out);
    assert_int_equal(j.job.escaped, turns[i].escaped);
    assert_int_equal(j.job.incomplete, turns[i].incomplete);
    assert_int_equal(j.job.repeated, turns[i].repeated);
    assert_int_equal(j.forgotten, turns[i].repeated ? 1 : 0);
    processes += turns[i].repeated ? 1 : 0; /* the first of two processes has a number, too */
    assert_int_equal(number_of(pids, &processes, j.pid), turns[i].process);
    assert_int_equal(j.job.first_read, turns[i].action == DO_EXIT || turns[i].status == KILLED ? 0 : READS_LEFT_OUT);
  }
  pool_close(p);
}

/* How many workers do these turns, two at a time. */
static unsigned workers_of(pool *p, seen_job *jobs, size_t count) {
  uint32_t pids[PROCESSES] = {0};
  unsigned processes = 0;
  run(p, jobs, count, 2);
  for (size_t i = 0; i < count; i++) {
    assert_int_equal(jobs[i].ended, 1);
    assert_int_equal(jobs[i].released, 1);
    (void)number_of(pids, &processes, jobs[i].pid);
  }
  return processes;
}

/* While a worker builds its programs another would build the same: it begins when the first one's turns have taken as
 * long as that. Each is kept. */
static void test_width(void **state) {
  (void)state;
  pool *p = pool_open(2, NULL, 0);
  seen_job jobs[JOBS];
  for (size_t i = 0; i < JOBS; i++) jobs[i] = make(1, 0, i == 0 ? DO_HANG : DO_WELL, i == 0 ? SHORT : 0);
  assert_in_range(workers_of(p, jobs, JOBS), 2, 3); /* one of them was killed */
  for (size_t i = 0; i < 4; i++) jobs[i] = make(2, 0, i == 0 ? DO_BUILD : DO_WELL, 0);
  assert_int_equal(workers_of(p, jobs, 4), 1);
  jobs[0] = make(3, 0, DO_BUILD, 0);
  jobs[1] = make(4, 0, DO_WELL, 0); /* another capture's waits for nobody */
  assert_int_equal(workers_of(p, jobs, 2), 2);
  pool_close(p);
}

/* --- programs ----------------------------------------------------------------------------------------------------- */

static void test_programs(void **state) {
  (void)state;
  static const struct {
    uint64_t action;
    double limit;
    int status;
    bool timed_out;
  } programs[] = {
      {DO_WELL, 0, 0, false},
      {DO_EXIT, 0, EXIT_OF_DO_EXIT, false},
      {DO_HANG, SHORT, KILLED, true},
      {DO_DIE, 0, KILLED, false},
  };
  pool *p = pool_open(1, NULL, 0);
  uint32_t before = 0;
  for (size_t i = 0; i < COUNT(programs); i++) {
    seen_job j = make(0, 0, programs[i].action, programs[i].limit);
    run(p, &j, 1, 1);
    assert_int_equal(j.job.status, programs[i].status);
    assert_int_equal(j.job.timed_out, programs[i].timed_out);
    assert_false(j.job.replayed);
    assert_true(j.pid != 0 && j.pid != before); /* a process of its own each time */
    before = j.pid;
  }
  pool_close(p);
}

static pool_job *next_once(void *context) {
  seen_job *j = context;
  if (j->argv[0] != NULL) return NULL;
  settle(j);
  return &j->job;
}

static bool has_spoken(void *context, const pool_job *job) {
  (void)context;
  return ((const seen_job *)job)->pid != 0;
}

/* The rest of a run that is of no interest is not waited for. */
static void test_enough(void **state) {
  (void)state;
  pool *p = pool_open(1, NULL, 0);
  seen_job j = make(0, 0, DO_HANG, 0);
  const pool_source source = {&j, next_once, has_spoken, ended, released, tick};
  bool interrupted = false;
  error e;
  assert_int_equal(pool_run(p, &source, 1, &interrupted, &e), 0);
  assert_true(j.job.stopped);
  assert_false(j.job.repeated); /* it was we who killed it */
  assert_int_equal(j.ended, 1);
  pool_close(p);
}

/* When time is over nothing is said to have ended, what was started is released, and nothing more is. */
static void test_deadline(void **state) {
  (void)state;
  pool *p = pool_open(1, NULL, 0);
  seen_job jobs[2] = {make(0, 0, DO_HANG, 0), make(0, 0, DO_WELL, 0)};
  pool_set_deadline(p, clock_now() + SHORT);
  run(p, jobs, 2, 1);
  assert_true(pool_is_late(p));
  for (size_t i = 0; i < 2; i++) {
    assert_int_equal(jobs[i].ended, 0);
    assert_int_equal(jobs[i].released, i == 0 ? 1 : 0);
  }
  pool_close(p);
}

static int begin(void **state) {
  (void)state;
  (void)snprintf(mark, sizeof mark, "/tmp/cltestcheck-pool-%ld", (long)getpid());
  (void)unlink(mark);
  return 0;
}

static int end(void **state) {
  (void)state;
  return unlink(mark);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_turns),  cmocka_unit_test(test_width),    cmocka_unit_test(test_programs),
      cmocka_unit_test(test_enough), cmocka_unit_test(test_deadline),
  };
  return cmocka_run_group_tests(tests, begin, end);
}
