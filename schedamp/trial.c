/* Trials: targets and orders, groups of launches that run together, and what further runs mean for a trial. */
#include "schedamp/trial.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/digest.h"
#include "base/memory.h"
#include "base/model.h"
#include "schedamp/schedule.h"

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
  for (size_t i = 0; i < l->trial_count; i++)
    if (schedule_count(l->trials[i].outcomes, RUN_DEADLOCK) >= ENOUGH_DEADLOCKS) return true;
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
  if (t->count >= runs) return;
  t->outcomes[t->count++] = (char)outcome;
  t->recorded = false;
  t->slow = t->slow || outcome == RUN_DEADLOCK;
  const size_t enough_deadlocks = has_deadlock(l) ? 1 : ENOUGH_DEADLOCKS;
  t->settled = t->count == runs || schedule_count(t->outcomes, RUN_DEADLOCK) >= enough_deadlocks ||
               schedule_count(t->outcomes, RUN_CRASH) >= ENOUGH_CRASHES;
  if (has_deadlock(l)) settle_hung(l);
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
    if (trial_judge(l, t) == v && (found == NULL || t->schedule.order < found->schedule.order)) found = t;
  }
  return found;
}

size_t trials_count(const gated_launch *launches, size_t count, schedule_verdict v, bool meant) {
  size_t found = 0;
  for (size_t i = 0; i < count; i++)
    for (size_t t = 0; t < launches[i].trial_count && (meant || !launches[i].meant); t++)
      found += trial_judge(&launches[i], &launches[i].trials[t]) == v ? 1 : 0;
  return found;
}

/* Targets, orders, and what a kernel says of itself. */

enum { TARGET_SET = 10 }; /* as in the paper */

#define MEANT_COMMENT "cltestcheck: order-dependent"

/* --- what a kernel says of itself --------------------------------------------------------------------------------- */

/* The line before the one that `at` is in; NULL if that is the first. */
static const char *line_before(const char *text, const char *at) {
  const char *end = memrchr(text, '\n', (size_t)(at - text));
  if (end == NULL) return NULL;
  const char *begin = memrchr(text, '\n', (size_t)(end - text));
  return begin == NULL ? text : begin + 1;
}

bool schedule_is_meant(const model *m, uint32_t kernel) {
  const model_function *f = &m->functions[m->kernels[kernel].function];
  const char *text = m->files[f->file].text;
  const char *line = text;
  for (uint32_t n = 1; n < f->line && line != NULL; n++) {
    line = strchr(line, '\n');
    line = line == NULL ? NULL : line + 1;
  }
  while (line != NULL) {
    size_t length = strcspn(line, "\n");
    if (memmem(line, length, MEANT_COMMENT, strlen(MEANT_COMMENT)) != NULL) return true;
    line = line_before(text, line);
    /* an empty line, or the end of another function, ends what belongs to this one */
    if (line != NULL && (line[strspn(line, " \t\r")] == '\n' || line[0] == '}')) return false;
  }
  return false;
}

/* --- schedules ---------------------------------------------------------------------------------------------------- */

const char *schedule_obstacle(const gated_launch *l) {
  if (!l->seen) return "it ran without the gate, or the device refused it";
  if (l->groups == 1) return "one work-group";
  if (l->uneven) return "its last work-groups are smaller than the others: no group can stand for another";
  return l->groups >= SCHEDULE_GROUPS_CAP ? "too many work-groups" : "";
}

/* The targets of a launch, to be freed. */
static uint32_t *targets_of(const schedule_plan *p, const gated_launch *l, uint64_t seed, size_t *count) {
  if (p->targets == TARGETS_SETS || p->targets == TARGETS_ALL)
    return schedule_targets(l->groups, p->targets == TARGETS_ALL ? 1 : TARGET_SET, seed, count);
  if (p->targets == TARGETS_COUNT) {
    const size_t wanted = p->target_count < l->groups ? p->target_count : l->groups;
    return schedule_targets(l->groups, (uint32_t)((l->groups + wanted - 1) / wanted), seed, count);
  }
  uint32_t *targets = mem_calloc(p->target_count + 1, sizeof *targets);
  *count = 0;
  for (size_t i = 0; i < p->target_count; i++)
    if (p->target_list[i] < l->groups) targets[(*count)++] = p->target_list[i];
  return targets;
}

void schedule_add_trials(const schedule_plan *p, gated_launch *l, uint64_t seed, unsigned runs) {
  size_t count = 0;
  if (p->orders[ORDER_REVERSE]) launch_add_trial(l, &(schedule){ORDER_REVERSE, p->gate, 0, 0}, runs);
  if (p->orders[ORDER_RANDOM]) launch_add_trial(l, &(schedule){ORDER_RANDOM, p->gate, 0, schedule_seed(seed, 0)}, runs);
  if (p->orders[ORDER_ASCENDING]) launch_add_trial(l, &(schedule){ORDER_ASCENDING, p->gate, 0, 0}, runs);
  uint32_t *targets = targets_of(p, l, seed, &count);
  for (int order = ORDER_FIRST; order <= ORDER_LAST; order++)
    for (size_t i = 0; i < count && p->orders[order]; i++)
      launch_add_trial(l, &(schedule){(schedule_order)order, p->gate, targets[i], 0}, runs);
  free(targets);
}

uint64_t schedule_launch_seed(uint64_t seed, const char *kernel, uint32_t number) {
  return hash_more(seed * UINT64_C(0x9E3779B97F4A7C15) + number, kernel, strlen(kernel));
}

static uint32_t together(const gated_launch *launches, size_t count, const gated_launch *l) {
  uint32_t most = l->together;
  for (size_t i = 0; i < count && l->together == 0; i++) {
    const gated_launch *other = &launches[i];
    if (launch_same_kernel(other, l) && other->together > most) most = other->together;
  }
  return most < l->groups ? most : l->groups;
}

void schedule_fill_together(gated_launch *launches, size_t count) {
  for (size_t i = 0; i < count; i++) launches[i].together = together(launches, count, &launches[i]);
}

/* Groups of launches: taken apart where something shows, run by turns. */

static void add_group(launch_groups *set, const size_t *launches, size_t count) {
  launch_group *g = ARRAY_ADD(set->items, set->count, set->capacity);
  g->launches = mem_calloc(count, sizeof *g->launches);
  memcpy(g->launches, launches, count * sizeof *launches);
  g->count = count;
  for (size_t i = 0; i < count; i++) {
    size_t trials = set->launches[launches[i]].trial_count;
    g->width = trials > g->width ? trials : g->width;
  }
}

static bool is_one_kernel(const gated_launch *all, const size_t *launches, size_t count) {
  for (size_t i = 1; i < count; i++)
    if (!launch_same_kernel(&all[launches[0]], &all[launches[i]])) return false;
  return true;
}

static void split_by_kernel(launch_groups *set, const size_t *launches, size_t count) {
  size_t *some = mem_calloc(count, sizeof *some);
  bool *taken = mem_calloc(count, sizeof *taken);
  for (size_t i = 0; i < count; i++) {
    size_t found = 0;
    for (size_t k = i; k < count && !taken[i]; k++) {
      if (!taken[k] && launch_same_kernel(&set->launches[launches[i]], &set->launches[launches[k]])) {
        some[found++] = launches[k];
        taken[k] = k != i;
      }
    }
    if (found > 0) add_group(set, some, found);
  }
  free(some);
  free(taken);
}

/* What earlier runs cleared was in company: alone, a launch begins anew. */
static void split_by_launch(launch_groups *set, const size_t *launches, size_t count) {
  for (size_t i = 0; i < count; i++) {
    gated_launch *l = &set->launches[launches[i]];
    for (size_t t = 0; t < l->trial_count; t++) trial_forget(&l->trials[t], set->runs);
    add_group(set, &launches[i], 1);
  }
}

void groups_split(launch_groups *set, size_t index) {
  const size_t *launches = set->items[index].launches; /* stays where it is when the groups move */
  size_t count = set->items[index].count;
  set->items[index].guilty = true;
  if (is_one_kernel(set->launches, launches, count))
    split_by_launch(set, launches, count);
  else
    split_by_kernel(set, launches, count);
}

void groups_begin(launch_groups *set, gated_launch *launches, size_t count, unsigned runs) {
  *set = (launch_groups){.launches = launches, .runs = runs};
  size_t *all = mem_calloc(count + 1, sizeof *all);
  size_t chosen = 0;
  for (size_t i = 0; i < count; i++)
    if (launches[i].trial_count > 0) all[chosen++] = i;
  if (chosen > 0) add_group(set, all, chosen);
  free(all);
}

static bool is_wanted(const launch_groups *set, const launch_group *g) {
  for (size_t i = 0; i < g->count; i++) {
    const gated_launch *l = &set->launches[g->launches[i]];
    if (g->schedule < l->trial_count && !l->trials[g->schedule].settled) return true;
  }
  return false;
}

void groups_step(launch_group *g) {
  g->schedule++;
  if (g->schedule >= g->width) {
    g->schedule = 0;
    g->repeat++;
  }
}

/* Goes on to the next run that is wanted; false: there is none. */
static bool find_next(const launch_groups *set, launch_group *g) {
  while (!g->guilty && g->repeat < set->runs) {
    if (is_wanted(set, g)) return true;
    groups_step(g);
  }
  return false;
}

launch_group *groups_next(launch_groups *set) {
  launch_group *found = NULL;
  for (size_t i = 0; i < set->count; i++) {
    launch_group *g = &set->items[i];
    if (find_next(set, g) &&
        (found == NULL || g->repeat < found->repeat || (g->repeat == found->repeat && g->schedule < found->schedule)))
      found = g;
  }
  return found;
}

size_t groups_left(const launch_groups *set) {
  size_t runs = 0;
  for (size_t i = 0; i < set->count; i++) {
    const launch_group *g = &set->items[i];
    for (size_t k = 0; k < g->width && !g->guilty; k++) {
      size_t most = 0;
      for (size_t n = 0; n < g->count; n++) {
        const gated_launch *l = &set->launches[g->launches[n]];
        size_t left = k < l->trial_count && !l->trials[k].settled ? set->runs - l->trials[k].count : 0;
        most = left > most ? left : most;
      }
      runs += most;
    }
  }
  return runs;
}

void groups_free(launch_groups *set) {
  for (size_t i = 0; i < set->count; i++) free(set->items[i].launches);
  free(set->items);
  *set = (launch_groups){0};
}
