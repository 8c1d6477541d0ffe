/* Reads that programs have not waited for (MESSAGE_UNAWAITED). */
#ifndef CLTC_RUNNER_SESSION_UNAWAITED_H
#define CLTC_RUNNER_SESSION_UNAWAITED_H

#include "runner/session/session.h"
#include "wire/reader.h"

int session_unawaited(session *s, session_client *c, wire_reader *in, error *e);
/* Takes MESSAGE_AWAITED. */
int session_awaited(session *s, session_client *c, wire_reader *in, error *e);
/* The process is gone. */
void unawaited_client_gone(session *s, const session_client *c);
void unawaited_free(session *s);

#endif
