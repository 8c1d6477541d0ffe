/* The test case in work, captured once and done again without its program in every run of its schedules. */
#include <stdlib.h>

#include "base/memory.h"
#include "runner/amplify/internal.h"
#include "runner/run_words.h"
#include "runner/wire.h"

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

static int not_replayed(amplify *a, const char *why, error *e) {
  const char *name = a->options->tests[a->test].name;
  a->replay = false;
  if (a->options->engine == ENGINE_REPLAY) {
    return error_set(e, EXIT_USAGE, "--engine replay: %s cannot be replayed: %s; use --engine auto", name, why);
  }
  amplify_note(a, "%s: every run starts the program again, as it cannot be replayed: %s", name, why);
  return 0;
}

static int captured(amplify *a, amplify_job *j, error *e) {
  if (j->job.status != a->plain.status || transcript_differs(&a->plain, &j->seen, a->options->oracle)) {
    return not_replayed(a, "it does something else when it is captured", e);
  }
  return 0;
}

static int checked(amplify *a, amplify_job *j, error *e) {
  if (!a->replay) {
    return 0; /* known from another one */
  }
  if (!j->job.replayed) {
    char why[512];
    worker_words(&j->job, why, sizeof why);
    return not_replayed(a, why, e);
  }
  if (j->job.incomplete || amplify_job_outcome(j, NO_LAUNCH) != RUN_REFERENCE) {
    return not_replayed(a, "a replay reads other values than the program", e);
  }
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

static int capture(amplify *a, error *e) {
  amplify_job *j = amplify_job_new(a, FORM_PLAIN);
  capture_job(&j->job, a->options->capture_layer, &a->capture);
  return amplify_run_jobs(a, &j, 1, captured, e);
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

static int check(amplify *a, error *e) {
  amplify_job *j = amplify_job_new(a, a->options->coverage ? FORM_COVERAGE : FORM_BARE);
  j->against = &a->reference;
  amplify_job_slow(j); /* the worker starts */
  amplify_replay_job(j);
  return amplify_run_jobs(a, &j, 1, checked, e);
}

bool amplify_may_replay(const amplify *a) {
  const amplify_options *o = a->options; /* the host may do something else with a mutant */
  return o->engine != ENGINE_RERUN && o->oracle == ORACLE_READS && o->capture_layer != NULL &&
         o->replay_program != NULL && o->mutant == 0;
}

int amplify_capture(amplify *a, error *e) {
  const amplify_options *o = a->options;
  if (!amplify_may_replay(a) || !has_trials(a)) {
    return 0;
  }
  const char *why = replay_obstacle(&a->plain);
  why = why == NULL ? replay_obstacle(&a->reference) : why;
  if (why != NULL) {
    return not_replayed(a, why, e);
  }
  if (a->captures == NULL && (a->captures = captures_open(e)) == NULL) {
    return -1;
  }
  amplify_phase_begin(a, AMPLIFY_CAPTURE, 2);
  capture_file_free(&a->capture);
  capture_file_init(&a->capture, a->captures, a->test, o->replay_program);
  a->replay = true;
  int result = capture(a, e);
  return result == 0 && a->replay && amplify_goes_on(a) ? check(a, e) : result;
}
