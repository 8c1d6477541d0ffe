/* What a program's text says of its variables: where they are declared, what is assigned to them and where, and whether
 * they can change in ways that are not seen here. */
#ifndef CLTC_FRONTEND_FACTS_STORES_H
#define CLTC_FRONTEND_FACTS_STORES_H

#include "frontend/tree.h"

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

#endif
