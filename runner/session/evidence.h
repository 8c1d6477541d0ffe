/* From a kernel's flags buffer to rows of evidence and findings. */
#ifndef CLTC_RUNNER_SESSION_EVIDENCE_H
#define CLTC_RUNNER_SESSION_EVIDENCE_H

#include "runner/session/session.h"
#include "wire/fields.h"

/* Takes the payload of MESSAGE_EVIDENCE. */
int session_evidence(session *s, session_client *c, wire_reader *in, error *e);

#endif
