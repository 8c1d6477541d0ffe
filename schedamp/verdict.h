/* What repeated runs of one schedule prove. */
#ifndef CLTC_SCHEDAMP_VERDICT_H
#define CLTC_SCHEDAMP_VERDICT_H

#include <stdbool.h>
#include <stddef.h>

/* How one run went: a character of the picture, and of what the database keeps. */
typedef enum run_outcome {
  RUN_REFERENCE = '.', /* the reference's result */
  RUN_DIFFERS = 'x',   /* another one */
  RUN_DEADLOCK = 'D',  /* a group never ended */
  RUN_OCCUPANCY = 'o', /* the reference's result, but the gate gave up: the device has not the room for that order */
  RUN_CRASH = '!'      /* ended by a signal, or with another status than the reference without having shown anything */
} run_outcome;

typedef enum schedule_verdict {
  VERDICT_PENDING, /* no run yet */
  VERDICT_CONSISTENT,
  VERDICT_RACE,
  VERDICT_DEADLOCK,
  VERDICT_OCCUPANCY, /* no run was in the order that was asked for */
  VERDICT_CRASH,
  VERDICT_ORDER,   /* results differ, and no access races: what the order of atomic functions decides */
  VERDICT_DIFFERS, /* results differ, and accesses were not checked */
  VERDICTS
} schedule_verdict;

/* "pending", "consistent", "race", "deadlock", "occupancy-bound", "crash", "order-dependent", "differs". */
const char *schedule_verdict_name(schedule_verdict v);
/* -1 for a word that is none. */
int schedule_verdict_find(const char *name);

/* Of the runs' outcomes, one character each, ended by NUL: the first of crash, deadlock, race that occurs; occupancy
 * when every run is; else consistent. */
schedule_verdict schedule_judge(const char *outcomes);
size_t schedule_count(const char *outcomes, run_outcome which);

/* Whether two series of runs may well be of one schedule: their verdicts are the same, or one is consistent and what
 * the other shows is so seldom that it would all fall into one of them by chance in 1 of 100 cases at least (Fisher's
 * exact test: of the r runs that show it each is one of these n, not of those m: C(n, r) / C(n + m, r)). */
bool schedule_agree(const char *outcomes, const char *other);

#endif
