/* Integers of a kernel as sums: known numbers times global ids, a known number, and a part that is not known. */
#ifndef CLTC_FRONTEND_FACTS_LINEAR_H
#define CLTC_FRONTEND_FACTS_LINEAR_H

#include "frontend/facts/launch.h"

/* by[0] * get_global_id(0) + … + plus + (a multiple of `step`). With step 0 nothing else is in it; with 1 the last part
 * may be anything. A dimension of one work-item is part of `plus`. */
typedef struct linear {
  bool known; /* false: the numbers are too large */
  int64_t by[3];
  int64_t plus;
  uint64_t step;
} linear;

/* A kernel and a launch of it. */
typedef struct linear_reader {
  const tree_node *kernel;
  const facts_launch *launch;
  span_list *used; /* what was read: expressions, variables' initial values, conditions */
} linear_reader;

/* What an integer expression comes to. Variables count where nothing but their initial value is ever in them. */
linear linear_of(const linear_reader *r, const tree_node *expression);
/* The number of the parameter among the kernel's; UINT32_MAX: it is not one of them. */
uint32_t parameter_index(const tree_node *kernel, const tree_symbol *symbol);

/* Which work-items of a launch come to a place of its kernel, as far as comparisons of global ids with known numbers
 * say. */

/* Global ids from `low` to `high`, both included; of a dimension that the launch does not have 0 to 0. */
typedef struct box {
  int64_t low[3], high[3];
} box;

box box_of_launch(const facts_launch *l);
/* All work-items that may come to `at` are in it: an `if` around it, or one in front that returns, leaves others out. */
box box_at(const linear_reader *r, const tree_node *at);
/* The same, and whether just these come there, all of them: false where a decision around it or in front of it is not
 * understood, or where another work-item may have left before. */
bool box_reached(const linear_reader *r, const tree_node *at, box *out);
bool box_is_empty(const box *b);
box box_around(const box *a, const box *b);

#endif
