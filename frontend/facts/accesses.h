/* Which memory may a kernel touch through its parameters? Expressions of its own body are followed, into functions, too,
 * and into variables that are always computed from one parameter. What is copied elsewhere escapes, and what goes to
 * functions that other sources have. */
#ifndef CLTC_FRONTEND_FACTS_ACCESSES_H
#define CLTC_FRONTEND_FACTS_ACCESSES_H

#include "frontend/tree.h"

typedef struct parameter_access {
  uint32_t parameter;    /* its number among the kernel's */
  const tree_node *name; /* where the parameter's name is used, or that of a copy; in a call, if the function does it */
  bool writes;           /* else it reads; what does both is there twice */
} parameter_access;

typedef struct parameter_accesses {
  parameter_access *items; /* in source order */
  size_t count, capacity;
  bool *escapes; /* one a parameter: there may be more accesses. Of a number: its value is used */
} parameter_accesses;

/* `kernel`: its definition. */
parameter_accesses read_accesses(const tree_node *kernel);
void accesses_free(parameter_accesses *a);

/* Where addresses come from: which object one is computed from, and at which index. */

/* The parameter or __local variable that the address in `n` is always computed from, copies in variables of the function
 * with this body included; NULL: it can be several, or is not known. */
const tree_symbol *root_symbol(const tree_node *body, const tree_node *n);
/* The outermost parentheses around a node, itself if there are none. */
const tree_node *beyond_parentheses(const tree_node *n);
/* The pointer that a name's value is, or a sum with it; `*index` is what is added, NULL: nothing. NULL: the name is used in
 * another way. */
const tree_node *find_pointer(const tree_node *name, const tree_node **index);

#endif
