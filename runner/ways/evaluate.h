/* C expressions over a launch that was seen: its arguments, sizes and numbers of elements. */
#ifndef CLTC_RUNNER_WAYS_EVALUATE_H
#define CLTC_RUNNER_WAYS_EVALUATE_H

#include "runner/sources/source.h"

typedef enum truth { TRUTH_NO, TRUTH_YES, TRUTH_UNKNOWN } truth;

/* The value of an expression of host/host.h ($0, $1, … are arguments), computed as C computes it. Unknown: it does not
 * follow from the launch, or C does not define it. */
truth evaluate(const char *expression, const signature *of, const observed_launch *l);

#endif
