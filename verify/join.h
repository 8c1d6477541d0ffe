/* One of several conditions, without what chose between them. */
#ifndef CLTC_VERIFY_JOIN_H
#define CLTC_VERIFY_JOIN_H

#include "verify/smt.h"

/* That one of them holds; the same as their `or`. */
formula join(const smt *s, const formula *conditions, size_t count);

#endif
