/* Trials: the schedules of a launch, and what their runs gave. */
#ifndef CLTC_SCHEDAMP_TRIAL_H
#define CLTC_SCHEDAMP_TRIAL_H

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

#endif
