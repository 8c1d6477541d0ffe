/* Groups of launches: taken apart where something shows, run by turns. */
#include "schedamp/groups.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

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
  for (size_t i = 1; i < count; i++) {
    if (!launch_same_kernel(&all[launches[0]], &all[launches[i]])) {
      return false;
    }
  }
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
    if (found > 0) {
      add_group(set, some, found);
    }
  }
  free(some);
  free(taken);
}

/* What earlier runs cleared was in company: alone, a launch begins anew. */
static void split_by_launch(launch_groups *set, const size_t *launches, size_t count) {
  for (size_t i = 0; i < count; i++) {
    gated_launch *l = &set->launches[launches[i]];
    for (size_t t = 0; t < l->trial_count; t++) {
      trial_forget(&l->trials[t], set->runs);
    }
    add_group(set, &launches[i], 1);
  }
}

void groups_split(launch_groups *set, size_t index) {
  const size_t *launches = set->items[index].launches; /* stays where it is when the groups move */
  size_t count = set->items[index].count;
  set->items[index].guilty = true;
  if (is_one_kernel(set->launches, launches, count)) {
    split_by_launch(set, launches, count);
  } else {
    split_by_kernel(set, launches, count);
  }
}

void groups_begin(launch_groups *set, gated_launch *launches, size_t count, unsigned runs) {
  *set = (launch_groups){.launches = launches, .runs = runs};
  size_t *all = mem_calloc(count + 1, sizeof *all);
  size_t chosen = 0;
  for (size_t i = 0; i < count; i++) {
    if (launches[i].trial_count > 0) {
      all[chosen++] = i;
    }
  }
  if (chosen > 0) {
    add_group(set, all, chosen);
  }
  free(all);
}

static bool is_wanted(const launch_groups *set, const launch_group *g) {
  for (size_t i = 0; i < g->count; i++) {
    const gated_launch *l = &set->launches[g->launches[i]];
    if (g->schedule < l->trial_count && !l->trials[g->schedule].settled) {
      return true;
    }
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
    if (is_wanted(set, g)) {
      return true;
    }
    groups_step(g);
  }
  return false;
}

launch_group *groups_next(launch_groups *set) {
  launch_group *found = NULL;
  for (size_t i = 0; i < set->count; i++) {
    launch_group *g = &set->items[i];
    if (find_next(set, g) &&
        (found == NULL || g->repeat < found->repeat || (g->repeat == found->repeat && g->schedule < found->schedule))) {
      found = g;
    }
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
  for (size_t i = 0; i < set->count; i++) {
    free(set->items[i].launches);
  }
  free(set->items);
  *set = (launch_groups){0};
}
