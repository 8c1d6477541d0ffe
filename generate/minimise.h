/* Inputs that are kept become smaller, as long as they take or kill all that they are kept for. */
#ifndef CLTC_GENERATE_MINIMISE_H
#define CLTC_GENERATE_MINIMISE_H

#include "generate/bench.h"
#include "generate/outcomes.h"
#include "generate/sieve.h"

/* Those that are kept for outcomes, all together. -1 with `e`: interrupted, or nothing can be run; they are as small as they
 * have become then. */
int minimise_takers(bench *b, const inputs *in, input *kept, size_t count, const outcomes *o, error *e);
/* Those that are kept for mutants and for no outcome, one after the other; likewise. */
int minimise_killers(bench *b, const inputs *in, input *kept, size_t count, const outcomes *o, sieve *s, error *e);

#endif
