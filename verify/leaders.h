/* What one work-item does for its whole group. Private to this room. */
#ifndef CLTC_VERIFY_LEADERS_H
#define CLTC_VERIFY_LEADERS_H

#include "verify/proof.h"

/* Whether the condition holds for the first work-item of a group alone, and says nothing else of the work-item. */
bool leader_only(const proof *p, unsigned thread, formula when);
/* The formula as it is for the first work-item of the group. NULL: it depends on what only the work-item itself knows. */
formula leader_sees(const proof *p, unsigned thread, formula f);
/* The same in a proof about two groups, where it may also depend on what is read from the group's local memory: what the first
 * work-item reads there. */
formula leader_reads(const proof *p, unsigned thread, formula f);

#endif
