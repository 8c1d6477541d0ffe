/* A kernel case, done once by cltestcheck-replay: what its results are, and whether they are what it expects. */
#ifndef CLTC_RUNNER_PLAN_CASE_RUN_H
#define CLTC_RUNNER_PLAN_CASE_RUN_H

#include "base/buffer.h"
#include "cases/cases.h"

typedef struct case_run_options {
  const char *replay; /* the program */
  const char *folder; /* for its capture and its results */
  const char *device; /* "P:D", NULL: the first one */
  double timeout;     /* seconds, 0: none */
  bool joined;        /* what the replay says on standard error is a part of what is said */
} case_run_options;

typedef struct case_run_result {
  bool passed;
  bool crashed;            /* a signal ended it that we did not send */
  bool late;               /* it was ended after its time */
  buffer said;             /* why not, in lines */
  unsigned char **results; /* the bytes of each of the case's results, NULL: it has not come so far */
  size_t count;
} case_run_result;

/* -1 with `e` set: it could not be run, or was interrupted (130). Release with case_run_free in every case. */
int case_run(const case_run_options *o, const case_capture *c, case_run_result *out, error *e);
void case_run_free(case_run_result *r);

#endif
