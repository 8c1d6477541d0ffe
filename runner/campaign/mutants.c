/* Every mutant against every test case that reaches it. */
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "mutate/verdict.h"
#include "runner/campaign/launches.h"

enum { LIMIT_FACTOR = 10, SLOW_FACTOR = 6, LIMIT_AGAIN = 2, LIMIT_FACTOR_AGAIN = 3 };
#define EVENT_SECONDS 0.03 /* what a kernel says of itself may come behind a read, and tells why it differs */

/* A mutant in work: one run of it at a time. */
typedef struct unit {
  bool active, busy;
  size_t program;
  uint32_t index;
  size_t test;              /* in work */
  mutant_verdict *verdicts; /* one per test case */
  mutant_runs runs;         /* of the test case in work */
  bool rerun;               /* this test case's runs start the program, though others replay it */
  bool reveals;             /* this test case kills it: does the program notice? */
  bool fills;               /* its runs have fillings */
  bool checks;              /* a checked replay comes next, */
  check_look look;          /* of this */
  mutant_races no_race;     /* what the first one said */
  mutant_races races;       /* what all of them said */
  bool again;               /* all of it once more, with the program, as --verify-engine wants */
  mutant_status replayed;   /* what replays said then */
} unit;

typedef struct work {
  campaign *campaign;
  unit *units; /* options->common.jobs */
  size_t next; /* in the order */
} work;

/* --- verdicts --- */

static campaign_mutant *mutant_of(const campaign *c, const unit *u) {
  return &c->programs[u->program]->mutants[u->index];
}

static mutant_status status_of(const campaign *c, const unit *u, const char **reason) {
  return mutant_judge(u->verdicts, c->options->common.test_count, c->options->common.runs, reason);
}

/* Whether the mutant, decided by replays, is among those that the program itself decides once more. It cannot tell who
 * writes outside of buffers, or reads what nobody has written. */
static bool to_verify(const campaign *c, const unit *u) {
  bool replayed = false, only_replays = false;
  for (size_t t = 0; t < c->options->common.test_count; t++) {
    replayed = replayed || u->verdicts[t].replayed > 0;
    only_replays =
        only_replays || u->verdicts[t].outside > 0 || u->verdicts[t].unwritten > 0 || u->verdicts[t].race > 0;
  }
  return replayed && !only_replays && !u->again && experiment_draws(&c->base, &mutant_of(c, u)->is->id, 1);
}

static void begin_again(unit *u, mutant_status status, size_t tests) {
  u->again = true;
  u->runs = (mutant_runs){0};
  u->replayed = status;
  u->test = 0;
  memset(u->verdicts, 0, tests * sizeof *u->verdicts);
}

static int decide_by_verdicts(campaign *c, unit *u, error *e) {
  const char *reason = NULL;
  const mutant_status status = status_of(c, u, &reason);
  if (u->again) {
    experiment_verify(&c->base, "mutant", mutant_of(c, u)->is->id, mutant_status_name(u->replayed),
                      mutant_status_name(status));
  }
  return campaign_decide(c, c->programs[u->program], u->index, status, reason, e);
}

static void finish_unit(campaign *c, unit *u) {
  free(u->verdicts);
  *u = (unit){0};
  c->progress.common.done++;
}

static int invalid(campaign *c, unit *u, const char *why, error *e) {
  if (c->options->verbose) {
    experiment_note(&c->base, "mutant %u counts as invalid: %.300s", (unsigned)mutant_of(c, u)->is->id, why);
  }
  int result = campaign_decide(c, c->programs[u->program], u->index, MUTANT_INVALID, "", e);
  finish_unit(c, u);
  return result;
}

/* Whether its runs against the test case in work are replays. */
static bool is_replayed(const campaign *c, const unit *u) {
  const bool known = launch_is_ordered(c, u->test, c->programs[u->program], u->index);
  return known && experiment_is_replayed(&c->base, u->test) && !u->rerun && !u->again && !u->reveals;
}

/* A batch that does not compile: its mutants are tried alone; whoever does not compile alone is invalid. */
static int refused(campaign *c, unit *u, const campaign_job *j, error *e) {
  if (j->batch == NO_BATCH && c->programs[u->program]->divided) { /* others of the program may do */
    j->reference->failed = true;
    return 0;
  }
  batch *b = j->batch == NO_BATCH ? NULL : &c->programs[u->program]->batches[j->batch];
  if (b == NULL || b->count <= 2) {
    return invalid(c, u, j->refused, e);
  }
  b->refused = true;
  return 0;
}

/* A launch that the device refused after it took the same kernel before: the mutant has written over something. */
static bool spoilt(const campaign *c, const unit *u, const campaign_job *j) {
  const bool ran = mutant_of(c, u)->form == MUTANT_SELECTED || u->again || u->rerun || u->runs.v.runs > 0;
  return j->kind == JOB_MUTANT && j->built && ran;
}

/* --- what runs next -------------------------------------------------------------------------------------------------
 */

/* Gives a free unit the next undecided mutant; false: there is none. */
static bool take_mutant(work *w, unit *u) {
  campaign *c = w->campaign;
  while (w->next < c->order_end) {
    const mutant_place at = c->order[w->next++];
    const campaign_mutant *m = &c->programs[at.program]->mutants[at.index];
    if (!m->decided && m->reached) {
      *u = (unit){.active = true, .program = at.program, .index = at.index};
      u->verdicts = mem_calloc(c->options->common.test_count, sizeof *u->verdicts);
      campaign_known_verdicts(c, m, u->verdicts);
      return true;
    }
  }
  return false;
}

/* Seconds. A mutant that ran out of time once is not waited for as long again: what its other runs tell is only whether
 * they all do. */
static double limit_of(const campaign *c, const unit *u, job_kind kind, const reference *r) {
  const bool again = kind == JOB_MUTANT && u->runs.v.timeout > 0 && c->options->common.limit > LIMIT_AGAIN;
  const double least = again ? LIMIT_AGAIN : c->options->common.limit;
  const double slowest = r->seconds > c->base.cases[u->test].seconds ? r->seconds : c->base.cases[u->test].seconds;
  double limit = slowest * (again ? LIMIT_FACTOR_AGAIN : LIMIT_FACTOR);
  limit = limit > least ? limit : least;
  return kind == JOB_REFERENCE && r->slow ? limit * SLOW_FACTOR : limit;
}

static campaign_job *new_job(campaign *c, const unit *u, job_kind kind, reference *r) {
  campaign_job *j = campaign_job_new(c, kind, u->test);
  const campaign_mutant *m = mutant_of(c, u);
  j->program = u->program;
  j->mutant = u->index;
  j->reference = r;
  j->batch = m->form == MUTANT_CLONED ? m->batch : NO_BATCH;
  j->base.job.limit = limit_of(c, u, kind, r);
  const size_t of_mutant = u->reveals ? 0 : u->runs.v.runs % REPLAY_FILLINGS;
  const size_t number = kind == JOB_MUTANT ? of_mutant : campaign_reference_filling(r);
  j->base.against = kind == JOB_MUTANT ? &r->shown : NULL;
  if (kind == JOB_MUTANT && transcript_unstable(&r->shown)) {
    j->base.job.child.observe = "blocks";
  }
  j->launch = kind == JOB_MUTANT ? launch_change_text(c, c->programs[u->program], u->index) : NULL;
  j->base.job.child.launch = r->replays ? NULL : j->launch; /* a turn says it by itself */
  if (r->replays) {
    campaign_replay_job(j);
    j->base.filling = number;
  } else if (campaign_reference_fills(c, r)) {
    j->base.filling = number;
    j->base.job.child.fills = true;
    j->base.job.child.fill = replay_filling(number);
  }
  if (kind == JOB_MUTANT && u->reveals) {
    j->reveals = true;
    j->base.against = NULL; /* it is to run to its end */
  }
  return j;
}

static void next_test(unit *u) {
  u->test++;
  u->rerun = u->reveals = u->checks = false;
  u->look = LOOK_RACES;
  u->races = RACES_UNASKED;
  u->runs = (mutant_runs){0};
}

static bool is_killed(const campaign *c, const unit *u) {
  const char *reason = NULL;
  return status_of(c, u, &reason) == MUTANT_KILLED;
}

/* Whether a checked replay is to tell more: no test case kills the mutant, and nothing differs so far, or the runs do
 * not kill it. Where all differ the other runs are cheaper than the build. */
static bool wants_check(const campaign *c, const unit *u, const mutant_need *need) {
  const mutant_verdict *v = &u->runs.v;
  const bool settled = mutant_settled(&u->runs, need), differs = mutant_differing(v) > 0;
  const bool due = settled ? mutant_differing(v) < v->runs : !differs && v->runs >= REPLAY_FILLINGS;
  return due && u->races == RACES_UNASKED && v->outside + v->timeout == 0 && is_replayed(c, u) && !is_killed(c, u) &&
         campaign_can_check(c, LOOK_RACES, u->test, u->program, u->index);
}

/* What the runs so far come to: another one, a checked replay, or a verdict. */
static int go_on(campaign *c, unit *u, const reference *r, error *e) {
  const bool alike = campaign_is_steady(c, u->test, u->program, u->index) || u->races == RACES_NONE;
  const mutant_need need = {.runs = c->options->common.runs,
                            .fillings = u->fills ? REPLAY_FILLINGS : 1,
                            .steady = r->replays && alike,
                            .race = u->races == RACES_NEW};
  u->checks = wants_check(c, u, &need);
  if (u->checks || !mutant_settled(&u->runs, &need)) {
    return 0;
  }
  mutant_verdict *v = &u->verdicts[u->test];
  *v = mutant_conclude(&u->runs, &need);
  campaign_reveal_unasked(c, v);
  const int result = campaign_put_verdict(c, r, u->index, v, e);
  u->reveals = campaign_wants_reveal(c, u->verdicts, u->test);
  if (!u->reveals) {
    next_test(u);
  }
  return result;
}

/* Whether the test case in work is still to run the mutant, or to tell (`reveals`) whether its program notices it. */
static bool has_work(const campaign *c, unit *u) {
  u->reveals = u->verdicts[u->test].runs > 0;
  return campaign_reached(c, u->test, u->program, u->index) &&
         (!u->reveals || campaign_wants_reveal(c, u->verdicts, u->test));
}

static campaign_job *job_of(campaign *c, unit *u, error *e, int *result);

/* What runs against the test case in work are compared with; where its form does not work the mutant gets the other. */
static reference *reference_of(campaign *c, const unit *u) {
  campaign_program *p = c->programs[u->program];
  campaign_mutant *m = mutant_of(c, u);
  if (m->form == MUTANT_SELECTED && p->divided && !campaign_write_part(c, p, u->index)) {
    m->form = MUTANT_CLONED;
  }
  reference *r = campaign_reference(c, u->test, u->program, m, is_replayed(c, u));
  if (r->failed && !u->reveals && m->form == MUTANT_SELECTED) {
    m->form = MUTANT_CLONED;
    r = campaign_reference(c, u->test, u->program, m, is_replayed(c, u));
  }
  return r;
}

/* A checked replay that is wanted; meanwhile the original's may have shown that there is none. */
static campaign_job *checked_job(campaign *c, unit *u, reference *r, error *e, int *result) {
  if (campaign_can_check(c, u->look, u->test, u->program, u->index)) {
    return campaign_checked_job(c, u->look, u->index, r, limit_of(c, u, JOB_MUTANT, r));
  }
  u->races = u->look == LOOK_RACES ? RACES_UNKNOWN : RACES_OLD;
  *result = go_on(c, u, r, e);
  return *result == 0 ? job_of(c, u, e, result) : NULL;
}

/* The job that brings a unit on. NULL: its reference is being made, or (not active any more) the unit is done. */
static campaign_job *job_of(campaign *c, unit *u, error *e, int *result) {
  campaign_program *p = c->programs[u->program];
  const campaign_mutant *m = mutant_of(c, u);
  for (; u->test < c->options->common.test_count; next_test(u)) {
    if (!has_work(c, u)) {
      continue;
    }
    reference *r = reference_of(c, u);
    if (r->failed && u->reveals) {
      continue; /* the form itself is what the program would notice */
    }
    if (r->failed) {
      *result = invalid(c, u, "its kernels do not work in the form that holds mutants, without a mutant", e);
      return NULL;
    }
    if (m->form == MUTANT_CLONED && campaign_write_batch(c, p, u->index, e) != 0) {
      *result = -1;
      return NULL;
    }
    if (r->busy || experiment_stopped(&c->base)) {
      return NULL;
    }
    if (u->checks) {
      return checked_job(c, u, r, e, result);
    }
    r->busy = !(u->reveals ? r->ready : campaign_reference_ready(c, r)); /* the first filling is enough for that */
    return new_job(c, u, r->busy ? JOB_REFERENCE : JOB_MUTANT, r);
  }
  const char *reason = NULL;
  if (to_verify(c, u)) {
    begin_again(u, status_of(c, u, &reason), c->options->common.test_count);
    return job_of(c, u, e, result);
  }
  *result = decide_by_verdicts(c, u, e);
  finish_unit(c, u);
  return NULL;
}

static pool_job *next(void *context) {
  work *w = context;
  campaign *c = w->campaign;
  c->base.failed = c->base.failed || campaign_draw_unreached(c, false, &c->base.failure) != 0;
  for (unsigned i = 0; i < c->options->common.jobs && !experiment_stopped(&c->base) && !c->base.failed; i++) {
    unit *u = &w->units[i];
    while (!u->busy && (u->active || take_mutant(w, u))) {
      int result = 0;
      campaign_job *j = job_of(c, u, &c->base.failure, &result);
      c->base.failed = result != 0;
      if (j != NULL) {
        u->busy = true;
        j->unit = i;
        return &j->base.job;
      }
      if (u->active || c->base.failed) {
        break; /* its reference is being made */
      }
    }
  }
  return NULL;
}

/* --- what a run says ---------------------------------------------------------------------------------------------- */

/* Replays do not tell: the program itself has to, in all runs of this mutant against the test case. The mutant is a
 * clone from now on, whose source is near to the user's own: what lies around buffers depends on what a process has
 * done before. */
static void begin_rerun(const campaign *c, unit *u, const char *why) {
  if (c->options->verbose) {
    experiment_note(&c->base, "mutant %u, %s: the program is run again: %s", (unsigned)mutant_of(c, u)->is->id,
                    c->options->common.tests[u->test].name, why);
  }
  campaign_mutant *m = mutant_of(c, u);
  u->rerun = true;
  m->form = m->form == MUTANT_LAUNCHED ? MUTANT_LAUNCHED : MUTANT_CLONED;
  u->runs = (mutant_runs){0};
}

static int mutant_ended(campaign *c, unit *u, campaign_job *j, error *e) {
  const bool replayed = j->base.job.worker != 0;
  u->fills = replayed || j->base.job.child.fills;
  mutant_count_run(&u->runs, j->base.filling, campaign_seen(c, j), replayed);
  return go_on(c, u, j->reference, e);
}

static int checked_ended(campaign *c, unit *u, campaign_job *j, error *e) {
  const mutant_races races = campaign_checked_ended(c, j);
  if (races == RACES_UNASKED) {
    return 0;
  }
  const bool first = u->look == LOOK_RACES;
  if (first && (races == RACES_OLD || races == RACES_NONE) && campaign_may_diverge(c, u->program, u->index)) {
    u->look = LOOK_DIVERGENCE;
    u->no_race = races;
    return 0;
  }
  u->races = first || races == RACES_NEW ? races : races == RACES_NONE ? u->no_race : RACES_OLD;
  if (u->races == RACES_NONE && c->options->verbose) {
    experiment_note(&c->base, "mutant %u, %s: nothing races: repeats of a replay are alike",
                    (unsigned)mutant_of(c, u)->is->id, c->options->common.tests[u->test].name);
  }
  return go_on(c, u, j->reference, e);
}

static int ended(void *context, pool_job *job, error *e) {
  work *w = context;
  campaign *c = w->campaign;
  campaign_job *j = (campaign_job *)job;
  unit *u = &w->units[j->unit];
  u->busy = false;
  experiment_job_finish(&j->base);
  int result = 0;
  if (j->kind == JOB_REFERENCE) {
    j->reference->busy = false;
  }
  if (j->kind == JOB_CHECKED) {
    result = checked_ended(c, u, j, e);
  } else if (j->reveals) {
    result = campaign_reveal_ended(c, j, &u->verdicts[u->test], e);
    next_test(u);
  } else if (j->refused != NULL && !spoilt(c, u, j)) {
    result = refused(c, u, j, e);
  } else if (campaign_replay_failed(j) != NULL) {
    begin_rerun(c, u, campaign_replay_failed(j));
  } else if (j->kind == JOB_REFERENCE) {
    result = campaign_reference_ended(c, j, e);
  } else {
    result = mutant_ended(c, u, j, e);
  }
  if (c->base.failed) {
    *e = c->base.failure;
    return -1;
  }
  return result;
}

static bool enough(void *context, const pool_job *job) {
  (void)context;
  const campaign_job *j = (const campaign_job *)job;
  return j->events != 0 || (j->base.differs && clock_now() - j->base.differed > EVENT_SECONDS);
}

static void released(void *context, pool_job *job) {
  (void)context;
  experiment_job_free((experiment_job *)job);
}

static void tick(void *context) { experiment_tick(&((work *)context)->campaign->base); }

/* --- rounds -------------------------------------------------------------------------------------------------------
 * The first two have verdicts before code is compared. Then that of all is, where it does not take long; of a large
 * campaign that of mutants that nobody noticed, behind each round of the largest size, as they may be equivalent. Which
 * of the others are duplicates can wait until all have run. */

enum { FIRST_ROUND = 16, LARGEST_ROUND = 512, ROUND_GROWTH = 3 };

static const campaign_mutant *at_turn(const campaign *c, size_t i) {
  return &c->programs[c->order[i].program]->mutants[c->order[i].index];
}

/* Those up to a place in the order that are to be run. */
static size_t count_undecided(const campaign *c, size_t end) {
  size_t count = 0;
  for (size_t i = 0; i < end; i++) {
    count += at_turn(c, i)->reached && !at_turn(c, i)->decided ? 1 : 0;
  }
  return count;
}

/* The end of a round of so many more that are to be run. */
static size_t end_of_round(const campaign *c, size_t size) {
  size_t end = c->order_end;
  for (size_t count = 0; end < c->order_count && count < size; end++) {
    count += at_turn(c, end)->reached && !at_turn(c, end)->decided ? 1 : 0;
  }
  return end;
}

/* Runs what is not decided of the mutants up to the end of the round. */
static int run_round(campaign *c, error *e) {
  const size_t left = count_undecided(c, c->order_end);
  if (left == 0 || experiment_stopped(&c->base)) {
    return 0;
  }
  experiment_phase_begin(&c->base, PHASE_RUNS, left);
  work w = {.campaign = c, .units = mem_calloc(c->options->common.jobs, sizeof *w.units)};
  const pool_source source = {&w, next, enough, ended, released, tick};
  int result = pool_run(c->base.pool, &source, c->options->common.jobs, &c->out->common.interrupted, e);
  if (result == 0 && c->base.failed) {
    *e = c->base.failure;
    result = -1;
  }
  for (unsigned i = 0; i < c->options->common.jobs; i++) {
    free(w.units[i].verdicts);
  }
  free(w.units);
  return result;
}

static int compare_behind_round(campaign *c, size_t size, error *e) {
  const bool large = c->to_run > LARGEST_ROUND;
  const bool due = large ? size == LARGEST_ROUND : size == FIRST_ROUND * ROUND_GROWTH;
  return due && !experiment_stopped(&c->base) ? campaign_compare(c, !large, e) : 0;
}

static int run_rounds(campaign *c, error *e) {
  int result = 0;
  for (size_t size = FIRST_ROUND; c->order_end < c->order_count && result == 0 && !experiment_stopped(&c->base);) {
    c->order_end = end_of_round(c, size);
    result = run_round(c, e);
    result = result == 0 ? campaign_draw_unreached(c, false, e) : result;
    result = result == 0 ? compare_behind_round(c, size, e) : result;
    size = size * ROUND_GROWTH < LARGEST_ROUND ? size * ROUND_GROWTH : LARGEST_ROUND;
  }
  return result;
}

/* What is asked of the compiler at the end: about all mutants, or, where the time is over, about those that nobody
 * noticed, for which some of the time was kept. */
static int compare_at_end(campaign *c, error *e) {
  const bool whole = !experiment_stopped(&c->base);
  if (c->out->common.interrupted) {
    return 0;
  }
  campaign_set_deadline(c, c->whole_deadline);
  return campaign_compare(c, whole, e);
}

int campaign_mutants(campaign *c, error *e) {
  c->mutants_started = clock_now();
  c->decided_before = campaign_decided(c);
  experiment_phase_begin(&c->base, PHASE_RUNS, c->to_run);
  if (run_rounds(c, e) != 0 || compare_at_end(c, e) != 0) {
    return -1;
  }
  const bool left = count_undecided(c, c->order_count) > 0;
  if (!left && campaign_draw_unreached(c, true, e) != 0) {
    return -1;
  }
  c->out->common.out_of_time = c->out->common.out_of_time && (left || !campaign_compared(c));
  return 0;
}
