/* `__attribute__((…))` of declarations, and what stands in front of statements: trees do not keep it. */
#ifndef CLTC_TESTS_TREE_ATTRIBUTES_H
#define CLTC_TESTS_TREE_ATTRIBUTES_H

#include "frontend/tree.h"

enum { ATTRIBUTES_MOST = 64 };

/* How many there are; of a statement one span has all of them. */
uint32_t attributes_of(const tree *t, const tree_node *n, span found[ATTRIBUTES_MOST]);

#endif
