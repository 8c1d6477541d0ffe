/* What a launch touches of the memory that it is given: which bytes at most, and which for certain. */
#ifndef CLTC_FRONTEND_FACTS_FOOTPRINT_H
#define CLTC_FRONTEND_FACTS_FOOTPRINT_H

#include "frontend/facts/launch.h"
#include "frontend/facts/linear.h"
#include "frontend/tree.h"
#include "frontend/tree_graph.h"

typedef enum touch_kind { TOUCH_READ, TOUCH_WRITE, TOUCH_ATOMIC, TOUCH_KINDS } touch_kind;

/* What is done through one parameter in one of these ways. Bytes count from where the parameter points to. */
typedef struct touch {
  bool may;     /* it may happen at all */
  bool bounded; /* only from byte `low` to before byte `high` */
  int64_t low, high;
  bool sure;                   /* at least one byte of these is touched in every run; not bounded: one of the memory */
  int64_t sure_low, sure_high; /* all bytes from the one to before the other are; empty: it is not known which */
  uint32_t token;              /* where it happens; PP_NONE: not known */
} touch;

typedef struct parameter_touches {
  touch by[TOUCH_KINDS];
} parameter_touches;

/* One a parameter of `kernel` (its definition), to be freed. The launch ends, and no work-item leaves the memory that
 * it is given. What goes where accesses.h does not follow may be read and, where the type lets it, written anywhere. */
parameter_touches *read_footprint(const tree_node *kernel, const facts_launch *l);

/* Are the work-items of a launch disjoint: does none of them read or write what another one writes? Then the order of
 * work-items and work-groups shows in nothing, and a second run of the launch tells nothing new.
 *
 * This is shown for the real sizes and arguments of a launch, or it does not hold: each buffer that the kernel writes is
 * used at one index alone, a sum of global ids and of numbers that are the same for all work-items, in which no two
 * work-items come to the same number; the index may also have a part that changes as long as that part is a multiple of
 * a number that the rest stays below, as in row * width + column. */

/* `kernel`: its definition in the tree; `graph`: what it calls and whether it reaches a barrier, NULL: not known, so
 * false. What a true answer rests on is added to `used`: the tokens of indices, initial values and conditions. */
bool launch_is_disjoint(const tree *t, const tree_node *kernel, const tree_graph_function *graph, const facts_launch *l,
                        span_list *used);

#endif
