/* A mutation campaign: which mutants of the kernels that some test cases run do these test cases notice?
 *
 * In order: the original several times (baseline), once more to see what it reaches and how long its kernels take, then
 * every mutant that is reached against each test case that reaches it. docs/mutation.md says what the numbers mean. */
#ifndef CLTC_RUNNER_CAMPAIGN_CAMPAIGN_H
#define CLTC_RUNNER_CAMPAIGN_CAMPAIGN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "db/db.h"
#include "mutate/mutate.h"
#include "runner/experiment/captures.h"
#include "runner/experiment/transcript.h"

typedef struct campaign_test {
  const char *suite, *name, *line; /* as the database keeps them */
  char **argv;
} campaign_test;

typedef struct line_range {
  const char *file; /* compared with the end of the path of a source: whole names only */
  uint32_t first, last;
} line_range;

typedef struct campaign_options {
  const campaign_test *tests;
  size_t test_count;
  const char *capture_layer, *replay_program; /* paths; NULL: only whole programs */
  run_engine engine;
  double verify; /* percent of the mutants decided by replays that are also run with the whole program */
  const char *layer, *preload, *device; /* as in child_options */
  char *const *devices;                 /* to spread the runs over; none: `device` */
  size_t device_count;
  unsigned runs; /* of a mutant against a test case, and of the baseline */
  unsigned jobs; /* programs at a time */
  bool operators[MUTATE_OPERATORS];
  const char **kernels, **exclude; /* globs as in report_options: a mutant must be reached by a selected kernel */
  size_t kernel_count, exclude_count;
  const line_range *lines; /* NULL: all */
  size_t line_count;
  uint32_t mutant; /* the only one that takes part, by its id; 0: all */
  size_t sample;   /* at most so many mutants, 0: all */
  uint64_t seed;
  unsigned shard, shards; /* 1 of 1: all */
  transcript_oracle oracle;
  const char **ignore; /* extended regular expressions: such lines of the output do not count */
  size_t ignore_count;
  bool equivalence;
  bool reuse;      /* verdicts of earlier runs */
  double limit;    /* seconds a run may take at least; 10 times the baseline where that is more */
  double max_time; /* seconds for all of it, 0: no limit */
  bool verbose;
} campaign_options;

typedef enum campaign_phase {
  PHASE_BASELINE,
  PHASE_PREPARE, /* forms, references */
  PHASE_EQUIVALENCE,
  PHASE_CAPTURE,
  PHASE_MUTANTS
} campaign_phase;

typedef struct campaign_progress {
  campaign_phase phase;
  size_t done, total;         /* of this phase: runs, builds, or mutants */
  size_t mutants;             /* that the campaign decides in all; 0: not known yet */
  size_t of[MUTANT_STATUSES]; /* decided so far */
  double seconds, left;       /* of this phase; of the whole once mutants are run. left < 0: unknown */
} campaign_progress;

typedef struct campaign_outcome {
  bool interrupted, out_of_time;
  bool baseline_failed;          /* with its sentence in `why` */
  size_t processes;              /* that made an OpenCL call */
  size_t programs;               /* with mutants */
  size_t mutants, excluded;      /* of all operators; left out by filters, sample or shard */
  size_t decided;                /* of the mutants: those with a verdict */
  size_t verified, contradicted; /* mutants run with both engines; those with two statuses */
  uint64_t launches;             /* of kernels with mutants, in the runs that find out which are reached */
  bool refused;                  /* launches were refused without any mutant */
  int status;                    /* highest exit status of the baseline */
  bool device_denied;            /* a program asked for a type of device that is not there: */
  uint32_t denied_type;          /* its cl_device_type */
  char device[128];
  char why[2048];
} campaign_outcome;

typedef struct campaign_listener {
  void *context;
  void (*progress)(void *context, const campaign_progress *p); /* often */
  void (*note)(void *context, const char *text);               /* something a person should know, once */
} campaign_listener;

/* Do operators, kernels and lines of the options leave this mutant of a program? */
bool campaign_selects(const campaign_options *o, const model *of, const mutant *m);

/* Runs the campaign as run `run` of the database, or goes on with it (then what is decided stays). Returns -1 with `e`
 * set when it could not be run at all. What was found until then is committed in every case. */
int campaign_run(db *d, int64_t run, const campaign_options *o, const campaign_listener *l, campaign_outcome *out,
                 error *e);

#endif
