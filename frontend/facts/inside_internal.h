/* The parts of inside.c: what variables may hold at a place, and expressions. */
#ifndef CLTC_FRONTEND_FACTS_INSIDE_INTERNAL_H
#define CLTC_FRONTEND_FACTS_INSIDE_INTERNAL_H

#include "frontend/facts/launch.h"

/* --- ranges ------------------------------------------------------------------------------------------------------- */

/* What an integer may be: low, low + step, …, high. The arithmetic of OpenCL's integer types on such ranges. */

/* These two stand for numbers that may be larger, too. */
#define RANGE_LEAST INT64_MIN
#define RANGE_MOST INT64_MAX

typedef struct range {
  int64_t low, high;
  uint64_t step; /* 0: it is one number */
} range;

range range_between(int64_t low, int64_t high);
range range_number(int64_t n);
/* All that a type holds; of what is no integer: all. */
range range_of_type(const tree_type *t);
bool range_is_number(const range *r);
/* Whether it has no end on some side. */
bool range_is_endless(const range *r);
/* The same where the type holds it, else all that the type holds. */
range range_as(range r, const tree_type *t);
/* Whether converting it to the type changes no number of it. */
bool range_keeps(const range *r, const tree_type *t);
/* Numbers at which a range may end. */
typedef struct range_ends {
  int64_t items[32];
  uint32_t count;
} range_ends;

/* What of it lies from `low` to `high`; false: nothing. */
bool range_meet(range *r, int64_t low, int64_t high);
/* `op` of two operands that have the type `t`, as is the result, but for comparisons. */
range range_compute(c_operator op, range a, range b, const tree_type *t);

/* --- the walk ----------------------------------------------------------------------------------------------------- */

static inline bool is_pointer(const tree_type *t) { return t != NULL && t->kind == TREE_TYPE_POINTER; }
static inline bool is_scalar(const tree_type *t) {
  return t != NULL && (t->kind == TREE_TYPE_INTEGER || t->kind == TREE_TYPE_BOOL || t->kind == TREE_TYPE_ENUM);
}

enum { INSIDE_VARIABLES = 96, INSIDE_OBJECTS = 128, INSIDE_ORDERS = 8 };
#define NO_OBJECT UINT32_MAX /* a number */

#define NO_VARIABLE UINT32_MAX

/* A number, or a pointer: bytes from the first of its object on. */
typedef struct value {
  uint32_t object;
  range r;
} value;

/* The variable `high` is at least `gap` more than `low`. */
typedef struct order {
  uint32_t high, low;
  int64_t gap;
} order;

/* What the variables hold when a work-item comes to a place. */
typedef struct state {
  bool reachable;
  uint32_t count; /* of those that come later nothing is known */
  value values[INSIDE_VARIABLES];
  order orders[INSIDE_ORDERS];
  uint32_t order_count;
} state;

typedef struct object {
  const tree_symbol *symbol;
  uint64_t bytes;
  bool no_read, no_write;
} object;

typedef struct walker {
  const facts_launch *launch;
  const tree_symbol *variables[INSIDE_VARIABLES];
  uint32_t variable_count;
  object objects[INSIDE_OBJECTS];
  uint32_t object_count;
  state now;
  unsigned quiet;  /* > 0: a turn of a loop is tried, accesses do not count */
  unsigned depth;  /* of calls */
  uint64_t visits; /* of nodes */
  bool failed;
  range_ends ends;                             /* what variables were compared with */
  state *breaks, *continues, *returns, *cases; /* where jumps lead to; NULL: there is no such place */
  value returned;
} walker;

/* inside_values.c */
/* The number of a private integer or pointer whose values are followed; NO_VARIABLE: it is none. */
uint32_t inside_variable_of(walker *w, const tree_symbol *s);
/* All that a value of the type may be. */
value inside_anything(const tree_type *t);
value inside_either(value a, value b);
value inside_get(const walker *w, const state *s, uint32_t variable);
void inside_set(walker *w, state *s, uint32_t variable, value v);
void inside_join(const walker *w, state *into, const state *from);
/* Whether `a` says nothing that `b` does not allow. */
bool inside_within(const walker *w, const state *a, const state *b);
/* `ends`: where ranges may end. */
state inside_widen(const walker *w, const state *before, const state *after, const range_ends *ends);
void inside_order(state *s, uint32_t high, uint32_t low, int64_t gap);

/* inside_values.c: all in the state w->now. */
value inside_expression(walker *w, const tree_node *n);
/* The states in which a condition is true and false; NULL: it is always true. w->now is used up. */
void inside_decide(walker *w, const tree_node *n, state *yes, state *no);
/* A variable is declared. */
void inside_declare(walker *w, const tree_node *variable);
/* A private integer or pointer that the node is the value of, and nothing else; NO_VARIABLE: it is another one. */
uint32_t inside_variable(walker *w, const tree_node *n);

/* inside.c */

/* inside.c */
value inside_call(walker *w, const tree_node *n);
/* An access of `bytes` at a place. */
void inside_touch(walker *w, value at, uint64_t bytes, bool reads, bool writes);

#endif
