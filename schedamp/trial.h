/* Trials: the schedules of a launch, and what their runs gave. */
#ifndef CLTC_SCHEDAMP_TRIAL_H
#define CLTC_SCHEDAMP_TRIAL_H

#include "base/model.h"
#include "schedamp/schedule.h"
#include "schedamp/verdict.h"

/* A schedule of a launch and what its runs gave. */
typedef struct trial {
  schedule schedule;
  char *outcomes; /* one character a run, room for all that are to be made and the NUL */
  size_t count;
  bool settled;  /* further runs would change nothing */
  bool recorded; /* a row of the database says the same */
  bool slow;     /* a run exceeded its time limit: the next one gets more */
  int64_t row;
  struct differing_read *shown; /* what the first differing run showed, for whoever says it; NULL: none. Of one piece */
  char *watched;                /* path of the file of a run that hung while it was watched; NULL: none did */
} trial;

/* What is known of the accesses of a kernel whose results differ. */
typedef enum launch_accesses {
  ACCESSES_UNCHECKED,
  ACCESSES_RACE, /* or they cannot be checked */
  ACCESSES_RACELESS
} launch_accesses;

/* A launch of a gated kernel. Zeroed but for program, kernel, number, uneven and skipped when it begins. */
typedef struct gated_launch {
  uint32_t program, kernel; /* by their numbers */
  uint32_t number;          /* among this kernel's launches */
  uint32_t shape, of_shape; /* digest of its sizes; number among this kernel's launches with them */
  uint32_t groups, local, together;
  bool seen; /* a gate record of it came */
  bool uneven;
  const char *skipped; /* why it has no trials, "" if it has */
  bool meant;          /* its kernel says that its order dependence is meant */
  launch_accesses accesses;
  int64_t row;
  trial *trials;
  size_t trial_count, trial_capacity;
} gated_launch;

/* A further trial of at most `runs` runs. */
void launch_add_trial(gated_launch *l, const schedule *s, unsigned runs);
/* Releases its trials and zeroes it. */
void launch_free(gated_launch *l);
bool launch_same_kernel(const gated_launch *one, const gated_launch *other);

/* A trial of at most `runs` runs begins anew. */
void trial_forget(trial *t, unsigned runs);
/* Whether the next run of the trial shows for sure that it is a deadlock, if it hangs: that one is to be watched. */
bool trial_is_last_hang(const gated_launch *l, const trial *t);
/* A further run. Two deadlocks or crashes are enough; of a launch that is known to hang one deadlock is. What is after
 * `runs` of them is left out. */
void trial_add(const gated_launch *l, trial *t, run_outcome outcome, unsigned runs);
/* A run that was too slow once, and never again with more time, was no deadlock: it is left out. */
void trial_leave_out_slow(const gated_launch *l, trial *t);
/* The verdict on a trial of this launch: what differs is a race only once accesses were checked. */
schedule_verdict trial_judge(const gated_launch *l, const trial *t);
/* The trial with a verdict whose order comes first: one with a target, where there is one. NULL if none has it. */
trial *trial_with(const gated_launch *l, schedule_verdict v);
/* How many trials of some launches have a verdict; `meant`: also those whose order dependence is meant. */
size_t trials_count(const gated_launch *launches, size_t count, schedule_verdict v, bool meant);

/* Which schedules the launches of a test case get. */

typedef enum schedule_choice { TARGETS_SETS, TARGETS_ALL, TARGETS_COUNT, TARGETS_LIST } schedule_choice;

typedef struct schedule_plan {
  schedule_gate gate;
  bool orders[ORDER_OCCUPANCY]; /* by schedule_order: which are tried */
  schedule_choice targets;      /* of ORDER_FIRST and ORDER_LAST: one of each set of ten, all, so many, these */
  uint32_t *target_list;        /* TARGETS_LIST; lent */
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

/* Launches that are gated together, and which run is next: all groups and schedules are run alike often, so that the
 * time there is is spent evenly. */

/* Launches that are gated together. */
typedef struct launch_group {
  size_t *launches;
  size_t count;
  size_t width;            /* schedules: the most that one of them has */
  size_t repeat, schedule; /* what is next: all schedules once, then again */
  bool guilty;             /* something showed: its launches are gated apart, in other groups */
} launch_group;

typedef struct launch_groups {
  gated_launch *launches; /* of the test case; lent */
  unsigned runs;          /* of a schedule */
  launch_group *items;
  size_t count, capacity;
} launch_groups;

/* One group of all launches with schedules; none if there are none. */
void groups_begin(launch_groups *set, gated_launch *launches, size_t count, unsigned runs);
/* Something showed in a group: its kernels, or else its launches, are gated apart from now on. */
void groups_split(launch_groups *set, size_t index);
/* Of the groups with something to do, the one that has come least far; NULL if there is none. */
launch_group *groups_next(launch_groups *set);
/* The group's present run is under way. */
void groups_step(launch_group *g);
/* Runs that are still to be made, if nothing more shows. */
size_t groups_left(const launch_groups *set);
void groups_free(launch_groups *set);

#endif
