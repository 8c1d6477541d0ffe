/* What an integer may be: low, low + step, …, high. The arithmetic of OpenCL's integer types on such ranges. */
#ifndef CLTC_FRONTEND_FACTS_RANGE_H
#define CLTC_FRONTEND_FACTS_RANGE_H

#include "frontend/tree.h"

/* These two stand for numbers that may be larger, too. */
#define RANGE_LEAST INT64_MIN
#define RANGE_MOST INT64_MAX

typedef struct range {
  int64_t low, high;
  uint64_t step; /* 0: it is one number */
} range;

range range_between(int64_t low, int64_t high);
range range_number(int64_t value);
/* All that a type holds; of what is no integer: all. */
range range_of_type(const tree_type *t);
bool range_is_number(const range *r);
/* Whether it has no end on some side. */
bool range_is_endless(const range *r);
/* The same where the type holds it, else all that the type holds. */
range range_as(range r, const tree_type *t);
/* Whether converting it to the type changes no number of it. */
bool range_keeps(const range *r, const tree_type *t);
bool range_equal(const range *a, const range *b);
/* What either may be. */
range range_join(range a, range b);
/* Numbers at which a range may end. */
typedef struct range_ends {
  int64_t items[32];
  uint32_t count;
} range_ends;

/* `after` has in it what `before` has; where it has more on a side, that side goes to the next of `ends`, else to the
 * type's. */
range range_widen(range before, range after, const tree_type *t, const range_ends *ends);
/* What of it lies from `low` to `high`; false: nothing. */
bool range_meet(range *r, int64_t low, int64_t high);
/* `op` of two operands that have the type `t`, as is the result, but for comparisons. */
range range_compute(tree_operator op, range a, range b, const tree_type *t);

#endif
