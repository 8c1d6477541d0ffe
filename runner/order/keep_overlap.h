/* Races between commands into the database. */
#ifndef CLTC_RUNNER_ORDER_KEEP_OVERLAP_H
#define CLTC_RUNNER_ORDER_KEEP_OVERLAP_H

#include "runner/engine/keep.h"
#include "runner/order/overlap.h"

/* The source, of the observation, whose program the finding belongs to; SIZE_MAX: of none. */
size_t overlap_source(const overlap *o);
/* `k`: that source; NULL: there is none. */
int keep_overlap(db *d, int64_t run, int64_t test_case, const kept_source *k, const overlap *o, error *e);

#endif
