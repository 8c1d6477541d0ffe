/* What a work-item wrote itself since the last barrier. Private to this room. */
#ifndef CLTC_VERIFY_STORES_H
#define CLTC_VERIFY_STORES_H

#include "proofs/verify/proof.h"

/* Notes what both work-items write. false: it cannot be noted; what is in the memory is then not known any more. */
bool stores_note(proof *p, const instruction *i, const state *s);
/* What is read at `at` (bytes in the memory) where otherwise `found` would be; `both`: what the other work-item wrote counts,
 * too. `whole`: the address is a multiple of the number's size. */
formula stores_read(proof *p, uint32_t memory, unsigned thread, bool both, formula at, bool whole, formula found);
/* Nothing is known any more of this memory; NONE: of all. */
void stores_forget(proof *p, uint32_t memory);
/* Nor of memory that others see. */
void stores_forget_shared(proof *p);

#endif
