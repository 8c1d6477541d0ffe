/* How often a loop turns in a launch, as far as its text and the launch's arguments say. */
#ifndef CLTC_FRONTEND_FACTS_LOOPS_H
#define CLTC_FRONTEND_FACTS_LOOPS_H

#include "frontend/facts/launch.h"
#include "frontend/statements.h"
#include "frontend/tree.h"

enum { TURNS_MOST = 1 << 20 }; /* no loop is followed for longer */

/* The turns that the first work-item of the launch makes; -1: they do not follow. The loop lies in `kernel`. Its one
 * variable may be stored to once in the loop, by a `for`'s step or by a statement of the body that each turn executes.
 * A `break` is not looked at: it is what the loop makes at most. */
int64_t turns_of_loop(const tree_node *loop, const tree_node *kernel, const facts_launch *l);

/* The turns that each execution of a `for` makes in any launch, 2 for all that are more; -1: they do not follow from its text, or
 * something else may end it. */
int64_t turns_always(const tree_node *loop, const tree_node *function);

/* Knowing that a turn of a loop would be its last one: do what leads to the next turn, evaluate the condition, undo.
 * That works when all that is changed on the way are plain local variables, and when the loop's body changes nothing
 * that the condition looks at. What is not understood is refused. */

/* What has to be done to know whether a loop has another turn: save the variables, take the step, evaluate the
 * condition, restore the variables. */
typedef struct look_ahead {
  span step;                     /* the expression that leads to the next turn; empty when the condition does it */
  const tree_symbol **variables; /* each has a type in one piece */
  size_t count, capacity;
} look_ahead;

/* Returns false when that cannot be done by text. `s`: of the loop's function. Release `*out` in every case. */
bool find_look_ahead(const statements *s, const tree_node *loop, look_ahead *out);
void look_ahead_free(look_ahead *l);

#endif
