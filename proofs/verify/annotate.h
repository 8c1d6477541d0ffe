/* What annotate.c has for others. */
#ifndef CLTC_VERIFY_ANNOTATE_H
#define CLTC_VERIFY_ANNOTATE_H

#include "proofs/verify/proof.h"

/* Whether the kernel has such annotations: else nothing of this is noted. */
bool logged_is_asked(const kernel *k);
/* Notes an access of either work-item. */
void logged_note(proof *p, const access *a);
/* What each did before is not spoken of any more where its condition holds, of memory of these flags. */
void logged_clear(proof *p, const formula conditions[THREADS], unsigned flags);
/* What the annotation gives. NULL: it is not understood. */
formula logged_execute(proof *p, unsigned thread, const instruction *i, environment variables);
void logged_free(proof *p);

#endif
