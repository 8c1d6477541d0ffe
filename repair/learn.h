/* What a counterexample says of all places where barriers can be. */
#ifndef CLTC_REPAIR_LEARN_H
#define CLTC_REPAIR_LEARN_H

#include "repair/search.h"

/* Takes up the last counterexample of a kernel, which was found with the barriers of `flags`. REPAIR_DONE: others can
 * be tried; else why the kernel cannot be repaired. */
repair_outcome learn(repair *r, size_t kernel, const unsigned *flags, const char **why);
/* Why nothing repairs a race between groups. */
const char *learn_why_between(const repair *r, const flaw *f);
/* The lines of the source that a flaw of the last text is about; 0: not known. */
void learn_lines(const repair *r, const flaw *f, uint32_t lines[2]);

#endif
