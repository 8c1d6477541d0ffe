/* Targets, orders, and what a kernel says of itself. */
#include "schedamp/plan.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"

enum { TARGET_SET = 10 }; /* as in the paper */

#define MEANT_COMMENT "cltestcheck: order-dependent"

/* --- what a kernel says of itself --------------------------------------------------------------------------------- */

/* The line before the one that `at` is in; NULL if that is the first. */
static const char *line_before(const char *text, const char *at) {
  const char *end = memrchr(text, '\n', (size_t)(at - text));
  if (end == NULL) {
    return NULL;
  }
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
    if (memmem(line, length, MEANT_COMMENT, strlen(MEANT_COMMENT)) != NULL) {
      return true;
    }
    line = line_before(text, line);
    /* an empty line, or the end of another function, ends what belongs to this one */
    if (line != NULL && (line[strspn(line, " \t\r")] == '\n' || line[0] == '}')) {
      return false;
    }
  }
  return false;
}

/* --- schedules ---------------------------------------------------------------------------------------------------- */

const char *schedule_obstacle(const gated_launch *l) {
  if (!l->seen) {
    return "it ran without the gate, or the device refused it";
  }
  if (l->groups == 1) {
    return "one work-group";
  }
  if (l->uneven) {
    return "its last work-groups are smaller than the others: no group can stand for another";
  }
  return l->groups >= SCHEDULE_GROUPS_CAP ? "too many work-groups" : "";
}

/* The targets of a launch, to be freed. */
static uint32_t *targets_of(const schedule_plan *p, const gated_launch *l, uint64_t seed, size_t *count) {
  if (p->targets == TARGETS_SETS || p->targets == TARGETS_ALL) {
    return schedule_targets(l->groups, p->targets == TARGETS_ALL ? 1 : TARGET_SET, seed, count);
  }
  if (p->targets == TARGETS_COUNT) {
    const size_t wanted = p->target_count < l->groups ? p->target_count : l->groups;
    return schedule_targets(l->groups, (uint32_t)((l->groups + wanted - 1) / wanted), seed, count);
  }
  uint32_t *targets = mem_calloc(p->target_count + 1, sizeof *targets);
  *count = 0;
  for (size_t i = 0; i < p->target_count; i++) {
    if (p->target_list[i] < l->groups) {
      targets[(*count)++] = p->target_list[i];
    }
  }
  return targets;
}

void schedule_add_trials(const schedule_plan *p, gated_launch *l, uint64_t seed, unsigned runs) {
  size_t count = 0;
  if (p->orders[ORDER_REVERSE]) {
    launch_add_trial(l, &(schedule){ORDER_REVERSE, p->gate, 0, 0}, runs);
  }
  if (p->orders[ORDER_RANDOM]) {
    launch_add_trial(l, &(schedule){ORDER_RANDOM, p->gate, 0, schedule_seed(seed, 0)}, runs);
  }
  if (p->orders[ORDER_ASCENDING]) {
    launch_add_trial(l, &(schedule){ORDER_ASCENDING, p->gate, 0, 0}, runs);
  }
  uint32_t *targets = targets_of(p, l, seed, &count);
  for (int order = ORDER_FIRST; order <= ORDER_LAST; order++) {
    for (size_t i = 0; i < count && p->orders[order]; i++) {
      launch_add_trial(l, &(schedule){(schedule_order)order, p->gate, targets[i], 0}, runs);
    }
  }
  free(targets);
}

uint64_t schedule_launch_seed(uint64_t seed, const char *kernel, uint32_t number) {
  return hash_more(seed * UINT64_C(0x9E3779B97F4A7C15) + number, kernel, strlen(kernel));
}

static uint32_t together(const gated_launch *launches, size_t count, const gated_launch *l) {
  uint32_t most = l->together;
  for (size_t i = 0; i < count && l->together == 0; i++) {
    const gated_launch *other = &launches[i];
    if (launch_same_kernel(other, l) && other->together > most) {
      most = other->together;
    }
  }
  return most < l->groups ? most : l->groups;
}

void schedule_fill_together(gated_launch *launches, size_t count) {
  for (size_t i = 0; i < count; i++) {
    launches[i].together = together(launches, count, &launches[i]);
  }
}
