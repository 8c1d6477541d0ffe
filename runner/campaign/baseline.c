/* The original, several times; then what it reaches, how long its kernels take and how long they take in schemas. */
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

/* `runs` runs of the original for each test case, or for those that are not replayed alone. */
static int run_original(campaign *c, unsigned runs, bool replayed_too,
                        int (*ended)(campaign *, campaign_job *, error *), error *e) {
  const size_t most = c->options->test_count * runs;
  size_t count = 0;
  campaign_job **jobs = mem_calloc(most + 1, sizeof(campaign_job *));
  for (size_t i = 0; i < most; i++) {
    if (replayed_too || !c->tests[i % c->options->test_count].replay) {
      jobs[count++] = campaign_job_new(c, RUN_PLAIN, i % c->options->test_count);
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

/* Whether one run is left for later: two show before a capture what always varies. */
static bool one_later(const campaign *c) { return campaign_may_replay(c) && campaign_program_runs(c) == PROGRAM_RUNS; }

int campaign_baseline(campaign *c, error *e) {
  const unsigned runs = campaign_program_runs(c);
  campaign_phase_begin(c, PHASE_BASELINE, c->options->test_count * (one_later(c) ? runs - 1 : runs));
  if (run_original(c, 1, true, plain_ended, e) != 0) {
    return -1;
  }
  c->first_ended = time(NULL);
  if (c->out->baseline_failed || c->out->interrupted || runs == 1) {
    return 0;
  }
  if (one_later(c)) {
    return run_original(c, runs - 2, true, plain_ended, e);
  }
  clock_sleep_past(c->first_ended);
  return run_original(c, runs - 1, true, plain_ended, e);
}

static int later_ended(campaign *c, campaign_job *j, error *e) {
  if (plain_ended(c, j, e) != 0) {
    return -1;
  }
  const test_state *t = &c->tests[j->test];
  const char *why = t->replay && !c->out->baseline_failed ? replay_obstacle(&t->plain) : NULL;
  return why == NULL ? 0 : campaign_varies(c, j->test, why, e);
}

int campaign_baseline_later(campaign *c, error *e) {
  if (!one_later(c)) {
    return 0;
  }
  campaign_phase_begin(c, PHASE_BASELINE, c->options->test_count);
  clock_sleep_past(c->first_ended);
  return run_original(c, 1, true, later_ended, e);
}

int campaign_baseline_rest(campaign *c, error *e) {
  const unsigned rest = c->options->runs - campaign_program_runs(c);
  campaign_phase_begin(c, PHASE_BASELINE, c->options->test_count * rest);
  if (rest > 0 && run_original(c, rest, false, plain_ended, e) != 0) {
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

/* --- reach, times --------------------------------------------------------------------------------------------------
 */

/* Leaves a program out of the campaign, with its reason. */
static int leave_out(campaign *c, campaign_program *p, const char *refused, error *e) {
  const char *line = refused == NULL ? NULL : strstr(refused, "error:");
  buffer reason = {0};
  if (refused == NULL) {
    buffer_puts(&reason, "with its schema the test does not end as with the original");
  } else {
    buffer_printf(&reason, "the device refused its schema: %.300s", line == NULL ? refused : line);
  }
  p->reason = buffer_take(&reason);
  return db_add_skipped(c->db, c->run, p->name, p->reason, e);
}

/* A replay that ends otherwise with the schemas says little: the program has to show it. */
static int schema_not_replayed(campaign *c, const campaign_job *j, error *e) {
  char words[512], why[600];
  worker_words(&j->job, words, sizeof words);
  (void)snprintf(why, sizeof why, "with the sources that hold the mutants: %s", words);
  return c->tests[j->test].replay ? campaign_not_replayed(c, j->test, why, e) : 0;
}

/* A schema that is refused costs its own program; one that changes how the test ends may be any. */
static int schema_ended(campaign *c, campaign_job *j, error *e) {
  bool failed = j->refused != NULL || j->job.status != 0 || (j->job.worker != 0 && replay_failed(&j->job) != NULL);
  if (failed && j->refused == NULL && j->job.worker != 0) {
    return schema_not_replayed(c, j, e);
  }
  for (size_t i = 0; i < c->program_count && failed; i++) {
    campaign_program *p = c->programs[i];
    bool meant = j->refused == NULL || j->refused_program == i;
    if (meant && p->reason == NULL && p->schema.mutant_count > 0 && leave_out(c, p, j->refused, e) != 0) {
      return -1;
    }
  }
  test_state *t = &c->tests[j->test];
  const bool first = j->kind == RUN_REACH || (j->kind == RUN_SCHEMA && !t->built);
  t->built = t->built || j->kind == RUN_SCHEMA;
  *(first ? &c->first_seconds : &c->second_seconds) += j->job.seconds;
  if (!first) {
    t->schema_seconds = j->job.seconds;
  }
  return 0;
}

static int nothing_ended(campaign *c, campaign_job *j, error *e) {
  (void)c;
  (void)j;
  (void)e;
  return 0;
}

/* What building a kernel costs: the first run of the schemas against the second. */
static void set_build_cost(campaign *c) {
  size_t kernels = 0;
  for (size_t p = 0; p < c->program_count; p++) {
    kernels += c->programs[p]->schema.model.kernel_count;
  }
  double cost = kernels == 0 ? 0 : (c->first_seconds - 2 * c->second_seconds) / (2 * (double)kernels);
  c->build_seconds = cost < 0.05 ? 0.05 : cost;
}

static bool replayed(const campaign *c, size_t test) { return c->tests[test].replay; }
static bool not_replayed(const campaign *c, size_t test) { return !replayed(c, test); }

/* Which kernel it is that takes longer in the form that holds mutants matters only where that is more, in all runs of a
 * mutant, than building one. */
static bool slow_replays(const campaign *c, size_t test) {
  const test_state *t = &c->tests[test];
  return t->replay && (t->schema_seconds - t->replay_seconds) * c->options->runs > c->build_seconds;
}

typedef int (*job_ended)(campaign *, campaign_job *, error *);

/* Runs of these kinds, one after another, for each test case that is wanted. */
static int prepare(campaign *c, const run_kind *kinds, size_t kind_count, bool (*wanted)(const campaign *, size_t),
                   job_ended ended, error *e) {
  size_t count = 0;
  campaign_job **jobs = mem_calloc(c->options->test_count * kind_count + 1, sizeof *jobs);
  for (size_t i = 0; i < c->options->test_count * kind_count && !c->out->interrupted; i++) {
    const size_t test = i / kind_count;
    const run_kind kind = kinds[i % kind_count];
    if (wanted(c, test)) {
      campaign_job *j = jobs[count++] = campaign_job_new(c, kind, test);
      if (c->tests[test].replay && (kind == RUN_REACH || kind == RUN_SCHEMA)) {
        campaign_replay_job(j);
      }
    }
  }
  int result = campaign_run_jobs(c, jobs, count, ended, e);
  free(jobs);
  return result;
}

int campaign_prepare(campaign *c, error *e) {
  static const run_kind replays[] = {RUN_REACH, RUN_SCHEMA, RUN_SCHEMA}; /* the last one finds all built */
  static const run_kind runs[] = {RUN_REACH, RUN_SCHEMA, RUN_SCHEMA_TIMES};
  static const run_kind times[] = {RUN_SCHEMA_TIMES, RUN_TIMES};
  campaign_phase_begin(c, PHASE_PREPARE, c->options->test_count * 4);
  if (prepare(c, replays, 3, replayed, schema_ended, e) != 0) {
    return -1;
  }
  for (size_t i = 0; i < sizeof runs / sizeof runs[0]; i++) { /* each finds built what the one before has built */
    if (prepare(c, &runs[i], 1, not_replayed, schema_ended, e) != 0) {
      return -1;
    }
  }
  set_build_cost(c);
  return prepare(c, &times[1], 1, not_replayed, nothing_ended, e) != 0
             ? -1
             : prepare(c, times, 2, slow_replays, nothing_ended, e);
}
