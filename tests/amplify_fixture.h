/* Runs of schedule amplification for the tests of db/ and reports/: launches of the kernels of report_fixture.h. */
#ifndef CLTC_TESTS_AMPLIFY_FIXTURE_H
#define CLTC_TESTS_AMPLIFY_FIXTURE_H

#include "db/db.h"

/* A run with the programs conv and scan and one test case, open for launches. */
typedef struct amplify_fixture {
  db *d;
  int64_t run, test;
  db_program conv, scan;
} amplify_fixture;

/* Begins a run of `amplify` and in it the test case `name` of suite "suite", with command line "./NAME". */
void amplify_begin(amplify_fixture *f, db *d, const char *name);
/* Another test case of the same run. */
void amplify_test_case(amplify_fixture *f, const char *name);
void amplify_end(amplify_fixture *f);

/* A launch of `groups` work-groups of 64, 2 in flight; `skipped` is "" for one with schedules. Returns its row. */
int64_t amplify_launch(amplify_fixture *f, int64_t kernel, uint32_t number, uint32_t groups, const char *skipped);
/* A schedule under the ticket gate, with the verdict of its outcomes. `number` is the target or the seed. */
int64_t amplify_schedule(amplify_fixture *f, int64_t launch, const char *order, uint32_t number, const char *outcomes);
/* The same of a kernel that says that its order dependence is meant. */
int64_t amplify_schedule_meant(amplify_fixture *f, int64_t launch, const char *order, uint32_t number,
                               const char *outcomes);
void amplify_explain(amplify_fixture *f, int64_t schedule, const db_explanation *x);

#endif
