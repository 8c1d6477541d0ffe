/* What `cltestcheck coverage` and `cltestcheck races` share: test cases that run under the layer. */
#ifndef CLTC_CLI_COVERAGE_RUN_H
#define CLTC_CLI_COVERAGE_RUN_H

#include "cli/plan.h"
#include "cli/settings.h"
#include "cli/target.h"
#include "runner/session/host.h"
#include "runner/session/session.h"

typedef struct coverage_run {
  const settings *settings;
  plan plan;
  target target;
  db *db;
  int64_t run;
  session *session;
  session *checks; /* of `races`: for the second run of each test case; else NULL */
  int worst;       /* highest exit status of a test case */
  size_t named;    /* test cases that programs named */
  bool failed;     /* some test case failed */
  bool interrupted;
} coverage_run;

/* Seconds that a test case may take; 0: no limit. */
double coverage_limit(const coverage_run *r, const planned_test *t);
/* cmd_races.c: the test case once more, with its accesses checked. */
int coverage_checked(coverage_run *r, const planned_test *t, int64_t test_case, host_options options, error *e);

#endif
