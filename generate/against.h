/* Another kernel on the same inputs: where do the two differ? */
#ifndef CLTC_GENERATE_AGAINST_H
#define CLTC_GENERATE_AGAINST_H

#include "generate/bench.h"

/* How far off numbers may be; 0: by their type. */
typedef struct against_tolerance {
  double relative;
} against_tolerance;

typedef struct against {
  bench other;                /* of the other kernel */
  const signature *of;        /* its parameters; lent */
  const asked_source *source; /* lent, too */
  bool reference;             /* the other one says what is right */
  against_tolerance tolerance;
  size_t compared;  /* inputs on which both ran */
  size_t unclear;   /* that were left out, as the reference is wrong, or has more than one result */
  char *difference; /* of the smallest input on which they differ; NULL: they do on none. */
  input smallest;   /* This is it, with the names of the one that inputs are drawn for */
} against;

/* NULL, or why the two kernels cannot be compared; to be freed. */
char *against_obstacle(const signature *own, const signature *other);
/* Runs inputs, which are fine for the kernel of `own`, with both. The smallest on which they differ is kept. -1 with `e`:
 * interrupted, or they cannot be run at all. */
int against_try(against *a, bench *own, input *const *list, size_t count, error *e);
/* Makes the smallest input smaller, as long as the two differ; from then on it is a launch of the kernel that is no
 * reference. */
int against_shrink(against *a, bench *own, inputs *in, error *e);
void against_free(against *a);

#endif
