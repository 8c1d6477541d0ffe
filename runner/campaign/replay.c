/* Test cases that are done again without their program: captured once, and compared with what the program shows. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "runner/campaign/internal.h"
#include "runner/run_words.h"

/* --- turns ----------------------------------------------------------------------------------------------------------
 */

/* Turns with equal setups use the same built programs. 0: the program as it is. */
static uint64_t setup_of(const campaign_job *j) {
  if (j->reference != NULL) {
    return ((uint64_t)j->reference->number + 1) << 32 | (uint32_t)(j->batch + 1);
  }
  const uint64_t form = (uint64_t)j->campaign->form_changes * 2;
  return j->kind == RUN_REACH ? form + 1 : j->kind == RUN_SCHEMA ? form + 2 : 0;
}

static void put_kernel(const campaign_job *j, uint32_t kernel, buffer *answer) {
  const campaign_program *p = j->campaign->programs[j->program];
  const char *name = p->schema.model.kernels[kernel].name;
  uint32_t number = j->kind == RUN_MUTANT ? p->mutants[j->mutant].is->number : 0;
  char *twin = j->batch != NO_BATCH ? mutant_clone_name(name, number) : mem_strdup(name);
  wire_put_u32(answer, (uint32_t)j->program);
  wire_put_string(answer, name, strlen(name));
  wire_put_string(answer, twin, strlen(twin));
  wire_put_u32(answer, number);
  wire_put_u32(answer, campaign_fuel(j->campaign, j->test, j->program, kernel));
  free(twin);
}

static void put_turn(pool_job *job, buffer *answer) {
  const campaign_job *j = (const campaign_job *)job;
  const reference *r = j->reference;
  turn_begin(answer, setup_of(j), j->against, j->filling, j->kind == RUN_MUTANT);
  wire_put_u32(answer, r == NULL ? 0 : (uint32_t)r->kernel_count);
  for (size_t i = 0; r != NULL && i < r->kernel_count; i++) {
    put_kernel(j, r->kernels[i], answer);
  }
  wire_end(answer);
}

void campaign_replay_job(campaign_job *j) {
  replay_job(&j->job, &j->campaign->tests[j->test].capture, j->test + 1, put_turn);
  j->job.child.observe = "1"; /* for all turns of the worker */
  j->job.purpose = j->kind == RUN_MUTANT ? (uint64_t)j->program << 32 | (j->mutant + 1) : 0;
}

const char *campaign_replay_failed(const campaign_job *j) {
  return j->differs || j->events != 0 ? NULL : replay_failed(&j->job);
}

/* --- which test cases -----------------------------------------------------------------------------------------------
 */

int campaign_not_replayed(campaign *c, size_t test, const char *why, error *e) {
  const char *name = c->options->tests[test].name;
  c->tests[test].replay = false;
  if (c->options->engine == ENGINE_REPLAY) {
    return error_set(e, EXIT_USAGE, "--engine replay: %s cannot be replayed: %s; use --engine auto", name, why);
  }
  campaign_note(c, "%s: every run starts the program again, as it cannot be replayed: %s", name, why);
  return 0;
}

int campaign_varies(campaign *c, size_t test, const char *why, error *e) {
  c->tests[test].replay = false;
  return c->options->engine == ENGINE_REPLAY ? campaign_not_replayed(c, test, why, e) : 0;
}

static int captured(campaign *c, campaign_job *j, error *e) {
  test_state *t = &c->tests[j->test];
  if (j->job.status != t->plain.status || transcript_differs(&t->plain, &j->seen, c->options->oracle)) {
    return campaign_not_replayed(c, j->test, "it does something else when it is captured", e);
  }
  t->captured = true;
  return 0;
}

static int checked(campaign *c, campaign_job *j, error *e) {
  const test_state *t = &c->tests[j->test];
  if (!t->replay) {
    return 0; /* known from another run */
  }
  c->tests[j->test].replay_seconds = j->job.seconds; /* the last one's */
  if (!j->job.replayed) {
    char why[512];
    worker_words(&j->job, why, sizeof why);
    return campaign_not_replayed(c, j->test, why, e);
  }
  if (j->job.incomplete || transcript_differs(&t->plain, &j->seen, c->options->oracle)) {
    return campaign_not_replayed(c, j->test,
                                 j->filling == 0 ? "a replay reads other values than the program"
                                                 : "what it reads depends on memory that it has not written",
                                 e);
  }
  return 0;
}

/* `runs` jobs for each test case that may be replayed. */
static int run_candidates(campaign *c, run_kind kind, unsigned runs, int (*ended)(campaign *, campaign_job *, error *),
                          error *e) {
  size_t count = 0;
  campaign_job **jobs = mem_calloc(c->options->test_count * runs + 1, sizeof *jobs);
  for (size_t i = 0; i < c->options->test_count * runs; i++) {
    const size_t t = i / runs;
    if (c->tests[t].replay) {
      campaign_job *j = jobs[count++] = campaign_job_new(c, kind, t);
      if (kind == RUN_CHECK) {
        campaign_replay_job(j);
        j->filling = replay_filling(i % runs);
      } else {
        capture_job(&j->job, c->options->capture_layer, &c->tests[t].capture);
      }
    }
  }
  int result = count == 0 ? 0 : campaign_run_jobs(c, jobs, count, ended, e);
  free(jobs);
  return result;
}

static int choose_candidates(campaign *c, error *e) {
  for (size_t t = 0; t < c->options->test_count; t++) {
    const char *why = replay_obstacle(&c->tests[t].plain);
    const bool several = c->tests[t].plain.count > 1; /* processes */
    if (why != NULL && (several ? campaign_not_replayed(c, t, why, e) : campaign_varies(c, t, why, e)) != 0) {
      return -1;
    }
    if (why == NULL) {
      capture_file_init(&c->tests[t].capture, c->captures, t, c->options->replay_program);
      c->tests[t].replay = true;
    }
  }
  return 0;
}

bool campaign_may_replay(const campaign *c) {
  const campaign_options *o = c->options;
  return o->engine != ENGINE_RERUN && o->oracle == ORACLE_READS && o->capture_layer != NULL &&
         o->replay_program != NULL;
}

int campaign_capture(campaign *c, error *e) {
  if (!campaign_may_replay(c)) {
    return campaign_record(c, e);
  }
  c->captures = captures_open(e);
  if (c->captures == NULL || choose_candidates(c, e) != 0) {
    return -1;
  }
  const unsigned rest = c->options->runs - campaign_program_runs(c);
  const unsigned checks = (rest > 0 ? rest : 1) + REPLAY_FILLINGS - 1;
  campaign_phase_begin(c, PHASE_CAPTURE, c->options->test_count * (1 + checks));
  return run_candidates(c, RUN_CAPTURE, 1, captured, e) != 0 ? -1 : run_candidates(c, RUN_CHECK, checks, checked, e);
}

void campaign_capture_end(campaign *c) {
  for (size_t t = 0; c->tests != NULL && t < c->options->test_count; t++) {
    capture_file_free(&c->tests[t].capture);
  }
  captures_close(c->captures);
}
