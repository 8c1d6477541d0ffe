/* Assignments that can be done in two steps, with a barrier between them: the value is computed, then stored. */
#ifndef CLTC_REPAIR_SPLIT_H
#define CLTC_REPAIR_SPLIT_H

#include "frontend/tree.h"

/* The assignment that a statement is, where it can be split: of numbers or vectors, written in the main source, to an
 * object that is named without side effects. NULL: it cannot. */
const tree_node *split_assignment(const pp_result *text, const tree_node *of);
/* Whether naming an object once more, or later, makes no difference. */
bool split_is_pure(const tree_node *object);
/* A name that the source has nowhere, which begins as is wanted; free() it. */
char *split_name(const pp_result *text, const char *wanted);

#endif
