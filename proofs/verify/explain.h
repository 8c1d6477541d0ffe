/* What a proof rests on, in words: invariants of loops in C syntax, barriers that are needed, whether the result is one. */
#ifndef CLTC_VERIFY_EXPLAIN_H
#define CLTC_VERIFY_EXPLAIN_H

#include <jansson.h>

#include "proofs/verify/trial.h"

/* Adds the candidates that are used, as {"file", "line", "text"}, each text of a place once. */
void explain_invariants(proof *p, const bool *used, json_t *list);
/* Which barriers can be left out one at a time, as {"file", "line", "column", "needed"}: of a kernel that is proved for the
 * launches. Owned by the caller. */
json_t *explain_barriers(const trial *t, const launch *launches, size_t count);
/* Whether all executions of a proved kernel give one result: no atomic whose order can show. */
bool explain_one_result(const kernel *k);

#endif
