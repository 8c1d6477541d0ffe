/* What the search for repairs and what comes after it share. */
#ifndef CLTC_REPAIR_SEARCH_INTERNAL_H
#define CLTC_REPAIR_SEARCH_INTERNAL_H

#include "repair/search.h"

/* Asks for the text with these changes, into `last` of the kernels that are marked. As flaw_finder.find. */
int search_ask(repair *r, const unsigned *flags, const bool *marked, error *e);
bool search_is_late(const repair *r);
flaw flaw_copy(const flaw *f);

/* Takes barriers out of r->flags and fences from them with which, and without which, their kernels are proved. */
int optimise(repair *r, error *e);

#endif
