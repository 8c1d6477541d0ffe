/* What a work-item wrote itself since the last barrier. Private to this room. */
#ifndef CLTC_VERIFY_STORES_H
#define CLTC_VERIFY_STORES_H

#include "verify/proof.h"

/* Notes what both work-items write. false: it cannot be noted; what is in the memory is then not known any more. */
bool stores_note(proof *p, const instruction *i, const state *s);
/* What is read at `at` (bytes in the memory) where otherwise `found` would be; `both`: what the other work-item wrote counts,
 * too. `whole`: the address is a multiple of the number's size. */
formula stores_read(proof *p, uint32_t memory, unsigned thread, bool both, formula at, bool whole, formula found);
/* What was read is there until somebody writes: as if the work-item had written it. */
void stores_note_read(proof *p, uint32_t memory, unsigned thread, formula when, formula at, formula number);
/* What is at `at` before atomic functions count there, as far as it is known. */
formula stores_start(proof *p, uint32_t memory, unsigned thread, formula at, unsigned bits);
/* Atomic functions count in this memory: what is read there is not known any more. */
void stores_count(proof *p, uint32_t memory);
/* A barrier comes: what was written before the last one may be overwritten by others now. */
void stores_barrier(proof *p);
/* Nothing is known any more of this memory; NONE: of all. */
void stores_forget(proof *p, uint32_t memory);
/* Nor of memory that others see. */
void stores_forget_shared(proof *p);

#endif
