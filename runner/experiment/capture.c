/* Runs that are captured, and which test cases are replayed. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/memory.h"
#include "runner/experiment/experiment.h"

bool experiment_may_replay(const experiment *x) {
  const experiment_options *o = x->options;
  return o->engine != ENGINE_RERUN && o->oracle == ORACLE_READS && o->capture_layer != NULL &&
         o->replay_program != NULL && !x->never_replays;
}

void experiment_happens(experiment *x, size_t test, case_event event) {
  x->cases[test].state = case_after(x->cases[test].state, event);
}

bool experiment_is_replayed(const experiment *x, size_t test) { return case_is_replayed(x->cases[test].state); }

/* --- test cases that are not -------------------------------------------------------------------------------------- */

int experiment_say_not_replayed(experiment *x, size_t test, error *e) {
  const char *name = x->options->tests[test].name, *why = x->cases[test].no_replay;
  if (x->options->engine == ENGINE_REPLAY) {
    return error_set(e, EXIT_USAGE, "--engine replay: %s cannot be replayed: %s; use --engine auto", name, why);
  }
  experiment_note(x, "%s: every run starts the program again, as it cannot be replayed: %s", name, why);
  return 0;
}

static void lose(experiment *x, size_t test, const char *why) {
  experiment_case *c = &x->cases[test];
  experiment_happens(x, test, EVENT_LOST);
  (void)snprintf(c->no_replay, sizeof c->no_replay, "%s", why);
}

int experiment_not_replayed(experiment *x, size_t test, const char *why, error *e) {
  lose(x, test, why);
  return x->kind->says_later ? 0 : experiment_say_not_replayed(x, test, e);
}

int experiment_lose_replays(experiment *x, size_t test, const char *why, error *e) {
  lose(x, test, why);
  const bool wrong = x->options->engine == ENGINE_REPLAY && !x->kind->says_later;
  return wrong ? experiment_say_not_replayed(x, test, e) : 0;
}

/* --- captures ----------------------------------------------------------------------------------------------------- */

/* A program without OpenCL leaves no file. */
static bool is_empty(const experiment_case *c) { return c->plain.count == 0 && access(c->capture.path, F_OK) != 0; }

static int captured(experiment *x, experiment_job *j, error *e) {
  experiment_case *c = &x->cases[j->test];
  const bool failed = j->job.timed_out || j->job.status != c->plain.status;
  /* of one that varies replays will tell: what varies may be something else with another layer in its process */
  const bool same = !failed && (case_varies(c->state) || !transcript_differs(&c->plain, &j->seen, x->options->oracle));
  if (failed && x->kind->tolerant) {
    experiment_note_failure(x, j);
  }
  if (same) {
    const bool wanted = case_is_wanted(c->state), empty = is_empty(c);
    experiment_happens(x, j->test, empty ? EVENT_NOTHING : EVENT_CAPTURED);
    return wanted && empty ? experiment_lose_replays(x, j->test, "it does nothing on the device", e) : 0;
  }
  return case_is_wanted(c->state) ? experiment_not_replayed(x, j->test, "it does something else when it is captured", e)
                                  : 0;
}

int experiment_capture_file(experiment *x, size_t test, error *e) {
  if (x->captures == NULL && (x->captures = captures_open(e)) == NULL) {
    return -1;
  }
  capture_file_free(&x->cases[test].capture);
  const char *given = x->options->tests[test].capture;
  capture_file_init(&x->cases[test].capture, x->captures, test, x->options->replay_program);
  if (given != NULL) { /* what a replay does could be captured, but for what it keeps around memory */
    capture_file_take(&x->cases[test].capture, given);
  }
  return 0;
}

int experiment_capture(experiment *x, error *e) {
  size_t count = 0;
  experiment_job **jobs = mem_calloc(x->end - x->begin + 1, sizeof(experiment_job *));
  for (size_t t = x->begin; t < x->end; t++) {
    if (x->cases[t].capture.path != NULL && x->options->tests[t].capture != NULL) {
      experiment_happens(x, t, EVENT_CAPTURED);
    } else if (x->cases[t].capture.path != NULL) {
      jobs[count] = x->kind->plain(x, t);
      capture_job(&jobs[count++]->job, x->options->capture_layer, &x->cases[t].capture);
    }
  }
  int result = experiment_run_jobs(x, jobs, count, captured, e);
  free(jobs);
  return result;
}
