/* What follows from a tree: who calls whom, loops, which decisions a barrier depends on, where text can be inserted.
 * All of it lives as long as the tree. */
#ifndef CLTC_FRONTEND_TREE_GRAPH_H
#define CLTC_FRONTEND_TREE_GRAPH_H

#include "frontend/tree.h"

typedef struct tree_node_list {
  tree_node **items;
  size_t count, capacity;
} tree_node_list;

/* A function that has a body. */
typedef struct tree_graph_function {
  tree_node *function;
  tree_node_list calls;     /* of functions of the program that have a body, in source order */
  tree_node_list waits;     /* calls of barriers, and of functions that reach one, in source order */
  tree_node_list loops;     /* outer ones before inner ones */
  tree_node_list decisions; /* if, switch, loops with a condition, scalar ?: && || */
  tree_node_list jumps;     /* break, continue, goto, return */
  bool reaches_barrier;
} tree_graph_function;

typedef struct tree_graph {
  tree_graph_function *functions; /* as tree.functions */
  size_t count;
} tree_graph;

tree_graph tree_graph_read(const tree *t);
/* NULL for a function without a body. */
const tree_graph_function *tree_graph_find(const tree_graph *g, const tree_symbol *function);

/* The decisions that say whether, and how often, a work-item comes to `at`, a node of the function: those around it, and
 * those around a jump that leads past it. In source order: first the former, then the latter by jump. Each once; free()
 * the items. */
tree_node_list tree_guards(const tree_graph_function *f, const tree_node *at);

/* Loops around a node, itself not. */
uint32_t tree_loop_depth(const tree_node *n);

#endif
