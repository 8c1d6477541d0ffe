/* Loops in which a work-item waits for others: a proof says nothing on whether they end. */
#ifndef CLTC_VERIFY_WAITS_H
#define CLTC_VERIFY_WAITS_H

#include "verify/proof.h"

/* Whether a work-item leaves the loop only when another has written to memory; `*local`: to memory of its group. */
bool waits_for_others(proof *p, uint32_t loop_number, bool *local);
/* Whether such a loop may come before the block. */
bool waits_before(proof *p, uint32_t number);

#endif
