/* Conditions like `i >= 1 && i < n - 1`: tests of private integers that nothing but their values decides. */
#ifndef CLTC_FRONTEND_FACTS_RANGE_CHECK_H
#define CLTC_FRONTEND_FACTS_RANGE_CHECK_H

#include "frontend/facts/stores.h"

/* Whether a && or || of a function can be evaluated twice, with one result, and is about one variable, parameters of the
 * function apart. */
bool is_range_check(const tree *t, const stores *all, const tree_node *decision);

#endif
