/* The schedules, run again and again.
 *
 * All launches are gated together first, each with its own schedules: a run that gives the reference's result clears
 * every schedule that was in it. Where one does not, kernels are gated apart, and then the launches of those kernels
 * that are to blame. The runs of all schedules take turns, so that the time there is is spent evenly. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "runner/amplify/internal.h"
#include "runner/experiment/run_words.h"
#include "wire/protocol.h"

enum { SURVIVAL_SECONDS = 60, PROBES = 2 };
#define NO_GROUP SIZE_MAX
#define TRIALS_SHARE 0.8

/* A run of a group. */
typedef struct again {
  size_t group, schedule;
} again;

typedef struct gated_runs {
  amplify *amplify;
  launch_groups groups;
  double deadline;        /* 0: none */
  bool device_doubted;    /* a run hung or crashed: does the program as it is still run? */
  unsigned failed_probes; /* one after another: a single one may be the program's own way */
  again *agains;          /* replays that said nothing: the program has to */
  size_t again_count, again_capacity;
} gated_runs;

int amplify_store_trial(amplify *a, const gated_launch *l, trial *t, error *e) {
  const db_schedule row = {.order = schedule_order_name(t->schedule.order),
                           .gate = schedule_gate_name(t->schedule.gate),
                           .target = t->schedule.target,
                           .seed = t->schedule.seed,
                           .verdict = schedule_verdict_name(trial_judge(l, t)),
                           .outcomes = t->outcomes,
                           .meant = l->meant};
  if (t->recorded) return 0;
  t->recorded = true;
  return db_put_schedule(a->base.db, l->row, &row, &t->row, e);
}

/* --- what runs next ----------------------------------------------------------------------------------------------- */

static bool out_of_time(gated_runs *w) {
  amplify *a = w->amplify;
  a->out->common.out_of_time = a->out->common.out_of_time || (w->deadline > 0 && clock_now() > w->deadline);
  return w->deadline > 0 && clock_now() > w->deadline;
}

/* The run that may show a deadlock for sure, watched; NULL: it is none of these. */
static amplify_job *watched_job(gated_runs *w, const launch_group *g, size_t index) {
  amplify *a = w->amplify;
  const size_t launch = g->launches[0];
  const gated_launch *l = &a->launches[launch];
  amplify_job *j = NULL;
  if (g->count == 1 && index < l->trial_count && trial_is_last_hang(l, &l->trials[index]))
    j = amplify_job_watched(a, launch, &l->trials[index].schedule);
  if (j != NULL) {
    j->base.against = &a->reference;
    j->group = (size_t)(g - w->groups.items);
    j->schedule_index = index;
  }
  return j;
}

static amplify_job *new_job(gated_runs *w, const launch_group *g, size_t index) {
  amplify *a = w->amplify;
  amplify_job *watched = watched_job(w, g, index);
  if (watched != NULL) return watched;
  amplify_job *j = amplify_job_new(a, amplify_gated_form(a));
  j->base.against = &a->reference;
  j->group = (size_t)(g - w->groups.items);
  j->schedule_index = index;
  bool slow = false;
  for (size_t i = 0; i < g->count; i++) {
    const gated_launch *l = &a->launches[g->launches[i]];
    if (index < l->trial_count) {
      amplify_job_gate(j, g->launches[i], &l->trials[index].schedule);
      slow = slow || l->trials[index].slow;
    }
  }
  amplify_job_gate_others(j);
  if (slow) amplify_job_slow(j);
  if (amplify_replays(a)) amplify_replay_job(j);
  return j;
}

/* A hang or a crash may have cost the device: then the program as it is fails, too. */
static amplify_job *new_probe(amplify *a) {
  amplify_job *j = amplify_job_new(a, FORM_UNTOUCHED);
  j->base.job.limit = a->options->common.limit > 0 ? a->options->common.limit : SURVIVAL_SECONDS;
  j->group = NO_GROUP;
  return j;
}

static experiment_job *next(void *context) {
  gated_runs *w = context;
  if (w->amplify->base.failed || w->amplify->out->device_lost || out_of_time(w)) return NULL;
  if (w->device_doubted) {
    w->device_doubted = false;
    return &new_probe(w->amplify)->base;
  }
  if (w->again_count > 0) {
    again *a = &w->agains[--w->again_count];
    return &new_job(w, &w->groups.items[a->group], a->schedule)->base;
  }
  launch_group *g = groups_next(&w->groups);
  if (g == NULL) return NULL;
  amplify_job *j = new_job(w, g, g->schedule);
  groups_step(g);
  return &j->base;
}

/* --- what a run says ---------------------------------------------------------------------------------------------- */

static void take_together(gated_runs *w, const amplify_job *j) {
  amplify *a = w->amplify;
  const launch_group *g = &w->groups.items[j->group];
  run_outcome all = amplify_job_outcome(j, NO_LAUNCH);
  if (g->guilty) return;
  if (all != RUN_REFERENCE && all != RUN_OCCUPANCY) {
    a->varied = a->varied || all == RUN_DIFFERS;
    groups_split(&w->groups, j->group);
    return;
  }
  for (size_t i = 0; i < g->count; i++) {
    gated_launch *l = &a->launches[g->launches[i]];
    if (j->schedule_index < l->trial_count)
      trial_add(l, &l->trials[j->schedule_index], amplify_job_outcome(j, g->launches[i]), a->options->common.runs);
  }
}

static int take_alone(gated_runs *w, amplify_job *j, error *e) {
  amplify *a = w->amplify;
  gated_launch *l = &a->launches[w->groups.items[j->group].launches[0]];
  trial *t = &l->trials[j->schedule_index];
  run_outcome outcome = amplify_job_outcome(j, w->groups.items[j->group].launches[0]);
  trial_add(l, t, outcome, a->options->common.runs);
  if (j->watch != NULL && outcome == RUN_DEADLOCK && t->watched == NULL) {
    t->watched = j->watch;
    j->watch = NULL;
  }
  if (t->shown == NULL) {
    t->shown = j->base.shown;
    j->base.shown = NULL;
  }
  return t->settled || outcome != RUN_REFERENCE ? amplify_store_trial(a, l, t, e) : 0;
}

static int ended(void *context, experiment_job *job, error *e) {
  gated_runs *w = context;
  amplify *a = w->amplify;
  amplify_job *j = (amplify_job *)job;
  if (j->group == NO_GROUP) {
    bool fails = j->base.job.timed_out || j->base.job.status != amplify_case(a)->plain.status;
    w->failed_probes = fails ? w->failed_probes + 1 : 0;
    w->device_doubted = w->device_doubted || fails;
    if (w->failed_probes == PROBES) {
      a->out->device_lost = true;
      experiment_note(&a->base,
                      "after a hang or crash %s fails without any gate, too: the device is lost or its driver in "
                      "disorder; the rest is not run",
                      a->options->common.tests[a->base.begin].name);
    }
    return 0;
  }
  if (!j->base.differs && replay_failed(&j->base.job) != NULL) {
    amplify_no_replay(a, replay_failed(&j->base.job));
    experiment_note(&a->base, "%s: a replay failed (%s): its runs start the program again",
                    a->options->common.tests[a->base.begin].name, replay_failed(&j->base.job));
    *ARRAY_ADD(w->agains, w->again_count, w->again_capacity) = (again){j->group, j->schedule_index};
    return 0;
  }
  run_outcome outcome = amplify_job_outcome(j, NO_LAUNCH);
  a->out->runs++;
  w->device_doubted = w->device_doubted || outcome == RUN_DEADLOCK || outcome == RUN_CRASH;
  if (w->groups.items[j->group].count > 1)
    take_together(w, j);
  else if (take_alone(w, j, e) != 0)
    return -1;
  /* What this run was the first to reach goes to the schedule of the kernel's first launch that is gated in it. */
  const launch_group *g = &w->groups.items[j->group];
  int result = 0;
  EACH(const reached_outcome, r, j->reached, j->reached_count) {
    for (size_t n = 0; n < g->count && result == 0; n++) {
      gated_launch *l = &a->launches[g->launches[n]];
      if (l->program == r->program && l->kernel == r->kernel && j->schedule_index < l->trial_count) {
        trial *t = &l->trials[j->schedule_index];
        result = amplify_store_trial(a, l, t, e) != 0 ? -1 : db_add_reached(a->base.db, t->row, r->site, r->outcome, e);
        break;
      }
    }
  }
  amplify_progress *p = &a->progress;
  p->races = trials_count(a->launches, a->launch_count, VERDICT_DIFFERS, true);
  p->deadlocks = trials_count(a->launches, a->launch_count, VERDICT_DEADLOCK, true);
  p->crashes = trials_count(a->launches, a->launch_count, VERDICT_CRASH, true);
  a->progress.common.done++;
  a->progress.common.total = a->progress.common.done + groups_left(&w->groups);
  return result;
}

static bool enough(const experiment_job *j) { return j->differs; }

/* --- all ---------------------------------------------------------------------------------------------------------- */

static int store_all(amplify *a, error *e) {
  int result = 0;
  for (size_t i = 0; i < a->launch_count; i++) {
    gated_launch *l = &a->launches[i];
    for (size_t t = 0; t < l->trial_count && result == 0; t++) {
      trial_leave_out_slow(l, &l->trials[t]);
      result = amplify_store_trial(a, l, &l->trials[t], e);
    }
  }
  return result;
}

/* This test case's share of the time that is left; some of it is for looking at what the schedules show. */
static double deadline_of(const amplify *a) {
  const double left = (a->base.deadline - clock_now()) * TRIALS_SHARE;
  return a->base.deadline > 0 ? clock_now() + (left > 0 ? left : 0) / (double)a->tests_left : 0;
}

int amplify_trials(amplify *a, error *e) {
  gated_runs w = {.amplify = a, .deadline = deadline_of(a)};
  groups_begin(&w.groups, a->launches, a->launch_count, a->options->common.runs);
  experiment_phase_begin(&a->base, PHASE_RUNS, groups_left(&w.groups));
  const experiment_source source = {&w, next, enough, ended};
  const bool ran = w.groups.count == 0 || experiment_run(&a->base, &source, e) == 0;
  groups_free(&w.groups);
  free(w.agains);
  return ran ? store_all(a, e) : -1;
}

/* --verify-engine: some of the schedules that replays have run, once more with the whole program. */

/* Schedules that are drawn, and what their runs give now. */
typedef struct drawn {
  size_t launch, trial;
  char *outcomes;
  size_t count;
} drawn;

typedef struct verification {
  drawn *items;
  size_t count, capacity;
} verification;

static void draw_all(const amplify *a, verification *v) {
  for (size_t i = 0; i < a->launch_count; i++) {
    for (size_t t = 0; t < a->launches[i].trial_count; t++) {
      const uint32_t parts[] = {a->launches[i].program, a->launches[i].kernel, a->launches[i].number,
                                (uint32_t)a->launches[i].trials[t].schedule.order,
                                a->launches[i].trials[t].schedule.target};
      if (a->launches[i].trials[t].count > 0 && experiment_draws(&a->base, parts, sizeof parts / sizeof parts[0])) {
        char *outcomes = mem_calloc(a->options->common.runs + 1, 1);
        *ARRAY_ADD(v->items, v->count, v->capacity) = (drawn){i, t, outcomes, 0};
      }
    }
  }
}

static amplify_job *recheck_new_job(amplify *a, const verification *v, size_t index) {
  const drawn *d = &v->items[index];
  amplify_job *j = amplify_job_new(a, amplify_gated_form(a));
  j->base.against = &a->reference;
  j->group = index;
  amplify_job_gate(j, d->launch, &a->launches[d->launch].trials[d->trial].schedule);
  amplify_job_gate_others(j);
  return j;
}

/* Verdicts are compared, not runs: a race may show in another share of them, and seldom enough in none. What was seen
 * once stays. */
static int compare(amplify *a, const drawn *d, error *e) {
  gated_launch *l = &a->launches[d->launch];
  trial *t = &l->trials[d->trial];
  const schedule_verdict replayed = schedule_judge(t->outcomes), rerun = schedule_judge(d->outcomes);
  if (d->count == 0) return 0; /* interrupted */
  const bool agree = schedule_agree(t->outcomes, d->outcomes), by_replay = rerun == VERDICT_CONSISTENT;
  experiment_recheck(&a->base, "schedule", t->row, schedule_verdict_name(agree ? rerun : replayed),
                     schedule_verdict_name(rerun));
  if (replayed == rerun) return 0;
  if (agree) {
    experiment_note(&a->base, "schedule %lld: %s by %s alone (%s), seldom enough to be the same", (long long)t->row,
                    schedule_verdict_name(by_replay ? replayed : rerun), by_replay ? "replays" : "runs of the program",
                    by_replay ? t->outcomes : d->outcomes);
    if (by_replay) return 0;
  }
  a->varied = a->varied || replayed == VERDICT_RACE;
  memcpy(t->outcomes, d->outcomes, d->count + 1);
  t->count = d->count;
  t->recorded = false;
  return amplify_store_trial(a, l, t, e);
}

typedef struct verifying {
  amplify *amplify;
  verification *all;
  size_t next, count; /* runs: as many of each */
} verifying;

static experiment_job *recheck_next(void *context) {
  verifying *w = context;
  const unsigned runs = w->amplify->options->common.runs;
  return w->next < w->count ? &recheck_new_job(w->amplify, w->all, w->next++ / runs)->base : NULL;
}

static int recheck_ended(void *context, experiment_job *job, error *e) {
  const verifying *w = context;
  amplify_job *j = (amplify_job *)job;
  drawn *d = &w->all->items[j->group];
  (void)e;
  assert(d->count < w->amplify->options->common.runs);
  d->outcomes[d->count++] = (char)amplify_job_outcome(j, d->launch);
  w->amplify->progress.common.done++;
  return 0;
}

int amplify_verify(amplify *a, error *e) {
  verification v = {0};
  if (amplify_replays(a) && a->options->common.recheck > 0) draw_all(a, &v);
  verifying w = {a, &v, 0, v.count * a->options->common.runs};
  int result = 0;
  if (v.count > 0) {
    experiment_phase_begin(&a->base, PHASE_RECHECK, w.count);
    result = experiment_run(&a->base, &(experiment_source){&w, recheck_next, NULL, recheck_ended}, e);
  }
  for (size_t i = 0; i < v.count; i++) {
    if (result == 0 && !a->out->common.interrupted) result = compare(a, &v.items[i], e);
    free(v.items[i].outcomes);
  }
  free(v.items);
  if (result == 0) {
    char prefix[512];
    (void)snprintf(prefix, sizeof prefix, "%s: ", a->options->common.tests[a->base.begin].name);
    experiment_say_rechecked(&a->base, prefix, v.count, "schedules");
  }
  return result;
}

/* The test case in work, captured once and done again without its program in every run of its schedules. */

static void put_turn(pool_job *job, buffer *answer) {
  const amplify_job *j = (const amplify_job *)job;
  turn_begin(answer, (uint64_t)j->form, j->base.against, 0, false);
  wire_put_u32(answer, 0); /* kernels of schemas */
  /* Its launches are not known before the first survey: there the layer asks. */
  const amplify *a = j->amplify;
  uint32_t count = 0;
  for (size_t i = 0; i < j->launch_count; i++) count += amplify_says_of(j, i) ? 1 : 0;
  wire_put_u32(answer, j->occupancy ? ASK_SCHEDULES : count);
  for (size_t i = 0; i < j->launch_count && !j->occupancy; i++) {
    if (amplify_says_of(j, i)) {
      wire_put_u32(answer, a->launches[i].program);
      wire_put_u32(answer, a->launches[i].kernel);
      wire_put_u32(answer, a->launches[i].number);
      amplify_put_schedule(j, i, a->launches[i].number, answer);
    }
  }
  turn_end(answer, NULL);
}

void amplify_replay_job(amplify_job *j) { experiment_replay_job(&j->base, j->base.test + 1, put_turn); }

void amplify_replay_checked(amplify_job *j, unsigned round) {
  experiment_replay_job(&j->base, (uint64_t)(round + 1) << 32 | (j->base.test + 1), put_turn);
}

void amplify_no_replay(amplify *a, const char *why) {
  error never; /* it is said later */
  (void)experiment_lose_replays(&a->base, a->base.begin, why, &never);
}

void amplify_check_stable(amplify *a) {
  const char *why = replay_obstacle(&amplify_case(a)->plain);
  if (why != NULL) amplify_no_replay(a, why);
}

static bool has_trials(const amplify *a) {
  for (size_t i = 0; i < a->launch_count; i++)
    if (a->launches[i].trial_count > 0) return true;
  return false;
}

int amplify_say_engine(amplify *a, error *e) {
  return experiment_may_replay(&a->base) && !amplify_replays(a) && has_trials(a)
             ? experiment_say_not_replayed(&a->base, a->base.begin, e)
             : 0;
}

int amplify_capture(experiment *x, unsigned *runs, error *e) {
  amplify *a = (amplify *)x;
  amplify_check_stable(a);
  if (!experiment_may_replay(x) || amplify_case(a)->no_replay[0] != '\0') return 0;
  experiment_happens(x, x->begin, EVENT_STEADY);
  if (experiment_capture_file(x, x->begin, e) != 0 || experiment_capture(x, e) != 0) return -1;
  *runs += amplify_replays(a) ? 1 : 0;
  return 0;
}

static int checked(experiment *x, experiment_job *job, error *e) {
  amplify *a = (amplify *)x;
  const amplify_job *j = (amplify_job *)job;
  if (!amplify_replays(a)) return 0; /* known from another one */
  if (!j->base.job.replayed) {
    char why[512];
    worker_words(&j->base.job, why, sizeof why);
    amplify_no_replay(a, why);
    return experiment_say_not_replayed(&a->base, a->base.begin, e);
  }
  if (j->base.job.incomplete || amplify_job_outcome(j, NO_LAUNCH) != RUN_REFERENCE) {
    a->varied = true;
    amplify_no_replay(a, "a replay reads other values than the program");
    return experiment_say_not_replayed(&a->base, a->base.begin, e);
  }
  return 0;
}

int amplify_check_plain(amplify *a, unsigned runs, error *e) {
  return amplify_run_form(a, FORM_UNTOUCHED, false, runs, checked, e);
}
