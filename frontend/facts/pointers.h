/* Where addresses come from: which object one is computed from, and at which index. */
#ifndef CLTC_FRONTEND_FACTS_POINTERS_H
#define CLTC_FRONTEND_FACTS_POINTERS_H

#include "frontend/tree.h"

/* The parameter or __local variable that the address in `n` is always computed from, copies in variables of the function
 * with this body included; NULL: it can be several, or is not known. */
const tree_symbol *root_symbol(const tree_node *body, const tree_node *n);
/* The same of the values that a pointer variable of the function is given. */
const tree_symbol *root_of_pointer(const tree_node *body, const tree_symbol *variable);
/* The outermost parentheses around a node, itself if there are none. */
const tree_node *beyond_parentheses(const tree_node *n);
/* The pointer that a name's value is, or a sum with it; `*index` is what is added, NULL: nothing. NULL: the name is used in
 * another way. */
const tree_node *find_pointer(const tree_node *name, const tree_node **index);

#endif
