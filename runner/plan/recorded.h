/* A test case of an earlier run, once more. */
#ifndef CLTC_RUNNER_PLAN_RECORDED_H
#define CLTC_RUNNER_PLAN_RECORDED_H

#include "runner/plan/plan.h"

typedef struct recorded_test {
  const char *suite, *name, *command_line; /* as the database has them */
} recorded_test;

/* The test case becomes the plan's first one; the command line's take its place, if it names any. `*command` is for
 * shell_free when the plan is no longer used; NULL: a suite's, or the command line has another. */
int recorded_plan(const plan_words *s, const recorded_test *t, plan *out, char ***command, error *e);

#endif
