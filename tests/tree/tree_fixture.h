/* Trees of texts, for tests; and a short way to write an expression down. */
#ifndef CLTC_TESTS_TREE_FIXTURE_H
#define CLTC_TESTS_TREE_FIXTURE_H

#include "frontend/tree.h"

typedef struct tree_fixture {
  pp_result text;
  tree *tree;
} tree_fixture;

/* Fails the test when the text cannot be read. Release with tree_fixture_close. */
tree_fixture tree_fixture_open(const char *source, const char *options);
void tree_fixture_close(tree_fixture *f);

/* The first node of that kind; fails the test if there is none. */
tree_node *first_of(const tree_fixture *f, tree_kind kind);

/* An expression in a notation of its own, to be freed:
 *   x 3 M         a name, a literal, a macro of the compiler
 *   [x]           the value of an object is loaded
 *   {float x}     an implicit conversion to the type, <float x> a cast
 *   (x + y):int   an operation with the type of its result; (x = y), (x += y):int(float) computed in float
 *   -x x++        unary operators
 *   x.a x->a      members; x.{0 1} x->{3} components
 *   x@i  *x  &x   subscript, dereference, address
 *   f(x, y)       calls and what is written like them; float4(x, y) vectors
 *   c ? x : y     in parentheses with the type
 *   #x            parentheses of the user's */
char *notation(const tree_fixture *f, const tree_node *n);

#endif
