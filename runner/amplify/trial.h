/* Experiments as functions: one of them on what a capture has recorded, in a database of its own, with nothing said. For
 * what wants to know how launches behave: patches of `repair`, and whatever comes. */
#ifndef CLTC_RUNNER_AMPLIFY_TRIAL_H
#define CLTC_RUNNER_AMPLIFY_TRIAL_H

#include "db/db.h"
#include "runner/experiment/options.h"

/* A row of the table of experiments that can be tried. */
typedef struct trial_kind trial_kind;
extern const trial_kind trial_coverage, trial_races, trial_amplify;
extern const trial_kind
    trial_orders; /* as `amplify`, but only with one work-group after another: in order, backwards, at random */
/* As `races`, but nothing is left out because an analysis of ours has shown it. The second is the look at accesses alone:
 * divergence is not seen. */
extern const trial_kind trial_watched, trial_accesses;
extern const trial_kind trial_memory; /* as `memory` */
/* As `coverage`; each launch is a test case of its own, named by its number from 0. */
extern const trial_kind trial_launches;

typedef struct trial_options {
  const experiment_options *base; /* layer, device and programs of ours; what a trial is about it says itself */
  kernel_choice kernels;          /* what is found in others does not count */
  const char *folder;             /* for its files */
  double limit;                   /* seconds */
  bool strict;                    /* of races: measure_options.strict */
  unsigned processor;             /* seconds of the processor that a replay may take; 0: any */
  void (*look)(void *context, const view *v); /* gets all that was seen; NULL: nobody does */
  void *context;
} trial_options;

typedef struct trial_result {
  int code;          /* as the command's exit status: EXIT_FOUND, EXIT_FINE, EXIT_NOTHING, EXIT_BASELINE … */
  bool benign;       /* work-items race to write the same value */
  bool inside;       /* of trial_watched and trial_accesses: all accesses lay in their objects */
  uint64_t launches; /* of changed kernels that the last look made; only of what measures */
} trial_result;

/* Where replays and the front end look for what captured kernels include, until trial_includes_end. */
typedef struct trial_includes {
  char *folder;
  char *before; /* the variable's value until then */
} trial_includes;

int trial_includes_begin(trial_includes *i, error *e);
void trial_includes_end(trial_includes *i);

/* -1 with `e`: it could not be run, or was interrupted (130). */
int trial_run(const trial_kind *kind, const trial_options *o, const char *path, trial_result *out, error *e);

#endif
