/* Launches of one kernel, done with its accesses and barriers watched. */
#ifndef CLTC_RUNNER_OPINION_WATCH_H
#define CLTC_RUNNER_OPINION_WATCH_H

#include "runner/counterexample/replica.h"
#include "runner/trial/trial.h"

struct terms;

typedef struct watching {
  const experiment_options *base;
  const char *folder; /* for files */
  bool same_value;    /* work-items that write the same value race, too */
  bool bounds;        /* accesses are held against the ends of their memory, and nothing else is looked at */
  const struct terms
      *sized; /* with `bounds`: only of buffers whose elements these conditions speak of, and of arrays; NULL: of all */
  bool careful;     /* what is found is certain: work-items surely miss a barrier */
  const char *only; /* nothing else counts but what happens to this object; NULL: all does */
  bool accesses;    /* and nothing of who comes to barriers */
  double seconds;   /* of the processor, each time */
} watching;

/* Something that went wrong in one of the launches. */
typedef struct watched_finding {
  bool divergence;   /* else a race, or with `bounds` an access outside */
  size_t launch;     /* of those that were given, from 0 */
  uint32_t lines[2]; /* of the accesses, of the barrier and the decision; 0: not known */
  char *sentence;    /* "work-item 0 of …" */
} watched_finding;

typedef struct watched {
  uint64_t launches; /* that were made */
  bool well;         /* … and none crashed or took too long */
  watched_finding *items;
  size_t count, capacity;
} watched;

/* `more`: further build options. -1 with `e`: interrupted (130), or they cannot be run here. Release with watched_free in
 * every case. */
int watch(const watching *w, const replica *all, size_t count, const char *more, watched *out, error *e);
/* The first of the first launch, of divergence before races: after it nothing is defined. NULL: nothing went wrong. */
const watched_finding *watched_first(const watched *w);
void watched_free(watched *w);

#endif
