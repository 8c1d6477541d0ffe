/* What `cltestcheck coverage` and `cltestcheck races` share: test cases that run under the layer. */
#ifndef CLTC_CLI_COVERAGE_RUN_H
#define CLTC_CLI_COVERAGE_RUN_H

#include "cli/plan.h"
#include "cli/settings.h"
#include "cli/target.h"
#include "runner/session/host.h"
#include "runner/session/session.h"

/* `races --replay`. */
typedef struct races_again {
  int64_t finding;
  db_seen seen;
} races_again;

typedef struct coverage_run {
  const settings *settings;
  plan plan;
  target target;
  db *db;
  int64_t run;
  session *session;
  session *checks;          /* of `races`: for the second run of each test case; else NULL */
  const races_again *again; /* a finding that is looked for once more; NULL: none */
  char **command;           /* its recorded one, or NULL */
  size_t tests;             /* of the plan, the first ones, that run */
  int usual;                /* the status of the test case's first run */
  int worst;                /* highest exit status of a test case */
  size_t named;             /* test cases that programs named */
  bool failed;              /* some test case failed */
  bool crashed;             /* some run that checked accesses was killed: what it would have shown is not known */
  bool interrupted;
} coverage_run;

/* `coverage` and `races`; `again` is NULL but for `races --replay`. */
int coverage_command(const settings *s, const races_again *again);
/* cmd_races.c: whether the finding was seen again, in a sentence and in the exit code. */
int races_judge_again(const coverage_run *r, int code, error *e);

/* cmd_races.c: how many races that count are in lines that coverage says were never executed. Each is said. */
size_t races_contradicted(const view *v, const settings *s);

/* Seconds that a test case may take; 0: no limit. */
double coverage_limit(const coverage_run *r, const planned_test *t);
/* cmd_races.c: the test case once more, with its accesses checked. */
int coverage_checked(coverage_run *r, const planned_test *t, int64_t test_case, host_options options, error *e);

#endif
