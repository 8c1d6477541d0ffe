/* Commands whose experiment measures (runner/measure): `coverage`, `races`, `memory`. */
#ifndef CLTC_CLI_MEASURING_H
#define CLTC_CLI_MEASURING_H

#include "cli/settings.h"
#include "db/db.h"
#include "runner/measure/measure.h"
#include "runner/plan/plan.h"

#define PART_OF_CHECK "check" /* in the settings of its runs */

typedef struct measuring_command {
  const settings *settings;
  const measure_look *look;   /* NULL: none */
  program_form form;          /* of the run that counts; FORM_COVERAGE: with coverage */
  const recorded_test *again; /* a test case of an earlier run that is run alone, instead of a plan; NULL: none */
  /* What the run says of that, from the code that it had otherwise; -1 with `e`. */
  int (*judge_again)(void *context, db *d, int64_t run, int code, error *e);
  void *context;
  bool part;       /* a run of `check`, and kept as such (PART_OF_CHECK) */
  bool silent;     /* what the program prints goes nowhere */
  double max_time; /* seconds for all test cases; 0: any */
} measuring_command;

/* Runs, reports, and gives the exit code. */
int measuring_run(const measuring_command *c);

#endif
