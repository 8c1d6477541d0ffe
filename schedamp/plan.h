/* Which schedules the launches of a test case get. */
#ifndef CLTC_SCHEDAMP_PLAN_H
#define CLTC_SCHEDAMP_PLAN_H

#include "base/model.h"
#include "schedamp/trial.h"

typedef enum schedule_choice { TARGETS_SETS, TARGETS_ALL, TARGETS_COUNT, TARGETS_LIST } schedule_choice;

typedef struct schedule_plan {
  schedule_gate gate;
  bool orders[ORDER_OCCUPANCY]; /* by schedule_order: which are tried */
  schedule_choice targets;      /* of ORDER_FIRST and ORDER_LAST: one of each set of ten, all, so many, these */
  const uint32_t *target_list;  /* TARGETS_LIST */
  size_t target_count;          /* TARGETS_LIST, TARGETS_COUNT */
} schedule_plan;

/* Why a launch gets no schedules, "" if it does. */
const char *schedule_obstacle(const gated_launch *l);
/* Gives the launch its trials of at most `runs` runs, those that tell most first, should time run out. */
void schedule_add_trials(const schedule_plan *p, gated_launch *l, uint64_t seed, unsigned runs);
/* A seed for a launch that depends on nothing but the command's seed and the launch: name and number of its kernel. */
uint64_t schedule_launch_seed(uint64_t seed, const char *kernel, uint32_t number);
/* Groups in flight are counted in the first launches of a kernel; the others are taken to be like them. */
void schedule_fill_together(gated_launch *launches, size_t count);
/* Whether the lines of comment, attributes or nothing above the kernel's function, or its own, say that its order
 * dependence is meant. */
bool schedule_is_meant(const model *m, uint32_t kernel);

#endif
