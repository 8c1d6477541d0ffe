/* Commands whose experiment measures (runner/measure): `coverage`, `races`, `memory`. */
#ifndef CLTC_CLI_MEASURING_H
#define CLTC_CLI_MEASURING_H

#include "cli/experiment.h"
#include "cli/settings.h"
#include "db/db.h"
#include "runner/measure/measure.h"
#include "runner/plan/plan.h"

#define PART_OF_CHECK "check" /* in the settings of its runs */

/* A run of such an experiment: what the command wants, and then what has become of it. */
typedef struct measuring {
  const settings *settings;
  measure_options options;    /* measure_of the settings, and what the command wants */
  const recorded_test *again; /* a test case of an earlier run that is run alone, instead of a plan; NULL: none */
  /* What the run says of that, from the code that it had otherwise; -1 with `e`. */
  int (*judge_again)(void *context, db *d, int64_t run, int code, error *e);
  void *context;
  bool part; /* a run of `check`, and kept as such (PART_OF_CHECK) */
  plan plan;
  char **recorded; /* command line of the recorded test case, NULL: it has none */
  experiment_listener listener;
  db *db;
  int64_t id;
  measure_outcome out;
} measuring;

/* What the settings say; with a form of the run that counts, and a look or NULL. */
measure_options measure_of(const settings *s, program_form form, const measure_look *look);

/* Runs, reports, and gives the exit code. */
int measuring_run(measuring *r);

/* measuring_run, or, where --replay names a finding, its test case and kernel alone; then EXIT_FOUND: it was seen again. */
int measuring_or_once_more(measuring *r);

/* Plans and runs it, as run `id` of the database, which stays open; to be freed in every case. */
int measured_run(measuring *r, error *e);
void measured_free(measuring *r);
/* The exit code of its view, and sentences on how it ended. */
int measured_judge(const measuring *r, const view *v);
void measured_say(const measuring *r, const view *v, int code);

#endif
