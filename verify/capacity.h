/* How large the buffers of other launches have to be, so that accesses stay inside. */
#ifndef CLTC_VERIFY_CAPACITY_H
#define CLTC_VERIFY_CAPACITY_H

#include "verify/trial.h"

/* Of a kernel that is proved for launches: what of these premises (the preconditions of the rest) and of the sizes of their
 * buffers shows that no access leaves its buffer, in any launch for which it holds. A list of expressions, to be added to the
 * premises, owned by the caller; NULL: none were found. */
json_t *capacity_needed(trial *t, const launch *launches, size_t count, const json_t *premises);

#endif
