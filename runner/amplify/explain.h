/* Inside the explanations (amplify_explain*.c). */
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
  const char *name;             /* of the kernel */
  const struct seen_race *race; /* of the kernel; NULL: none was seen */
  amplify_job *expected;        /* a run of `other` with memory */
  memory_difference difference;
  bool found;
  buffer text, unfinished, argument;
  db_explanation out;
} subject;

/* --- explain.c --- */
/* "group 17 first, ticket gate"; NULL: how the reference is made, as "the gate open". */
void put_schedule(const subject *s, buffer *to, const trial *t);

/* --- amplify_explain_race.c, amplify_explain_deadlock.c --- */
/* Fill in text and figures. */
int explain_race(subject *s, error *e);
int explain_deadlock(subject *s, error *e);

#endif
