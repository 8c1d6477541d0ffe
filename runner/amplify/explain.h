/* Inside the explanations (explain*.c). */
#ifndef CLTC_RUNNER_AMPLIFY_EXPLAIN_H
#define CLTC_RUNNER_AMPLIFY_EXPLAIN_H

#include "base/buffer.h"
#include "runner/amplify/internal.h"

/* What is being explained. */
typedef struct subject {
  amplify *amplify;
  size_t launch_index;
  const gated_launch *launch;
  trial *trial;
  const trial *other; /* gives the other result; NULL: the ungated program */
  const instrument_result *program;
  const instrument_kernel *kernel;
  const struct seen_race *race; /* of the kernel; NULL: none was seen */
  amplify_job *expected;        /* a run of `other` with memory */
  memory_difference difference;
  bool found;
  buffer argument;
  const char *obstacle; /* why it is not known whether accesses race */
  db_explained *places;
  size_t place_count, place_capacity;
  db_explanation out;
} subject;

/* --- explain.c --- */
/* A place on a line of a file of the program, 0: not known. */
void explain_place(subject *s, const db_explained *place);

/* --- explain_race.c, explain_deadlock.c --- */
/* Fill in kind, figures and places. */
int explain_race(subject *s, error *e);
int explain_deadlock(subject *s, error *e);

#endif
