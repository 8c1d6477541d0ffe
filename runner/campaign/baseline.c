/* The original, several times. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/clock.h"
#include "base/memory.h"
#include "runner/campaign/internal.h"
#include "runner/experiment/run_words.h"

enum { PROGRAM_RUNS = 3, FAILURES_LOOKED_AT = 3 };

/* --- the original ------------------------------------------------------------------------------------------------- */

static int plain_ended(campaign *c, campaign_job *j, error *e) {
  (void)e;
  test_state *t = &c->tests[j->test];
  c->out->status = j->job.status > c->out->status ? j->job.status : c->out->status;
  if (j->job.status != 0 || j->job.timed_out) {
    t->failed++;
    if (!c->out->baseline_failed) {
      failure_words(&j->job, c->options->tests[j->test].name, "without any mutant", c->out->why, sizeof c->out->why);
      c->out->baseline_failed = true;
    }
    return 0;
  }
  t->ended_well++;
  t->seconds = j->job.seconds > t->seconds ? j->job.seconds : t->seconds;
  if (t->plain.processes == NULL && t->plain.output[0] == '\0') {
    t->plain = j->seen;
    j->seen = (transcript){0};
  } else {
    transcript_learn(&t->plain, &j->seen);
  }
  return 0;
}

/* Whether replays stand for the other runs. What varies, and what lies where nobody has written, only the program
 * shows. */
static bool replays_do(const campaign *c, size_t test) {
  const test_state *t = &c->tests[test];
  return case_is_replayed(t->state) && !case_varies(t->state) && !case_reads_unwritten(t->state);
}

/* `runs` runs of the original for each test case, or for those alone whose replays do not do them. */
static int run_original(campaign *c, unsigned runs, bool replayed_too,
                        int (*ended)(campaign *, campaign_job *, error *), error *e) {
  const size_t most = c->options->test_count * runs;
  size_t count = 0;
  campaign_job **jobs = mem_calloc(most + 1, sizeof(campaign_job *));
  for (size_t i = 0; i < most; i++) {
    if (replayed_too || !replays_do(c, i % c->options->test_count)) {
      jobs[count++] = campaign_job_new(c, RUN_PLAIN, i % c->options->test_count);
    }
  }
  int result = campaign_run_jobs(c, jobs, count, ended, e);
  free(jobs);
  return result;
}

/* A program that fails is run again: whether it always does or now and then, a person wants to know. */
static int look_at_failure(campaign *c, error *e) {
  for (size_t i = 0; i < c->options->test_count && c->out->baseline_failed && !campaign_stopped(c); i++) {
    const test_state *t = &c->tests[i];
    while (t->failed > 0 && t->failed + t->ended_well < FAILURES_LOOKED_AT && !campaign_stopped(c)) {
      campaign_job *again = campaign_job_new(c, RUN_PLAIN, i);
      if (campaign_run_jobs(c, &again, 1, plain_ended, e) != 0) {
        return -1;
      }
    }
    if (t->failed > 0 && t->ended_well > 0) {
      const size_t length = strlen(c->out->why);
      (void)snprintf(c->out->why + length, sizeof c->out->why - length,
                     "\n%s does so now and then (%u of %u runs): make it end alike every time, else nobody can tell "
                     "which mutant is at fault. Verdicts so far are kept",
                     c->options->tests[i].name, t->failed, t->failed + t->ended_well);
    }
  }
  return 0;
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

/* Whether one run is left for later: two show before a capture what always varies. */
static bool one_later(const campaign *c) { return campaign_may_replay(c) && campaign_program_runs(c) == PROGRAM_RUNS; }

int campaign_baseline(campaign *c, error *e) {
  const unsigned runs = campaign_program_runs(c);
  campaign_phase_begin(c, PHASE_BASELINE, c->options->test_count * (one_later(c) ? runs - 1 : runs));
  if (run_original(c, 1, true, plain_ended, e) != 0) {
    return -1;
  }
  c->first_ended = time(NULL);
  if (look_at_failure(c, e) != 0) {
    return -1;
  }
  if (c->out->baseline_failed || campaign_stopped(c) || runs == 1) {
    return 0;
  }
  if (!one_later(c)) {
    clock_sleep_past(c->first_ended);
  }
  const unsigned more = one_later(c) ? runs - 2 : runs - 1;
  return run_original(c, more, true, plain_ended, e) != 0 ? -1 : look_at_failure(c, e);
}

static int later_ended(campaign *c, campaign_job *j, error *e) {
  if (plain_ended(c, j, e) != 0) {
    return -1;
  }
  const test_state *t = &c->tests[j->test];
  const bool told = !case_is_replayed(t->state) || c->out->baseline_failed ||
                    (case_varies(t->state) && stable_reads(&t->plain) > 0);
  const char *why = told ? NULL : replay_obstacle(&t->plain);
  return why == NULL ? 0 : campaign_varies(c, j->test, why, e);
}

int campaign_baseline_later(campaign *c, error *e) {
  if (!one_later(c)) {
    return 0;
  }
  campaign_phase_begin(c, PHASE_BASELINE, c->options->test_count);
  clock_sleep_past(c->first_ended);
  return run_original(c, 1, true, later_ended, e) != 0 ? -1 : look_at_failure(c, e);
}

/* Test cases that do nothing on the device, in one sentence for all. */
static void note_idle(const campaign *c) {
  enum { NAMED = 3 };
  buffer names = {0};
  size_t count = 0;
  for (size_t t = 0; t < c->options->test_count; t++) {
    if (c->tests[t].state == CASE_IDLE && count++ < NAMED) {
      buffer_printf(&names, "%s%s", count == 1 ? "" : ", ", c->options->tests[t].name);
    }
  }
  if (count > 0) {
    campaign_note(c, "%zu test case%s nothing on the device and %s run against no mutant: %s%s", count,
                  count == 1 ? " does" : "s do", count == 1 ? "is" : "are", buffer_text(&names),
                  count > NAMED ? ", …" : "");
  }
  buffer_free(&names);
}

int campaign_baseline_rest(campaign *c, error *e) {
  const unsigned rest = c->options->runs - campaign_program_runs(c);
  campaign_phase_begin(c, PHASE_BASELINE, c->options->test_count * rest);
  if (rest > 0 && (run_original(c, rest, false, plain_ended, e) != 0 || look_at_failure(c, e) != 0)) {
    return -1;
  }
  for (size_t t = 0; t < c->options->test_count && !campaign_stopped(c) && !c->out->baseline_failed; t++) {
    unstable_store s = {c, t};
    if (unstable_outputs(&c->tests[t].plain, c->options->oracle, store_unstable, &s, e) != 0) {
      return -1;
    }
    const bool tells = c->tests[t].state == CASE_IDLE || stable_reads(&c->tests[t].plain) > 0;
    if (c->options->oracle == ORACLE_READS && c->program_count > 0 && !tells) {
      campaign_note(
          c,
          "%s reads nothing back from the device that is the same in every run: only its exit status can tell "
          "mutants apart (or its output, with --oracle output)",
          c->options->tests[t].name);
    }
  }
  if (c->program_count > 0) {
    note_idle(c);
  }
  return 0;
}
