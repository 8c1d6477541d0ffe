/* Are the work-items of a launch disjoint: does none of them read or write what another one writes? Then the order of
 * work-items and work-groups shows in nothing, and a second run of the launch tells nothing new.
 *
 * This is shown for the real sizes and arguments of a launch, or it does not hold: each buffer that the kernel writes is
 * used at one index alone, a sum of global ids and of numbers that are the same for all work-items, in which no two
 * work-items come to the same number; the index may also have a part that changes as long as that part is a multiple of
 * a number that the rest stays below, as in row * width + column. */
#ifndef CLTC_FRONTEND_FACTS_DISJOINT_H
#define CLTC_FRONTEND_FACTS_DISJOINT_H

#include "frontend/facts/linear.h"
#include "frontend/tree_graph.h"

/* `kernel`: its definition in the tree; `graph`: what it calls and whether it reaches a barrier, NULL: not known, so
 * false. What a true answer rests on is added to `used`: the tokens of indices, initial values and conditions. */
bool launch_is_disjoint(const tree *t, const tree_node *kernel, const tree_graph_function *graph, const facts_launch *l,
                        span_list *used);

#endif
