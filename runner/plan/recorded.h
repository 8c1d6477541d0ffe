/* A test case of an earlier run, once more. */
#ifndef CLTC_RUNNER_PLAN_RECORDED_H
#define CLTC_RUNNER_PLAN_RECORDED_H

#include "db/db.h"
#include "runner/plan/plan.h"

typedef struct recorded_test {
  const char *suite, *name, *command_line, *word; /* as the database has them */
} recorded_test;

/* The test case becomes the plan's first one; the command line's take its place, if it names any. `*command` is for
 * shell_free when the plan is no longer used; NULL: a suite's, or the command line has another. */
int recorded_plan(const plan_words *s, const recorded_test *t, plan *out, char ***command, error *e);

/* What the plan of a run lends. */
typedef struct recorded_run {
  char **command, **suites;
  size_t suite_count, suite_capacity;
} recorded_run;

/* All test cases of a run become the plan. Release `lent` with recorded_run_free when the plan is no longer used, in every
 * case. */
int recorded_run_plan(const plan_words *s, db *d, int64_t run, plan *out, recorded_run *lent, error *e);
void recorded_run_free(recorded_run *lent);

#endif
