/* Updates of shared memory that an atomic function can do: `x += v`, `x++`, `x = max(x, v)`. */
#ifndef CLTC_REPAIR_UPDATE_H
#define CLTC_REPAIR_UPDATE_H

#include "frontend/tree.h"

typedef struct update {
  const tree_node *node;   /* the expression that becomes a call */
  const tree_node *object; /* what is changed */
  const char *function;    /* "atomic_add" */
  span value;              /* tokens of its last argument; first > last: it has none */
  bool cast;               /* the value is of another type than the object */
} update;

/* The update that a statement is; where it is none, the first `x++` in it, whose old value is used. False: there is none;
 * `*why` says what is in the way of an update that there is, else it is NULL. */
bool update_find(const pp_result *text, const tree_node *of, update *out, const char **why);
/* The call; free() it. */
char *update_text(const pp_result *text, const update *u);

#endif
