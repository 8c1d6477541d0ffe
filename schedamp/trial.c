/* What further runs mean for a trial. */
#include "schedamp/trial.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"

enum { ENOUGH_DEADLOCKS = 2, ENOUGH_CRASHES = 2 };

void launch_add_trial(gated_launch *l, const schedule *s, unsigned runs) {
  trial *t = ARRAY_ADD(l->trials, l->trial_count, l->trial_capacity);
  t->schedule = *s;
  t->outcomes = mem_calloc(runs + 1, 1);
}

static void forget_watched(trial *t) {
  if (t->watched != NULL) {
    (void)unlink(t->watched);
    free(t->watched);
    t->watched = NULL;
  }
}

void launch_free(gated_launch *l) {
  for (size_t t = 0; t < l->trial_count; t++) {
    free(l->trials[t].outcomes);
    free(l->trials[t].shown);
    forget_watched(&l->trials[t]);
  }
  free(l->trials);
  *l = (gated_launch){0};
}

bool launch_same_kernel(const gated_launch *one, const gated_launch *other) {
  return one->program == other->program && one->kernel == other->kernel;
}

void trial_forget(trial *t, unsigned runs) {
  memset(t->outcomes, 0, runs + 1);
  free(t->shown);
  t->shown = NULL;
  forget_watched(t);
  t->count = 0;
  t->settled = t->recorded = false;
}

static bool has_deadlock(const gated_launch *l) {
  for (size_t i = 0; i < l->trial_count; i++) {
    if (schedule_count(l->trials[i].outcomes, RUN_DEADLOCK) >= ENOUGH_DEADLOCKS) {
      return true;
    }
  }
  return false;
}

/* Of a launch that is known to hang one deadlock of a schedule is enough. */
static void settle_hung(const gated_launch *l) {
  for (size_t i = 0; i < l->trial_count; i++) {
    trial *t = &l->trials[i];
    t->settled = t->settled || schedule_count(t->outcomes, RUN_DEADLOCK) > 0;
  }
}

bool trial_is_last_hang(const gated_launch *l, const trial *t) {
  return !has_deadlock(l) && schedule_count(t->outcomes, RUN_DEADLOCK) == ENOUGH_DEADLOCKS - 1;
}

void trial_add(const gated_launch *l, trial *t, run_outcome outcome, unsigned runs) {
  if (t->count >= runs) {
    return;
  }
  t->outcomes[t->count++] = (char)outcome;
  t->recorded = false;
  t->slow = t->slow || outcome == RUN_DEADLOCK;
  const size_t enough_deadlocks = has_deadlock(l) ? 1 : ENOUGH_DEADLOCKS;
  t->settled = t->count == runs || schedule_count(t->outcomes, RUN_DEADLOCK) >= enough_deadlocks ||
               schedule_count(t->outcomes, RUN_CRASH) >= ENOUGH_CRASHES;
  if (has_deadlock(l)) {
    settle_hung(l);
  }
}

void trial_leave_out_slow(const gated_launch *l, trial *t) {
  char *at = strchr(t->outcomes, RUN_DEADLOCK);
  if (at != NULL && t->count > 1 && !has_deadlock(l) && schedule_count(t->outcomes, RUN_DEADLOCK) == 1) {
    memmove(at, at + 1, strlen(at));
    t->count--;
    t->recorded = false;
  }
}

schedule_verdict trial_judge(const gated_launch *l, const trial *t) {
  static const schedule_verdict differing[] = {
      [ACCESSES_UNCHECKED] = VERDICT_DIFFERS, [ACCESSES_RACE] = VERDICT_RACE, [ACCESSES_RACELESS] = VERDICT_ORDER};
  const schedule_verdict v = schedule_judge(t->outcomes);
  return v == VERDICT_RACE ? differing[l->accesses] : v;
}

trial *trial_with(const gated_launch *l, schedule_verdict v) {
  trial *found = NULL;
  for (size_t i = 0; i < l->trial_count; i++) {
    trial *t = &l->trials[i];
    if (trial_judge(l, t) == v && (found == NULL || t->schedule.order < found->schedule.order)) {
      found = t;
    }
  }
  return found;
}

size_t trials_count(const gated_launch *launches, size_t count, schedule_verdict v, bool meant) {
  size_t found = 0;
  for (size_t i = 0; i < count; i++) {
    for (size_t t = 0; t < launches[i].trial_count && (meant || !launches[i].meant); t++) {
      found += trial_judge(&launches[i], &launches[i].trials[t]) == v ? 1 : 0;
    }
  }
  return found;
}
