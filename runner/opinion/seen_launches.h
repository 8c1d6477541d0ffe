/* What a person assumes, held against launches that were seen. */
#ifndef CLTC_RUNNER_OPINION_SEEN_LAUNCHES_H
#define CLTC_RUNNER_OPINION_SEEN_LAUNCHES_H

#include "runner/sources/source.h"

/* The first launch of a kernel that an expression of `--assume` does not hold for goes to `*against`; NULL: it holds for all, or
 * contents that it speaks of are not known. False: it is not understood. */
bool seen_check(const asked_source *s, const asked_kernel *k, const char *assumption, const observed_launch **against);

#endif
