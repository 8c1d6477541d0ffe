/* Launches of one kernel, done with its accesses and barriers watched. */
#ifndef CLTC_RUNNER_OPINION_WATCH_H
#define CLTC_RUNNER_OPINION_WATCH_H

#include "runner/counterexample/replica.h"
#include "runner/trial/trial.h"

typedef struct watching {
  const experiment_options *base;
  const char *folder; /* for files */
  bool same_value;    /* work-items that write the same value race, too */
  double seconds;     /* of the processor, each time */
} watching;

/* What went wrong in one of the launches, first in the first of them. */
typedef struct watched {
  uint64_t launches; /* that were made */
  bool well;         /* … and none crashed or took too long */
  bool found;
  bool divergence;
  size_t launch;    /* of those that were given, from 0 */
  uint32_t lines[2]; /* of the accesses; of the barrier; 0: not known */
  char *sentence;    /* "work-item 0 of …"; NULL without `found` */
} watched;

/* `more`: further build options. -1 with `e`: interrupted (130), or they cannot be run here. Free `sentence`. */
int watch(const watching *w, const replica *all, size_t count, const char *more, watched *out, error *e);

#endif
