/* What the user says of buffers: how many elements they have, and what they hold. */
#ifndef CLTC_VERIFY_SAID_H
#define CLTC_VERIFY_SAID_H

#include "proofs/verify/proof.h"

/* Buffers of which the launch's expressions speak are among its buffers from now on: with some number of elements, which accesses
 * are held against, or with what is known of their contents. `distinct(x)` and `ascending(x)` are no expressions any more. */
void said_take(const kernel *k, launch *l);
/* The buffer of whose elements an expression speaks; NULL: it speaks of none. */
const char *said_buffer(const kernel *k, const char *text);
/* Adds, as facts, what expressions with `x[i]` say of a value that was read from x. */
void said_of_value(proof *p, const object *o, formula wide);

#endif
