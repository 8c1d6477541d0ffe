/* One look at a launch, of the several that a trial takes. Private to this room. */
#ifndef CLTC_VERIFY_LOOKS_H
#define CLTC_VERIFY_LOOKS_H

#include "verify/trial.h"

/* Loops are executed so often to find what really happens; those whose end is a constant more often. */
enum { FEW_TURNS = 1, MANY_TURNS = 5, CERTAIN_TURNS = 17 };

/* What one look gave. */
typedef enum looked { SAFE, FOUND, OPEN, REFUSED, TOO_LARGE } looked;

/* Sets what the trial has found; takes the finding. */
void conclude(trial *t, verdict v, const char *reason, json_t *finding);
/* Why nothing is known. */
const char *no_answer(const trial *t);
/* The first iterations. OPEN: nothing certain was found, and there is more than they show. */
looked look_bounded(trial *t, bool same_group, unsigned turns, unsigned most);
/* The same in a launch of few work-items, or the fewest, with so much patience a question. true: something goes wrong for certain. */
bool look_at_small(trial *t, bool same_group, bool smallest, double seconds);
/* Any number of iterations. FOUND: something is possible. `*products`: of products, only what proofs need is used; set to
 * false where there are none. `until`: when asking ends, effort_now(). */
looked look_until(trial *t, bool same_group, bool *products, double until);
/* Whether accesses of a work-item stay inside, in any number of iterations. */
void look_at_ends(trial *t, bool same_group);
/* Nothing else goes wrong, and an access could not be shown to stay inside: does one leave for certain? Or in no iteration, where
 * these are few? */
void look_deeper_at_bounds(trial *t, bool same_group);

#endif
