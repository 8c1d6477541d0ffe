/* A counterexample as JSON: who does what, where, on which launch, on which way. */
#ifndef CLTC_VERIFY_COUNTEREXAMPLE_H
#define CLTC_VERIFY_COUNTEREXAMPLE_H

#include <jansson.h>

#include "proofs/verify/query.h"

/* The finding of a hit, as the answer has it; owned by the caller. */
json_t *counterexample_finding(proof *p, const hit *h);
/* A place: "file", "line", "column", "inlined". `number` of a value; NONE gives the kernel's. */
json_t *counterexample_place(const proof *p, uint32_t number);
/* As text, "file:line:column". */
const char *counterexample_where(const proof *p, uint32_t number);
/* The access as "a read of x at file:line:column". */
const char *counterexample_access(const proof *p, const access *a);

#endif
