/* The program as it is, several times. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "runner/experiment/experiment.h"
#include "runner/experiment/run_words.h"

enum { PROGRAM_RUNS = 3, FAILURES_LOOKED_AT = 3 };

static const char *name_of(const experiment *x, size_t test) { return x->options->tests[test].name; }

unsigned experiment_plain_runs(const experiment *x) {
  return x->options->runs < x->kind->most_plain ? x->options->runs : x->kind->most_plain;
}

unsigned experiment_program_runs(const experiment *x) {
  const unsigned runs = experiment_plain_runs(x);
  return experiment_may_replay(x) && runs > PROGRAM_RUNS ? PROGRAM_RUNS : runs;
}

/* Two runs show before a capture what always varies. */
bool experiment_defers_run(const experiment *x) {
  return experiment_may_replay(x) && experiment_program_runs(x) == PROGRAM_RUNS;
}

/* --- runs --------------------------------------------------------------------------------------------------------- */

void experiment_note_failure(const experiment *x, const experiment_job *j) {
  experiment_note(x, "%s fails in some runs %s (%s %d)", name_of(x, j->test), x->kind->without,
                  j->job.timed_out ? "it hangs; status" : "exit status", j->job.status);
}

static void take_failure(experiment *x, const experiment_job *j) {
  experiment_case *c = &x->cases[j->test];
  c->failed++;
  c->hung = c->hung || j->job.timed_out;
  if (x->kind->tolerant && c->ended_well > 0) {
    experiment_note_failure(x, j);
    return;
  }
  if (x->kind->tolerant || !x->out->baseline_failed) {
    char without[80];
    (void)snprintf(without, sizeof without, "%s%s", x->kind->without,
                   j->job.timed_out ? "; --timeout gives it more" : "");
    failure_words(&j->job, name_of(x, j->test), without, x->out->why, sizeof x->out->why);
  }
  x->out->baseline_failed = true;
}

static int plain_ended(experiment *x, experiment_job *j, error *e) {
  (void)e;
  experiment_case *c = &x->cases[j->test];
  x->out->status = j->job.status > x->out->status ? j->job.status : x->out->status;
  if (j->job.status != 0 || j->job.timed_out) {
    take_failure(x, j);
    return 0;
  }
  c->alone = (c->alone || c->ended_well == 0) && !j->job.left_running;
  experiment_learn(&c->plain, j, c->ended_well == 0);
  c->ended_well++;
  c->seconds = j->job.seconds > c->seconds ? j->job.seconds : c->seconds;
  return 0;
}

static int run_plain(experiment *x, unsigned runs, bool (*wanted)(const experiment *, size_t), error *e) {
  const size_t cases = x->end - x->begin;
  experiment_job **jobs = mem_calloc(cases * runs + 1, sizeof(experiment_job *));
  size_t count = 0;
  for (size_t i = 0; i < cases * runs; i++) {
    const size_t test = x->begin + i % cases;
    if (wanted == NULL || wanted(x, test)) {
      jobs[count++] = x->kind->plain(x, test);
    }
  }
  int result = experiment_run_jobs(x, jobs, count, plain_ended, e);
  free(jobs);
  return result;
}

/* --- programs that fail ------------------------------------------------------------------------------------------- */

static void say_now_and_then(experiment *x, size_t test) {
  const experiment_case *c = &x->cases[test];
  const unsigned runs = c->failed + c->ended_well;
  if (x->kind->tolerant) {
    x->out->baseline_failed = false;
    experiment_note(x, "%s\n%s does so now and then (%u of %u runs so far); those that end well are looked at",
                    x->out->why, name_of(x, test), c->failed, runs);
    return;
  }
  const size_t length = strlen(x->out->why);
  (void)snprintf(x->out->why + length, sizeof x->out->why - length,
                 "\n%s does so now and then (%u of %u runs): make it end alike every time, else nobody can tell "
                 "which mutant is at fault. Verdicts so far are kept",
                 name_of(x, test), c->failed, runs);
}

/* A program that fails is run again: whether it always does or now and then, a person wants to know; where that is
 * tolerated, until it ends well. One that hangs is not: that would take as long again. */
static int look_at_failures(experiment *x, error *e) {
  for (size_t t = x->begin; t < x->end && x->out->baseline_failed && !experiment_stopped(x); t++) {
    const experiment_case *c = &x->cases[t];
    while (c->failed > 0 && !c->hung && c->failed + c->ended_well < FAILURES_LOOKED_AT && !experiment_stopped(x) &&
           !(x->kind->tolerant && c->ended_well > 0)) {
      experiment_job *again = x->kind->plain(x, t);
      if (experiment_run_jobs(x, &again, 1, plain_ended, e) != 0) {
        return -1;
      }
    }
    if (c->failed > 0 && c->ended_well > 0) {
      say_now_and_then(x, t);
    }
  }
  return 0;
}

int experiment_run_plain(experiment *x, unsigned runs, bool (*wanted)(const experiment *, size_t), error *e) {
  return run_plain(x, runs, wanted, e) != 0 ? -1 : look_at_failures(x, e);
}

/* --- phases ------------------------------------------------------------------------------------------------------- */

int experiment_baseline(experiment *x, error *e) {
  const unsigned runs = experiment_program_runs(x), later = experiment_defers_run(x) ? 1 : 0;
  experiment_phase_begin(x, PHASE_BASELINE, (x->end - x->begin) * (runs - later));
  if (run_plain(x, 1, NULL, e) != 0) {
    return -1;
  }
  x->first_ended = time(NULL);
  if (look_at_failures(x, e) != 0) {
    return -1;
  }
  if (x->out->baseline_failed || experiment_stopped(x)) {
    return 0;
  }
  if (runs > 1 && later == 0) {
    clock_sleep_past(x->first_ended);
  }
  unsigned made = 1;
  if (x->kind->after_first != NULL && x->kind->after_first(x, &made, e) != 0) {
    return -1;
  }
  if (made + later >= runs || experiment_stopped(x)) {
    return 0;
  }
  return experiment_run_plain(x, runs - later - made, NULL, e);
}

int experiment_baseline_later(experiment *x, error *e) {
  clock_sleep_past(x->first_ended);
  return experiment_run_plain(x, 1, NULL, e);
}
