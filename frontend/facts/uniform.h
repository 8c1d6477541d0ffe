/* What all work-items of a work-group do alike, whatever they do: decisions, the code that depends on them, expressions of
 * integers. Asked by function. */
#ifndef CLTC_FRONTEND_FACTS_UNIFORM_H
#define CLTC_FRONTEND_FACTS_UNIFORM_H

#include "frontend/tree.h"

/* What a program's text says of its variables: where they are declared, what is assigned to them and where, and whether
 * they can change in ways that are not seen here. */

/* A variable gets a value. */
typedef struct variable_store {
  const tree_symbol *variable;
  uint32_t name;             /* the token of the variable: where it happens */
  const tree_node *function; /* that it happens in; NULL: outside of all */
  const tree_node *value;    /* NULL: none, or one more or less than it had; what `op=` adds to the old value */
  bool parameter;            /* by the caller of the function */
  bool untracked; /* its value can be or become anything: its address is taken, it is no private integer, … */
} variable_store;

typedef struct stores {
  variable_store *items;
  size_t count, capacity;
  bool hidden; /* there are more: in asm or statement expressions, or through references */
} stores;

/* Reads all of a unit; `options` are those that it is compiled with. free() the items. */
stores read_stores(const tree *t, const char *options);

/* A function that is asked about. */
typedef struct uniform_scope {
  const tree *tree;
  const tree_graph_function *graph;
  const statements *statements;
  const stores *stores;
  bool arguments_alike; /* it is a kernel, and no other function calls it */
} uniform_scope;

/* The decisions that lead to a node, as written, with those around jumps past it; && and || apart, which guards_are_all
 * looks at. free() the items. */
tree_node_list uniform_guards(const uniform_scope *s, const tree_node *at);
/* Whether nothing but these decides whether the code at a node runs. */
bool guards_are_all(const uniform_scope *s, const tree_node *at);
/* Which of these decisions all work-items of a group take alike, as often as each other. */
void find_uniform(const uniform_scope *s, const tree_node_list *decisions, bool *uniform);
/* Whether `wanted`, a decision or a call, would be uniform if the decisions `assumed` were. Those of them that it depends
 * on become true in `used`. */
bool uniform_under(const uniform_scope *s, const tree_node *wanted, const tree_node_list *assumed, bool *used);
/* Whether all work-items of a group that come to this expression of integers compute the same there. */
bool expression_is_uniform(const uniform_scope *s, const tree_node *expression);
/* Whether all work-items that come to a node have taken an `if`, which stands in no loop, the same way: because it is a
 * part of it, or because the others have returned. */
bool took_alike(const tree_node *decision, const tree_node *at);

/* Conditions like `i >= 1 && i < n - 1`: tests of private integers that nothing but their values decides. */

/* Whether a && or || of a function can be evaluated twice, with one result, and is about one variable, parameters of the
 * function apart. */
bool is_range_check(const tree *t, const stores *all, const tree_node *decision);

#endif
