/* How often a loop turns in a launch, as far as its text and the launch's arguments say. */
#ifndef CLTC_FRONTEND_FACTS_TURNS_H
#define CLTC_FRONTEND_FACTS_TURNS_H

#include "frontend/facts/launch.h"
#include "frontend/tree.h"

enum { TURNS_MOST = 1 << 20 }; /* no loop is followed for longer */

/* The turns that the first work-item of the launch makes; -1: they do not follow. The loop lies in `kernel`. Its one
 * variable may be stored to once in the loop, by a `for`'s step or by a statement of the body that each turn executes.
 * A `break` is not looked at: it is what the loop makes at most. */
int64_t turns_of_loop(const tree_node *loop, const tree_node *kernel, const facts_launch *l);

#endif
