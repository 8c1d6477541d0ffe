/* The test case in work, captured once and done again without its program in every run of its schedules. */
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "runner/amplify/internal.h"
#include "runner/experiment/run_words.h"
#include "wire/fields.h"

static void put_turn(pool_job *job, buffer *answer) {
  const amplify_job *j = (const amplify_job *)job;
  turn_begin(answer, (uint64_t)j->form, j->against, 0, false);
  wire_put_u32(answer, 0); /* kernels of schemas */
  wire_end(answer);
}

void amplify_replay_job(amplify_job *j) {
  amplify *a = j->amplify;
  replay_job(&j->job, &a->capture, a->test + 1, put_turn);
}

/* --- whether the test case is replayed ------------------------------------------------------------------------------
 */

bool amplify_may_replay(const amplify *a) {
  const amplify_options *o = a->options; /* the host may do something else with a mutant */
  return o->engine != ENGINE_RERUN && o->oracle == ORACLE_READS && o->capture_layer != NULL &&
         o->replay_program != NULL && o->mutant == 0;
}

void amplify_no_replay(amplify *a, const char *why) {
  a->replay = false;
  (void)snprintf(a->no_replay, sizeof a->no_replay, "%s", why);
}

void amplify_check_stable(amplify *a) {
  const char *why = replay_obstacle(&a->plain);
  if (why != NULL) {
    amplify_no_replay(a, why);
  }
}

static int say_not_replayed(amplify *a, error *e) {
  const char *name = a->options->tests[a->test].name;
  if (a->options->engine == ENGINE_REPLAY) {
    return error_set(e, EXIT_USAGE, "--engine replay: %s cannot be replayed: %s; use --engine auto", name,
                     a->no_replay);
  }
  amplify_note(a, "%s: every run starts the program again, as it cannot be replayed: %s", name, a->no_replay);
  return 0;
}

static bool has_trials(const amplify *a) {
  for (size_t i = 0; i < a->launch_count; i++) {
    if (a->launches[i].trial_count > 0) {
      return true;
    }
  }
  return false;
}

int amplify_say_engine(amplify *a, error *e) {
  return amplify_may_replay(a) && !a->replay && has_trials(a) ? say_not_replayed(a, e) : 0;
}

/* --- the capture ----------------------------------------------------------------------------------------------------
 */

static int captured(amplify *a, amplify_job *j, error *e) {
  (void)e;
  const bool failed = j->job.timed_out || j->job.status != a->plain.status;
  if (failed) {
    amplify_note_failure(a, j);
  }
  if (failed || transcript_differs(&a->plain, &j->seen, a->options->oracle)) {
    amplify_no_replay(a, "it does something else when it is captured");
  }
  return 0;
}

int amplify_capture(amplify *a, error *e) {
  amplify_check_stable(a);
  if (!amplify_may_replay(a) || a->no_replay[0] != '\0') {
    return 0;
  }
  if (a->captures == NULL && (a->captures = captures_open(e)) == NULL) {
    return -1;
  }
  capture_file_free(&a->capture);
  capture_file_init(&a->capture, a->captures, a->test, a->options->replay_program);
  a->replay = true;
  amplify_job *j = amplify_job_new(a, FORM_PLAIN);
  capture_job(&j->job, a->options->capture_layer, &a->capture);
  return amplify_run_jobs(a, &j, 1, captured, e);
}

/* --- replays of the program as it is --------------------------------------------------------------------------------
 */

static int checked(amplify *a, amplify_job *j, error *e) {
  if (!a->replay) {
    return 0; /* known from another one */
  }
  if (!j->job.replayed) {
    char why[sizeof a->no_replay];
    worker_words(&j->job, why, sizeof why);
    amplify_no_replay(a, why);
    return say_not_replayed(a, e);
  }
  if (j->job.incomplete || amplify_job_outcome(j, NO_LAUNCH) != RUN_REFERENCE) {
    amplify_no_replay(a, "a replay reads other values than the program");
    return say_not_replayed(a, e);
  }
  return 0;
}

int amplify_check_plain(amplify *a, unsigned runs, error *e) {
  amplify_job **jobs = mem_calloc(runs + 1, sizeof *jobs);
  for (unsigned i = 0; i < runs; i++) {
    jobs[i] = amplify_job_new(a, FORM_PLAIN);
    jobs[i]->against = &a->plain;
    amplify_replay_job(jobs[i]);
  }
  int result = amplify_run_jobs(a, jobs, runs, checked, e);
  free(jobs);
  return result;
}
