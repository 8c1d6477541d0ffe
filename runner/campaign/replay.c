/* Test cases that are done again without their program: captured once, and compared with what the program shows. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/memory.h"
#include "capture/capture.h"
#include "runner/campaign/internal.h"
#include "runner/experiment/run_words.h"

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
  turn_begin(answer, setup_of(j), j->against, replay_filling(j->filling), j->kind == RUN_MUTANT);
  wire_put_u32(answer, r == NULL ? 0 : (uint32_t)r->kernel_count);
  for (size_t i = 0; r != NULL && i < r->kernel_count; i++) {
    put_kernel(j, r->kernels[i], answer);
  }
  wire_end(answer);
}

void campaign_replay_job(campaign_job *j) {
  test_state *t = &j->campaign->tests[j->test];
  replay_job(&j->job, &t->capture, (j->test + 1) * 2 + (case_by_blocks(t->state) ? 1 : 0), put_turn);
  j->job.child.observe = case_by_blocks(t->state) ? "blocks" : "1"; /* for all turns of the worker */
  j->job.purpose = j->kind == RUN_MUTANT ? (uint64_t)j->program << 32 | (j->mutant + 1) : 0;
}

const char *campaign_replay_failed(const campaign_job *j) {
  return j->differs || j->events != 0 ? NULL : replay_failed(&j->job);
}

static void happens(test_state *t, case_event event) { t->state = case_after(t->state, event); }

/* --- which test cases -----------------------------------------------------------------------------------------------
 */

int campaign_not_replayed(campaign *c, size_t test, const char *why, error *e) {
  const char *name = c->options->tests[test].name;
  happens(&c->tests[test], EVENT_LOST);
  if (c->options->engine == ENGINE_REPLAY) {
    return error_set(e, EXIT_USAGE, "--engine replay: %s cannot be replayed: %s; use --engine auto", name, why);
  }
  campaign_note(c, "%s: every run starts the program again, as it cannot be replayed: %s", name, why);
  return 0;
}

int campaign_varies(campaign *c, size_t test, const char *why, error *e) {
  happens(&c->tests[test], EVENT_LOST);
  return c->options->engine == ENGINE_REPLAY ? campaign_not_replayed(c, test, why, e) : 0;
}

static const char varying[] = "what it reads differs from run to run";

/* A test of the host alone: no mutant is run against it. */
static int captured_nothing(campaign *c, size_t test, error *e) {
  happens(&c->tests[test], EVENT_NOTHING);
  return c->options->engine == ENGINE_REPLAY ? campaign_not_replayed(c, test, "it does nothing on the device", e) : 0;
}

static int captured(campaign *c, campaign_job *j, error *e) {
  test_state *t = &c->tests[j->test];
  /* of one that varies replays will tell: what varies may be something else with another layer in its process */
  const bool differs = !case_varies(t->state) && transcript_differs(&t->plain, &j->seen, c->options->oracle);
  if (differs || j->job.status != t->plain.status) {
    return campaign_not_replayed(c, j->test, "it does something else when it is captured", e);
  }
  if (t->plain.count == 0 && access(t->capture.path, F_OK) != 0) {
    return captured_nothing(c, j->test, e);
  }
  happens(t, EVENT_CAPTURED);
  return 0;
}

/* Of a program that varies: where it gives the device the same both times, it is the device's memory that varies. */
static int captured_again(campaign *c, campaign_job *j, error *e) {
  const test_state *t = &c->tests[j->test];
  const bool same =
      case_is_captured(t->state) && j->job.status == t->plain.status && capture_same_work(t->capture.path, j->job.child.capture);
  (void)unlink(j->job.child.capture);
  return same || !case_is_replayed(t->state) ? 0 : campaign_varies(c, j->test, varying, e);
}

/* --- whether replays show what the program shows --------------------------------------------------------------------
 */

static int checked(campaign *c, campaign_job *j, error *e) {
  test_state *t = &c->tests[j->test];
  if (!case_is_replayed(t->state)) {
    return 0; /* known from another run */
  }
  t->replay_seconds = j->job.seconds; /* the last one's */
  if (!j->job.replayed) {
    char why[512];
    worker_words(&j->job, why, sizeof why);
    return campaign_not_replayed(c, j->test, why, e);
  }
  transcript *first = &t->filled[j->filling];
  if (first->processes == NULL && !j->job.incomplete) {
    *first = j->seen;
    j->seen = (transcript){0};
  } else if (j->job.incomplete || transcript_differs(first, &j->seen, c->options->oracle)) {
    return case_varies(t->state) ? campaign_varies(c, j->test, varying, e)
                            : campaign_not_replayed(c, j->test, "what replays read differs", e);
  }
  return 0;
}

static void forget_checks(test_state *t) {
  for (size_t i = 0; i < REPLAY_FILLINGS; i++) {
    transcript_free(&t->filled[i]);
    t->filled[i] = (transcript){0};
  }
}

/* What differs between fillings comes from where nobody has written: there the program may well read something else. */
static int compare_checks(campaign *c, size_t test, error *e) {
  test_state *t = &c->tests[test];
  transcript *replays = &t->filled[0];
  for (size_t i = 1; i < REPLAY_FILLINGS; i++) {
    transcript_learn(replays, &t->filled[i]);
  }
  const bool unwritten = transcript_unstable(replays);
  if (!case_by_blocks(t->state) && (unwritten || transcript_differs(replays, &t->plain, c->options->oracle))) {
    happens(t, EVENT_UNCLEAR);
    return 0;
  }
  transcript_mark(replays, &t->plain);
  if (transcript_differs(replays, &t->plain, c->options->oracle)) {
    return campaign_not_replayed(c, test, "a replay reads other values than the program", e);
  }
  if (unwritten && stable_reads(replays) == 0) {
    return campaign_not_replayed(c, test, "all that it reads depends on memory that it has not written", e);
  }
  happens(t, unwritten ? EVENT_UNWRITTEN : EVENT_SAME);
  return 0;
}

/* --- runs for them --------------------------------------------------------------------------------------------------
 */

static int capture_once(campaign *c, error *e) {
  size_t count = 0;
  campaign_job **jobs = mem_calloc(c->options->test_count + 1, sizeof *jobs);
  for (size_t t = 0; t < c->options->test_count; t++) {
    if (case_is_wanted(c->tests[t].state)) {
      jobs[count] = campaign_job_new(c, RUN_CAPTURE, t);
      capture_job(&jobs[count++]->job, c->options->capture_layer, &c->tests[t].capture);
    }
  }
  int result = campaign_run_jobs(c, jobs, count, captured, e);
  free(jobs);
  return result;
}

/* In another second, for programs that go by the time. */
static int capture_again(campaign *c, error *e) {
  const time_t first_ended = time(NULL);
  int result = 0;
  for (size_t t = 0; t < c->options->test_count && result == 0 && !campaign_stopped(c); t++) {
    if (case_is_replayed(c->tests[t].state) && case_varies(c->tests[t].state)) {
      capture_file again = {0};
      clock_sleep_past(first_ended);
      capture_file_init(&again, c->captures, c->options->test_count, c->options->replay_program);
      campaign_job *j = campaign_job_new(c, RUN_CAPTURE, t);
      capture_job(&j->job, c->options->capture_layer, &again);
      result = campaign_run_jobs(c, &j, 1, captured_again, e);
      capture_file_free(&again);
    }
  }
  return result;
}

/* Whether replays of the test case are to be looked at in this way. */
static bool is_unchecked(const test_state *t, bool blocks) {
  return blocks ? t->state == CASE_UNCLEAR || t->state == CASE_CAPTURED_VARYING : t->state == CASE_CAPTURED;
}

/* `runs` replays of each test case that may be replayed, of which nothing but digests is known, or blocks. */
static int check(campaign *c, unsigned runs, bool blocks, error *e) {
  size_t count = 0;
  campaign_job **jobs = mem_calloc(c->options->test_count * runs + 1, sizeof *jobs);
  for (size_t i = 0; i < c->options->test_count * runs; i++) {
    const test_state *t = &c->tests[i / runs];
    if (is_unchecked(t, blocks)) {
      campaign_job *j = jobs[count++] = campaign_job_new(c, RUN_CHECK, i / runs);
      campaign_replay_job(j);
      j->filling = i % runs < REPLAY_FILLINGS ? i % runs : 0;
    }
  }
  int result = campaign_run_jobs(c, jobs, count, checked, e);
  free(jobs);
  for (size_t t = 0; t < c->options->test_count && result == 0 && !campaign_stopped(c); t++) {
    result = is_unchecked(&c->tests[t], blocks) ? compare_checks(c, t, e) : 0;
    forget_checks(&c->tests[t]);
  }
  return result;
}

/* Parts of what it reads may vary, as long as others tell something. */
static bool varies_inside(const transcript *plain) {
  return plain->count == 1 && !plain->unstable_count && transcript_unstable(plain) && stable_reads(plain) > 0;
}

static int choose_candidates(campaign *c, error *e) {
  for (size_t t = 0; t < c->options->test_count; t++) {
    test_state *test = &c->tests[t];
    const bool varies = varies_inside(&test->plain);
    const char *why = varies ? NULL : replay_obstacle(&test->plain);
    const bool several = test->plain.count > 1; /* processes */
    if (why != NULL && (several ? campaign_not_replayed(c, t, why, e) : campaign_varies(c, t, why, e)) != 0) {
      return -1;
    }
    if (why == NULL) {
      capture_file_init(&test->capture, c->captures, t, c->options->replay_program);
      happens(test, varies ? EVENT_VARIES : EVENT_STEADY);
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
  if (capture_once(c, e) != 0 || capture_again(c, e) != 0) {
    return -1;
  }
  return check(c, checks, false, e) != 0 ? -1 : check(c, checks, true, e);
}

void campaign_capture_end(campaign *c) {
  for (size_t t = 0; c->tests != NULL && t < c->options->test_count; t++) {
    capture_file_free(&c->tests[t].capture);
  }
  captures_close(c->captures);
}
