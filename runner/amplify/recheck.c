/* --verify-engine: some of the schedules that replays have run, once more with the whole program. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "runner/amplify/internal.h"

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

static bool draws(const amplify *a, const gated_launch *l, const trial *t) {
  const uint32_t parts[] = {l->program, l->kernel, l->number, (uint32_t)t->schedule.order, t->schedule.target};
  return t->count > 0 && experiment_draws(&a->base, parts, sizeof parts / sizeof parts[0]);
}

static void draw_all(const amplify *a, verification *v) {
  for (size_t i = 0; i < a->launch_count; i++) {
    for (size_t t = 0; t < a->launches[i].trial_count; t++) {
      if (draws(a, &a->launches[i], &a->launches[i].trials[t])) {
        char *outcomes = mem_calloc(a->options->common.runs + 1, 1);
        *ARRAY_ADD(v->items, v->count, v->capacity) = (drawn){i, t, outcomes, 0};
      }
    }
  }
}

static amplify_job *new_job(amplify *a, const verification *v, size_t index) {
  const drawn *d = &v->items[index];
  amplify_job *j = amplify_job_new(a, amplify_gated_form(a));
  j->base.against = &a->reference;
  j->group = index;
  amplify_job_gate(j, d->launch, &a->launches[d->launch].trials[d->trial].schedule);
  amplify_job_gate_others(j);
  return j;
}

static void keep_outcomes(trial *t, const drawn *d) {
  memcpy(t->outcomes, d->outcomes, d->count + 1);
  t->count = d->count;
  t->recorded = false;
}

/* Verdicts are compared, not runs: a race may show in another share of them, and seldom enough in none. What was seen
 * once stays. */
static int compare(amplify *a, const drawn *d, error *e) {
  gated_launch *l = &a->launches[d->launch];
  trial *t = &l->trials[d->trial];
  const schedule_verdict replayed = schedule_judge(t->outcomes), rerun = schedule_judge(d->outcomes);
  if (d->count == 0) {
    return 0; /* interrupted */
  }
  const bool agree = schedule_agree(t->outcomes, d->outcomes), by_replay = rerun == VERDICT_CONSISTENT;
  experiment_recheck(&a->base, "schedule", t->row, schedule_verdict_name(agree ? rerun : replayed),
                     schedule_verdict_name(rerun));
  if (replayed == rerun) {
    return 0;
  }
  if (agree) {
    experiment_note(&a->base, "schedule %lld: %s by %s alone (%s), seldom enough to be the same", (long long)t->row,
                    schedule_verdict_name(by_replay ? replayed : rerun), by_replay ? "replays" : "runs of the program",
                    by_replay ? t->outcomes : d->outcomes);
    if (by_replay) {
      return 0;
    }
  }
  a->varied = a->varied || replayed == VERDICT_RACE;
  keep_outcomes(t, d);
  return amplify_store_trial(a, l, t, e);
}

typedef struct verifying {
  amplify *amplify;
  verification *all;
  size_t next, count; /* runs: as many of each */
} verifying;

static experiment_job *next(void *context) {
  verifying *w = context;
  const unsigned runs = w->amplify->options->common.runs;
  return w->next < w->count ? &new_job(w->amplify, w->all, w->next++ / runs)->base : NULL;
}

static int ended(void *context, experiment_job *job, error *e) {
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
  if (amplify_replays(a) && a->options->common.recheck > 0) {
    draw_all(a, &v);
  }
  verifying w = {a, &v, 0, v.count * a->options->common.runs};
  int result = 0;
  if (v.count > 0) {
    experiment_phase_begin(&a->base, PHASE_RECHECK, w.count);
    result = experiment_run(&a->base, &(experiment_source){&w, next, NULL, ended}, e);
  }
  for (size_t i = 0; i < v.count; i++) {
    if (result == 0 && !a->out->common.interrupted) {
      result = compare(a, &v.items[i], e);
    }
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
