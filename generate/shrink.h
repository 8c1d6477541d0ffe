/* Smaller inputs that are like one. */
#ifndef CLTC_GENERATE_SHRINK_H
#define CLTC_GENERATE_SHRINK_H

#include "generate/draw.h"

/* How much there is of an input, for a person who reads it: work-items first, then numbers, then contents. */
double input_weight(const input *x);
/* Up to `most` inputs that have less of one thing, and satisfy the conditions; to be released each. */
size_t shrink(const inputs *in, const input *x, input *out, size_t most);

#endif
