/* Signed arithmetic that a proof takes not to overflow, and that may. */
#ifndef CLTC_VERIFY_OVERFLOW_H
#define CLTC_VERIFY_OVERFLOW_H

#include "proofs/verify/query.h"

enum { PLACES_MOST = 4 };

/* What is taken to hold, with places in the source: the kind of a premise (premise.h), and a sentence. */
typedef struct places {
  struct {
    const char *kind, *text;
  } items[PLACES_MOST];
  size_t count;
  mem_arena *memory;
} places;

void places_add(places *to, const char *kind, const char *text);
/* Whether something overflows in the model, signed or not; `divides`: whether something is divided by 0. */
bool overflows_in(const proof *p, Z3_model m, bool divides);
/* Finds arithmetic that may overflow, or divide by 0: of all, if a proof rests on it (`relied`); else of what the launch alone
 * decides. */
void overflows_find(const proof *p, effort *f, bool relied, bool divides, places *out);

#endif
