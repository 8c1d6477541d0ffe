/* Schedule amplification: do the results of some test cases depend on the order in which work-groups execute?
 *
 * For each test case in order: the program as it is several times (baseline), its launches counted and its kernels'
 * occupancy measured (survey), then every schedule of every launch, gated together first and apart where something
 * shows (trials), then why (explanation). docs/amplify.md says what the verdicts mean. */
#ifndef CLTC_RUNNER_AMPLIFY_AMPLIFY_H
#define CLTC_RUNNER_AMPLIFY_AMPLIFY_H

#include "db/db.h"
#include "runner/experiment/options.h"
#include "schedamp/schedule.h"

/* One schedule of one launch, to be run alone. */
typedef struct amplify_replay {
  const char *kernel;
  uint32_t launch;
  schedule schedule;
} amplify_replay;

typedef struct amplify_options {
  experiment_options common; /* `limit`: 0: 10 times the slowest ungated run, and at least 5 */
  schedule_plan plan;
  bool coverage;                /* schedules collect coverage as well */
  const amplify_replay *replay; /* NULL: all */
  bool no_trust_proofs;         /* else launches that are proved to have one result get no schedules */
} amplify_options;

typedef struct amplify_progress {
  experiment_progress common;       /* of runs */
  size_t races, deadlocks, crashes; /* schedules so far */
} amplify_progress;

typedef struct amplify_outcome {
  experiment_outcome common; /* `programs`: gated */
  bool device_lost;          /* after a hang or crash */
  bool unstable;             /* some program differs from itself ungated */
  size_t launches;           /* of gated kernels that --kernel and --exclude select */
  size_t launches_all;       /* of gated kernels */
  size_t gated;              /* launches with schedules */
  size_t proved;             /* launches without, as they are proved to have one result */
  size_t runs;               /* of schedules */
  size_t most_groups;        /* of a launch */
  size_t found;              /* schedules with race, deadlock or crash that is not meant */
  bool mutant_seen;          /* the program with the mutant was built */
  char kernels[512];         /* names of gated kernels, for people */
  char last_skip[512];       /* why a program was not gated, "" if all were */
} amplify_outcome;

/* The gate and the orders that are tried where nothing else is wanted. */
void amplify_usual_orders(schedule_plan *p);

/* Runs it as run `run` of the database. Returns -1 with `e` set when it could not be run at all, or the options fit no
 * launch (EXIT_USAGE). What was found until then is committed in every case. */
int amplify_run(db *d, int64_t run, const amplify_options *o, const experiment_listener *l, amplify_outcome *out,
                error *e);

/* What it says of the kernels that are chosen, in the words of exit codes. `suppressed`: schedules that were found and do
 * not count; `depends`: a result depends on the order, which is EXIT_THRESHOLD. */
int amplify_judge(const amplify_options *o, const amplify_outcome *out, const view *v, size_t suppressed, bool depends);

#endif
