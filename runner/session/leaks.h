/* Objects that programs have left alive (MESSAGE_ALIVE). */
#ifndef CLTC_RUNNER_SESSION_LEAKS_H
#define CLTC_RUNNER_SESSION_LEAKS_H

#include "runner/session/session.h"
#include "wire/reader.h"

/* Takes MESSAGE_ALIVE and MESSAGE_RELEASED. */
int session_alive(session *s, session_client *c, wire_reader *in, error *e);
int session_released(session *s, session_client *c, wire_reader *in, error *e);
/* The process is gone. */
void leaks_client_gone(session *s, session_client *c);
void leaks_free(struct left_alive *l); /* NULL is fine */

#endif
