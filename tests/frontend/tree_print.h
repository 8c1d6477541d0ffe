/* Writing trees as OpenCL C without macros: what was read is right if a compiler takes it for the same program. */
#ifndef CLTC_TESTS_TREE_PRINT_H
#define CLTC_TESTS_TREE_PRINT_H

#include "base/buffer.h"
#include "frontend/tree.h"

/* With `conversions` implicit ones are written as casts. */
void tree_print(const tree *t, bool conversions, buffer *out);
void tree_print_node(const tree *t, const tree_node *n, bool conversions, buffer *out);
/* tree_print_expression.c */
void tree_print_expression(const tree *t, const tree_node *n, bool conversions, buffer *out);
/* Tokens as they are, on one line. */
void tree_print_tokens(const tree *t, span tokens, buffer *out);

#endif
