/* Schedule amplification: do the results of some test cases depend on the order in which work-groups execute?
 *
 * For each test case in order: the program as it is several times (baseline), its launches counted and its kernels'
 * occupancy measured (survey), then every schedule of every launch, gated together first and apart where something
 * shows (trials), then why (explanation). docs/amplify.md says what the verdicts mean. */
#ifndef CLTC_RUNNER_AMPLIFY_AMPLIFY_H
#define CLTC_RUNNER_AMPLIFY_AMPLIFY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "db/db.h"
#include "runner/experiment/captures.h"
#include "runner/experiment/transcript.h"
#include "schedamp/schedule.h"

typedef struct amplify_test {
  const char *suite, *name, *line; /* as the database keeps them */
  char **argv;
} amplify_test;

typedef enum amplify_targets { TARGETS_SETS, TARGETS_ALL, TARGETS_COUNT, TARGETS_LIST } amplify_targets;

/* One schedule of one launch, to be run alone. */
typedef struct amplify_replay {
  const char *kernel;
  uint32_t launch;
  schedule schedule;
} amplify_replay;

typedef struct amplify_options {
  const amplify_test *tests;
  size_t test_count;
  const char *layer, *preload, *device; /* as in child_options */
  char *const *devices;                 /* to spread the runs over; none: `device` */
  size_t device_count;
  const char *capture_layer, *replay_program; /* paths; NULL: only whole programs */
  run_engine engine;
  double verify; /* percent of the schedules run by replays that are also run with the whole program */
  unsigned runs; /* of a schedule, and (at most 20) of the baseline */
  unsigned jobs; /* programs at a time */
  schedule_gate gate;
  bool orders[ORDER_OCCUPANCY]; /* by schedule_order: which are tried */
  amplify_targets targets;      /* of ORDER_FIRST and ORDER_LAST */
  const uint32_t *target_list;  /* TARGETS_LIST */
  size_t target_count;          /* TARGETS_LIST, TARGETS_COUNT */
  uint64_t seed;
  const char **kernels, **exclude; /* globs as in report_options */
  size_t kernel_count, exclude_count;
  transcript_oracle oracle;
  const char **ignore; /* extended regular expressions: such lines of the output do not count */
  size_t ignore_count;
  bool coverage;                /* schedules collect coverage as well */
  double limit;                 /* seconds a run may take, 0: 10 times the slowest ungated one, and at least 5 */
  double max_time;              /* seconds for the schedules of all test cases together, 0: no limit */
  uint32_t mutant;              /* id of a mutant that is in the program all the time, 0: none */
  const amplify_replay *replay; /* NULL: all */
} amplify_options;

typedef enum amplify_phase {
  AMPLIFY_BASELINE,
  AMPLIFY_SURVEY,
  AMPLIFY_TRIALS,
  AMPLIFY_VERIFICATION,
  AMPLIFY_EXPLANATION
} amplify_phase;

typedef struct amplify_progress {
  amplify_phase phase;
  size_t test;                      /* in work */
  size_t done, total;               /* runs */
  size_t races, deadlocks, crashes; /* schedules so far */
  double seconds, left;             /* of this phase; left < 0: unknown */
} amplify_progress;

typedef struct amplify_outcome {
  bool interrupted, out_of_time;
  bool baseline_failed;          /* with its sentence in `why` */
  bool device_lost;              /* after a hang or crash */
  bool unstable;                 /* some program differs from itself ungated */
  size_t processes;              /* that made an OpenCL call */
  size_t programs;               /* gated */
  size_t launches;               /* of gated kernels that --kernel and --exclude select */
  size_t launches_all;           /* of gated kernels */
  size_t gated;                  /* launches with schedules */
  size_t most_groups;            /* of a launch */
  size_t verified, contradicted; /* schedules run with both engines; those with two verdicts */
  size_t found;                  /* schedules with race, deadlock or crash that is not meant */
  bool mutant_seen;              /* the program with the mutant was built */
  int status;                    /* highest exit status of the baseline */
  bool device_denied;            /* a program asked for a type of device that is not there: */
  uint32_t denied_type;          /* its cl_device_type */
  char device[128];
  char kernels[512];   /* names of gated kernels, for people */
  char last_skip[512]; /* why a program was not gated, "" if all were */
  char why[2048];
} amplify_outcome;

typedef struct amplify_listener {
  void *context;
  void (*progress)(void *context, const amplify_progress *p); /* often */
  void (*note)(void *context, const char *text);              /* something a person should know, once */
} amplify_listener;

/* Runs it as run `run` of the database. Returns -1 with `e` set when it could not be run at all, or the options fit no
 * launch (EXIT_USAGE). What was found until then is committed in every case. */
int amplify_run(db *d, int64_t run, const amplify_options *o, const amplify_listener *l, amplify_outcome *out,
                error *e);

#endif
