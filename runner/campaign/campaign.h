/* A mutation campaign: which mutants of the kernels that some test cases run do these test cases notice?
 *
 * In order: the original several times (baseline), once more to see what it reaches, then
 * every mutant that is reached against each test case that reaches it. docs/mutation.md says what the numbers mean. */
#ifndef CLTC_RUNNER_CAMPAIGN_CAMPAIGN_H
#define CLTC_RUNNER_CAMPAIGN_CAMPAIGN_H

#include "base/line_ranges.h"
#include "db/db.h"
#include "mutate/mutate.h"
#include "runner/experiment/options.h"

typedef struct campaign_options {
  experiment_options common; /* a mutant must be reached by a selected kernel; `limit`: 10 times the baseline where that
                                is more */
  bool operators[MUTATE_OPERATORS];
  const line_range *lines; /* NULL: all */
  size_t line_count;
  const uint32_t *among; /* mutants that take part, by their ids; NULL: all */
  size_t among_count;
  uint64_t sample;     /* at most so many mutants, 0: all */
  bool no_equivalence; /* is not looked for */
  bool no_cache;       /* verdicts of earlier runs are not taken over */
  bool reveal;         /* one run of the program for each killed mutant tells whether the program notices it */
  bool verbose;
} campaign_options;

typedef struct campaign_progress {
  experiment_progress common; /* `remaining`: of the whole once mutants are run */
  size_t mutants;             /* that the campaign decides in all; 0: not known yet */
  size_t of[MUTANT_STATUSES]; /* decided so far */
  double rate;                /* mutants a second; 0: not known yet */
} campaign_progress;

typedef struct campaign_outcome {
  experiment_outcome common; /* `programs`: with mutants */
  size_t mutants;            /* of all operators */
  size_t decided;            /* of the mutants: those with a verdict */
  size_t counted;            /* of these: those that the score counts */
  uint64_t launches;         /* of kernels with mutants, in the runs that find out which are reached */
  bool refused;              /* launches were refused without any mutant */
} campaign_outcome;

/* Do operators, kernels and lines of the options leave this mutant of a program? */
bool campaign_selects(const campaign_options *o, const model *of, const mutant *m);

/* A mutant, and whether it is chosen. */
typedef struct selection {
  uint32_t id;
  bool suppressed;
  bool *chosen;
} selection;

/* Of the chosen ones leaves the sample, and of that the share of the shard; `all` in the order of the programs. */
void campaign_draw(const campaign_options *o, const selection *all, size_t count);

/* Runs the campaign as run `run` of the database, or goes on with it (then what is decided stays). Returns -1 with `e`
 * set when it could not be run at all. What was found until then is committed in every case. */
int campaign_run(db *d, int64_t run, const campaign_options *o, const experiment_listener *l, campaign_outcome *out,
                 error *e);

#endif
