/* Locks that kernels make of atomic functions. Private to this room. */
#ifndef CLTC_VERIFY_LOCKS_H
#define CLTC_VERIFY_LOCKS_H

#include "verify/proof.h"

/* Finds the places where a lock is taken: p->locks. */
void locks_find(proof *p);
/* The locks that a work-item holds at the access with this number, to memory of this space, as a new list; NULL: none. */
const held_lock *locks_held(proof *p, uint32_t number, unsigned space, const environment variables);
/* That both work-items hold one lock when they come to the instruction with this number, which cannot be. */
formula locks_both_hold(proof *p, uint32_t number, const environment variables[THREADS]);
/* That two accesses are under one lock: one comes after the other. */
formula locks_exclude(const proof *p, const access *a, const access *b);

#endif
