/* How long the mutants take that are left. Those that are the first to need a kernel in some form wait for the device's
 * compiler, and so does each clone; the others find all built. At the beginning nearly all mutants are of the first
 * kind, at the end nearly none: each kind has its own mean. */
#ifndef CLTC_RUNNER_CAMPAIGN_ESTIMATE_H
#define CLTC_RUNNER_CAMPAIGN_ESTIMATE_H

#include <stddef.h>

typedef enum mutant_cost { COST_BUILT, COST_CLONE, COST_BUILDS, MUTANT_COSTS } mutant_cost;

typedef struct mutant_costs {
  double seconds[MUTANT_COSTS]; /* of the runs of those that are done */
  size_t done[MUTANT_COSTS], left[MUTANT_COSTS];
} mutant_costs;

/* Seconds, when so many have gone by since the first began; below 0: nothing is known. */
double estimate_left(const mutant_costs *costs, double spent);

#endif
