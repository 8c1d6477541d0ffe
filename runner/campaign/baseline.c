/* The original, several times. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/memory.h"
#include "runner/campaign/internal.h"
#include "runner/run_words.h"

enum { PROGRAM_RUNS = 3 };

/* --- the original ------------------------------------------------------------------------------------------------- */

static int plain_ended(campaign *c, campaign_job *j, error *e) {
  (void)e;
  test_state *t = &c->tests[j->test];
  c->out->status = j->job.status > c->out->status ? j->job.status : c->out->status;
  if (j->job.status != 0 || j->job.timed_out) {
    if (!c->out->baseline_failed) {
      failure_words(&j->job, c->options->tests[j->test].name, "without any mutant", c->out->why, sizeof c->out->why);
      c->out->baseline_failed = true;
    }
    return 0;
  }
  t->seconds = j->job.seconds > t->seconds ? j->job.seconds : t->seconds;
  if (t->plain.processes == NULL && t->plain.output[0] == '\0') {
    t->plain = j->seen;
    j->seen = (transcript){0};
  } else {
    transcript_learn(&t->plain, &j->seen);
  }
  return 0;
}

/* `runs` jobs of a kind for each test case; of the original only where replays have not done them. */
static int run_all(campaign *c, run_kind kind, unsigned runs, int (*ended)(campaign *, campaign_job *, error *),
                   error *e) {
  const size_t most = c->options->test_count * runs;
  size_t count = 0;
  campaign_job **jobs = mem_calloc(most + 1, sizeof(campaign_job *));
  for (size_t i = 0; i < most; i++) {
    if (kind != RUN_PLAIN || !c->tests[i % c->options->test_count].replay) {
      jobs[count++] = campaign_job_new(c, kind, i % c->options->test_count);
    }
  }
  int result = campaign_run_jobs(c, jobs, count, ended, e);
  free(jobs);
  return result;
}

typedef struct unstable_store {
  campaign *campaign;
  size_t test;
} unstable_store;

static int store_unstable(void *context, const char *what, double share, error *e) {
  const unstable_store *s = context;
  campaign_note(s->campaign,
                "%s: %s differs from run to run without any mutant (%.3g %% of its bytes, which are no evidence)",
                s->campaign->options->tests[s->test].name, what, share * 100);
  return db_add_unstable(s->campaign->db, s->campaign->tests[s->test].row, what, share, e);
}

unsigned campaign_program_runs(const campaign *c) {
  const unsigned runs = c->options->runs;
  return campaign_may_replay(c) && runs > PROGRAM_RUNS ? PROGRAM_RUNS : runs;
}

int campaign_baseline(campaign *c, error *e) {
  const unsigned runs = campaign_program_runs(c);
  campaign_phase_begin(c, PHASE_BASELINE, c->options->test_count * runs);
  if (run_all(c, RUN_PLAIN, 1, plain_ended, e) != 0) {
    return -1;
  }
  if (c->out->baseline_failed || c->out->interrupted || runs == 1) {
    return 0;
  }
  clock_sleep_past(time(NULL));
  return run_all(c, RUN_PLAIN, runs - 1, plain_ended, e);
}

int campaign_baseline_rest(campaign *c, error *e) {
  const unsigned rest = c->options->runs - campaign_program_runs(c);
  campaign_phase_begin(c, PHASE_BASELINE, c->options->test_count * rest);
  if (rest > 0 && run_all(c, RUN_PLAIN, rest, plain_ended, e) != 0) {
    return -1;
  }
  for (size_t t = 0; t < c->options->test_count && !c->out->interrupted && !c->out->baseline_failed; t++) {
    unstable_store s = {c, t};
    if (unstable_outputs(&c->tests[t].plain, c->options->oracle, store_unstable, &s, e) != 0) {
      return -1;
    }
    if (c->options->oracle == ORACLE_READS && c->program_count > 0 && stable_reads(&c->tests[t].plain) == 0) {
      campaign_note(
          c,
          "%s reads nothing back from the device that is the same in every run: only its exit status can tell "
          "mutants apart (or its output, with --oracle output)",
          c->options->tests[t].name);
    }
  }
  return 0;
}
