/* What the search for repairs and what comes after it share. */
#ifndef CLTC_REPAIR_SEARCH_INTERNAL_H
#define CLTC_REPAIR_SEARCH_INTERNAL_H

#include "repair/search.h"

/* Takes barriers out of r->flags and fences from them with which, and without which, their kernels are proved. */
int optimise(repair *r, error *e);

#endif
