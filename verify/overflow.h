/* Signed arithmetic that a proof takes not to overflow, and that may. */
#ifndef CLTC_VERIFY_OVERFLOW_H
#define CLTC_VERIFY_OVERFLOW_H

#include "verify/query.h"

enum { PLACES_MOST = 4 };

/* Places in the source; "": it is not known where. */
typedef struct places {
  const char *where[PLACES_MOST];
  size_t count;
  arena *memory;
} places;

void places_add(places *to, const char *where);
/* Whether something overflows in the model, signed or not. */
bool overflows_in(const proof *p, Z3_model m);
/* Finds arithmetic that may overflow: of all, if a proof rests on it (`relied`); else of what the launch alone decides. */
void overflows_find(const proof *p, effort *f, bool relied, places *out);

#endif
