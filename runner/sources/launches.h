/* Distinct launches of a kernel, and the most different of them. */
#ifndef CLTC_RUNNER_SOURCES_LAUNCHES_H
#define CLTC_RUNNER_SOURCES_LAUNCHES_H

#include "runner/sources/source.h"

/* Counts a launch that was made once; takes it over. */
void launches_add(asked_kernel *k, observed_launch *l);
/* How many of the things that a launch says differ. */
size_t launches_apart(const observed_launch *a, const observed_launch *b);
/* Leaves at most LAUNCHES_MOST: those that differ most from each other. */
void launches_narrow(asked_kernel *k);
/* Sizes of a launch from the numbers of its call; `local` NULL: the driver takes one. False: its last groups are
 * smaller than others, or there are no work-items. */
bool launches_size(observed_launch *l, uint32_t dimensions, const uint64_t *global, const uint64_t *local);

#endif
