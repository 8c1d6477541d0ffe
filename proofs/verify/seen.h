/* A kernel in the launches that were seen: what they have in common proves those that are like the first, others are proved
 * one by one. */
#ifndef CLTC_VERIFY_SEEN_H
#define CLTC_VERIFY_SEEN_H

#include "proofs/verify/trial.h"

/* Ends with the first launch that goes wrong. `*preconditions`: what the verdict rests on, owned by the caller. Gives how many
 * launches are proved. */
size_t seen_prove(trial *t, const kernel_request *asked, json_t **preconditions);

#endif
