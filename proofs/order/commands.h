/* Commands of a captured run into the findings of `memory` and `check`: those that race, and those that touch what the host has mapped,
 * where both touch the same bytes in every run. */
#ifndef CLTC_RUNNER_ORDER_COMMANDS_H
#define CLTC_RUNNER_ORDER_COMMANDS_H

#include "proofs/client/keep.h"
#include "proofs/order/overlap.h"
#include "runner/measure/measure.h"

int commands_judge(const commands_seen *seen, char **why, error *e);

/* The source, of the observation, whose program the finding belongs to; SIZE_MAX: of none. */
size_t overlap_source(const overlap *o);
/* `k`: that source; NULL: there is none. */
int keep_overlap(db *d, int64_t run, int64_t test_case, const kept_source *k, const overlap *o, error *e);

#endif
