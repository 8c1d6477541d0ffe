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
  experiment_note(x, "%s %s in some runs %s (%s %d)", name_of(x, j->test),
                  x->cases[j->test].fails ? "ends otherwise" : "fails", x->kind->without,
                  j->job.timed_out ? "it hangs; status" : "exit status", j->job.status);
}

/* A crash may be the very fault that is looked for: what the program shows until then is kept. */
static void keep_failing(experiment_case *c, experiment_job *j) {
  c->mixed = c->mixed || j->job.timed_out || (c->failed > 0 && c->failing.status != j->job.status);
  c->alone = (c->alone || c->failed == 0) && !j->job.left_running;
  experiment_learn(&c->failing, j, c->failed == 0);
}

static void take_failure(experiment *x, experiment_job *j) {
  experiment_case *c = &x->cases[j->test];
  const bool first = c->ended_well == 0;
  char why[sizeof x->out->why], without[80];
  (void)snprintf(without, sizeof without, "%s%s", x->kind->without,
                 j->job.timed_out ? "; --timeout gives it more" : "");
  failure_words(&j->job, name_of(x, j->test), without, why, sizeof why);
  if (first) {
    keep_failing(c, j);
  }
  c->failed++;
  c->hung = c->hung || j->job.timed_out;
  c->seconds = j->job.seconds > c->seconds ? j->job.seconds : c->seconds;
  if (x->kind->tolerant && !first) {
    experiment_note_failure(x, j);
    return;
  }
  if (c->why == NULL) {
    c->why = mem_strdup(why);
  }
  if (x->kind->tolerant || !x->out->baseline_failed) {
    (void)snprintf(x->out->why, sizeof x->out->why, "%s", c->why);
  }
  x->out->baseline_failed = true;
}

static bool ended_as_it_does(const experiment_case *c, const pool_job *job) {
  return !job->timed_out && job->status == (c->fails ? c->plain.status : 0);
}

static int plain_ended(experiment *x, experiment_job *j, error *e) {
  (void)e;
  experiment_case *c = &x->cases[j->test];
  x->out->status = j->job.status > x->out->status ? j->job.status : x->out->status;
  if (!ended_as_it_does(c, &j->job)) {
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
  const unsigned runs = c->failed + c->ended_well, failed = c->fails ? c->ended_well : c->failed;
  if (x->kind->tolerant) {
    experiment_note(x, "%s\n%s does so now and then (%u of %u runs so far); those that end well are looked at", c->why,
                    name_of(x, test), failed, runs);
    return;
  }
  (void)snprintf(x->out->why, sizeof x->out->why,
                 "%s\n%s does so now and then (%u of %u runs): make it end alike every time, else nobody can tell "
                 "which mutant is at fault. Verdicts so far are kept",
                 c->why, name_of(x, test), failed, runs);
}

/* It fails in each run, and alike: that is what other runs are compared with. */
static void take_failing(experiment *x, size_t test) {
  experiment_case *c = &x->cases[test];
  char next[1024];
  c->plain = c->failing;
  c->failing = (transcript){0};
  c->ended_well = c->failed;
  c->failed = 0;
  c->fails = true;
  x->out->failing++;
  experiment_note(x, "%s\n%s ends so in each of %u runs: what it does until then is what others are compared with",
                  c->why, name_of(x, test), c->ended_well);
  const experiment_test *t = &x->options->tests[test];
  crash_advice(c->plain.status, t->suite[0] == '\0' && t->capture == NULL ? t->line : "", false, next, sizeof next);
  if (next[0] != '\0') {
    experiment_note(x, "%s", next);
  }
}

/* Whether the program can be looked at although runs of it have failed. */
static bool settle(experiment *x, size_t test) {
  experiment_case *c = &x->cases[test];
  if (c->failed == 0) {
    return true;
  }
  if (c->ended_well > 0) {
    say_now_and_then(x, test);
    return x->kind->tolerant;
  }
  if (c->failed < FAILURES_LOOKED_AT || c->hung || c->mixed) {
    (void)snprintf(
        x->out->why, sizeof x->out->why, "%s%s%s%s", c->why, c->mixed && !c->hung ? "\n" : "",
        c->mixed && !c->hung ? name_of(x, test) : "",
        c->mixed && !c->hung ? " does not end alike in each run, so that nothing can be compared with it" : "");
    return false;
  }
  take_failing(x, test);
  return true;
}

/* A program that fails is run again: whether it always does or now and then, a person wants to know; where that is
 * tolerated, until it ends well. One that hangs is not: that would take as long again. */
static int look_at_failures(experiment *x, error *e) {
  bool fine = true;
  if (!x->out->baseline_failed) {
    return 0;
  }
  for (size_t t = x->begin; t < x->end && !experiment_stopped(x); t++) {
    const experiment_case *c = &x->cases[t];
    while (c->failed > 0 && !c->hung && c->failed + c->ended_well < FAILURES_LOOKED_AT && !experiment_stopped(x) &&
           !(x->kind->tolerant && c->ended_well > 0)) {
      experiment_job *again = x->kind->plain(x, t);
      if (experiment_run_jobs(x, &again, 1, plain_ended, e) != 0) {
        return -1;
      }
    }
    fine = !experiment_stopped(x) && settle(x, t) && fine;
  }
  x->out->baseline_failed = !fine;
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
