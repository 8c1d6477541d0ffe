/* The proof engine is asked whether a mutant does what the kernel does: is there a launch in which the changed expression has another
 * value than the one that the user wrote? */
#ifndef CLTC_GENERATE_EQUAL_H
#define CLTC_GENERATE_EQUAL_H

#include "generate/reach.h"

/* Asks about the mutant of that number for at most `seconds`. REACH_NEVER: it is equivalent, on `*conditions` (to be freed).
 * REACH_LAUNCH: in `*launch` the values differ, which need not show; it is valid as long as `r`, and to be released with
 * replica_free. */
reached equal_ask(reach *r, uint32_t number, double seconds, char **conditions, replica *launch);

#endif
