/* What every experiment is told, and what it says at the end. */
#ifndef CLTC_RUNNER_EXPERIMENT_OPTIONS_H
#define CLTC_RUNNER_EXPERIMENT_OPTIONS_H

#include "base/names.h"
#include "runner/experiment/captures.h"

typedef struct experiment_test {
  const char *suite, *name, *line; /* as the database keeps them */
  const char *word;                /* that names its suite on a command line (db_set_word); NULL: of no suite */
  char **argv;
  const char *capture; /* that it does again: it need not be captured; NULL: a program like others */
  double limit;        /* seconds that it may take at most, 0: nothing is said */
} experiment_test;

/* What the command line says of an experiment, with its test cases and where they run. */
typedef struct experiment_options {
  const experiment_test *tests;
  size_t test_count;
  target target; /* lent; without capture layer and program that replays: only whole programs */
  run_engine engine;
  double recheck; /* percent of what replays decided that is also run with the whole program */
  unsigned runs;  /* of what is tried against a test case, and of the baseline */
  unsigned jobs;  /* programs at a time */
  kernel_choice kernels;
  uint32_t mutant; /* id of the one that takes part or, of schedules, is in the program all the time; 0: all, none */
  unsigned shard, shards; /* of what there is to try; 1 of 1: all */
  uint64_t seed;
  transcript_oracle oracle;
  bool races;       /* what nobody noticed is killed if a checked replay shows a race that the original does not have */
  bool output;      /* standard output is looked at, too, whatever the oracle */
  word_list ignore; /* extended regular expressions: such lines of the output do not count */
  double limit;     /* seconds that a run may take; the experiments say when they give more */
  double max_time;  /* seconds for all of it, 0: no limit */
  unsigned processor; /* seconds of the processor that a test case may take in one process (of `measure`); 0: any */
} experiment_options;

typedef enum experiment_phase {
  PHASE_BASELINE, /* the program as it is */
  PHASE_CAPTURE,
  PHASE_PREPARE, /* forms, references */
  PHASE_RUNS,
  PHASE_EQUIVALENCE,
  PHASE_RECHECK, /* --verify-engine */
  PHASE_EXPLANATION
} experiment_phase;

typedef struct experiment_progress {
  experiment_phase phase;
  size_t test;               /* in work, where test cases come one after another */
  size_t done, total;        /* of this phase: runs, builds, or what is decided */
  double seconds, remaining; /* of this phase; remaining < 0: unknown */
} experiment_progress;

typedef struct experiment_listener {
  void *context;
  /* Often; `p` is the first member of what the experiment says of its own. */
  void (*progress)(void *context, const experiment_progress *p);
  void (*note)(void *context, const char *text); /* something a person should know, once */
} experiment_listener;
/* Notes a sentence. */
void listener_note(const experiment_listener *l, const char *format, va_list arguments);

typedef struct experiment_outcome {
  bool interrupted, out_of_time;
  bool baseline_failed; /* with its sentence in `why`: nothing could be compared */
  size_t failing;       /* test cases that fail, alike in each run: what they show is what others are compared with */
  size_t processes;     /* that made an OpenCL call */
  size_t programs;      /* that could be changed */
  size_t verified, contradicted; /* run with both engines; those with two verdicts */
  int status;                    /* highest exit status of the baseline */
  bool device_denied;            /* a program asked for a type of device that is not there: */
  uint32_t denied_type;          /* its cl_device_type */
  char device[128];
  char why[2048];
} experiment_outcome;

#endif
