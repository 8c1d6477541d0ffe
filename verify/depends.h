/* Why a counterexample is only possible. */
#ifndef CLTC_VERIFY_DEPENDS_H
#define CLTC_VERIFY_DEPENDS_H

#include <jansson.h>

#include "verify/query.h"

/* What it depends on and the proof does not know: phrases for a person, such as "what `a` holds, which the kernel writes"; at
 * most three, each once. A new list, empty for one that is certain. */
json_t *depends_on(proof *p, const hit *h);

#endif
