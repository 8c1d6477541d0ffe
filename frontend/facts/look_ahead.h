/* Knowing that a turn of a loop would be its last one: do what leads to the next turn, evaluate the condition, undo.
 * That works when all that is changed on the way are plain local variables, and when the loop's body changes nothing
 * that the condition looks at. What is not understood is refused. */
#ifndef CLTC_FRONTEND_FACTS_LOOK_AHEAD_H
#define CLTC_FRONTEND_FACTS_LOOK_AHEAD_H

#include "frontend/statements.h"

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
