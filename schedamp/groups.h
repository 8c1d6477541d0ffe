/* Launches that are gated together, and which run is next: all groups and schedules are run alike often, so that the
 * time there is is spent evenly. */
#ifndef CLTC_SCHEDAMP_GROUPS_H
#define CLTC_SCHEDAMP_GROUPS_H

#include "schedamp/trial.h"

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
