/* Which work-items of a launch come to a place of its kernel, as far as comparisons of global ids with known numbers
 * say. */
#ifndef CLTC_FRONTEND_FACTS_BOX_H
#define CLTC_FRONTEND_FACTS_BOX_H

#include "frontend/facts/linear.h"

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
