/* Which facts a question needs. Private to this room. */
#ifndef CLTC_VERIFY_RELEVANT_H
#define CLTC_VERIFY_RELEVANT_H

#include "verify/proof.h"

/* By number of the fact: whether what is asked may depend on it. Owned. That nothing satisfies some of the facts shows that nothing
 * satisfies all of them. */
bool *relevant_facts(const proof *p, const formula *asked, size_t count);

#endif
