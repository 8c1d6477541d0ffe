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

/* Asynchronous copies and waits for them. */

/* Whether a statement of a block begins one copy, of which it can be said how to wait for it. */
bool wait_is_copy(const pp_result *text, const tree_node *of);
/* "wait_group_events(1, &event);" and what must stand in front of the copy for that, NULL: nothing. free() them. */
char *wait_text(const pp_result *text, const tree_node *copy);
char *wait_head(const pp_result *text, const tree_node *copy);
/* The number of events that a wait should be for, which is for some of those that the block has stored in all elements of
 * an array; 0: it is no such wait. */
unsigned wait_short(const pp_result *text, const tree_node *of);
/* The number that it is for. */
const tree_node *wait_count(const tree_node *of);
/* Whether the copy's event is in the array of such a wait. */
bool wait_has(const tree_node *copy, const tree_node *of);
/* The `if` after which a statement that waits can be, NULL: there is none. */
const tree_node *wait_if(const pp_result *text, const tree_node *of);
/* Whether a statement waits for the event of a copy alone. */
bool wait_is_for(const tree_node *copy, const tree_node *of);
/* The wait for this very event that the block has at a statement or after it; NULL: none that can go. */
const tree_node *wait_behind(const pp_result *text, const tree_node *copy, const tree_node *from);

#endif
