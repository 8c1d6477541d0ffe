/* What kernels with bounds have seen (record.h), as findings of a session. */
#ifndef CLTC_DETECTORS_MEMORY_DECODER_H
#define CLTC_DETECTORS_MEMORY_DECODER_H

#include "runner/session/session.h"

/* Accesses of this kernel in this line (0: any) to what the host has mapped are known by their commands. */
void session_leave_mapped(session *s, const char *kernel, const char *parameter, uint32_t line);
/* Whether a kernel did something wrong with memory in this test case, or may have, in FORM_BOUNDS, which does not say what. */
bool session_has_wrong(const session *s);
/* The same, or whether a pointer led to memory of which nothing is known: where is not said either. */
bool session_has_untold(const session *s);
/* Writes the errors of kernels with bounds that were seen as findings; when a program has ended. */
int session_end_memory(session *s, error *e);
/* What `again` (NULL: there was none) has not told of what is wrong is written as findings of its own. `why`: what became of it;
 * "": it ended as usual. `*untold`: some could not be, as only other rules are wanted. */
int session_end_wrong(session *s, const session *again, const char *why, bool *untold, error *e);

#endif
