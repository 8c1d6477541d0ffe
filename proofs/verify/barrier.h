/* What barrier.c has for others. */
#ifndef CLTC_VERIFY_BARRIER_H
#define CLTC_VERIFY_BARRIER_H

#include "proofs/verify/proof.h"

/* Whether a work-item leaves the loop only when another has written to memory; `*local`: to memory of its group. */
bool waits_for_others(proof *p, uint32_t loop_number, bool *local);

#endif
