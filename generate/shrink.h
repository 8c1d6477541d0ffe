/* Smaller inputs that are like one. */
#ifndef CLTC_GENERATE_SHRINK_H
#define CLTC_GENERATE_SHRINK_H

#include "generate/draw.h"

/* How inputs are made smaller, and how far that has come. */
typedef struct shrinking {
  bool memory; /* buffers get fewer elements, too */
  bool ramps;  /* are as good as zeros: what a mutant does shows more often where numbers differ */
  size_t at;   /* so many ways have been tried; */
  bool ended;  /* there are no more */
} shrinking;

/* How much there is of an input, for a person who reads it: work-items first, then numbers, then contents. */
double input_weight(const input *x, bool ramps);
/* Up to `most` inputs that have less of one thing, and satisfy the conditions, in the ways that come next; to be released
 * each. */
size_t shrink(const inputs *in, const input *x, shrinking *how, input *out, size_t most);

#endif
