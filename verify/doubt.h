/* What goes wrong only with particular contents of a buffer that the host fills. */
#ifndef CLTC_VERIFY_DOUBT_H
#define CLTC_VERIFY_DOUBT_H

#include "verify/trial.h"

/* A certain race or divergence that is not found any more where a buffer of integers holds distinct, or ascending, values
 * becomes a possible one that names what excludes it. What goes wrong even then stays certain. */
void doubt_contents(trial *t);
/* The same of a certain access out of bounds and numbers in a range. true: the search is to go on without it, and a proof rests
 * on accesses that stay inside, as `doubted` says. */
bool doubt_ends(trial *t);

#endif
