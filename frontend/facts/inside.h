/* Do all accesses of a launch stay inside of the memory that they are meant for? Then they need no checks.
 *
 * The kernel is gone through as it is written, with ranges in place of its private integers (range.h), for the sizes and
 * arguments of the launch. What is read from memory may be anything. Either each access is shown to lie in the object that
 * its pointer was made from, or the answer is no. */
#ifndef CLTC_FRONTEND_FACTS_INSIDE_H
#define CLTC_FRONTEND_FACTS_INSIDE_H

#include "frontend/facts/launch.h"
#include "frontend/tree.h"

/* `kernel`: its definition in the tree. Arguments have their bytes (facts_argument). */
bool launch_stays_inside(const tree_node *kernel, const facts_launch *l);

#endif
