/* The socket to cltestcheck, and what is said on it. */
#ifndef CLTC_LAYER_OBSERVE_CONNECTION_H
#define CLTC_LAYER_OBSERVE_CONNECTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "layer/common/bytes.h"

/* Opens the connection (in a forked child: a fresh one) and says hello. False: the layer is inert. */
bool connection_ready(void);
/* Whether it stands, without waiting for another thread's exchange. */
bool connection_alive(void);
/* Sends the message and frees it. */
void connection_send(message *m);
/* Sends a message of these fields: TELL(MESSAGE_…, U32(a), TEXT(b), …). */
#define TELL(type, ...) connection_tell(type, FIELDS(__VA_ARGS__))
void connection_tell(uint32_t type, const message_field *fields);
/* Sends the message, frees it and waits for the answer; its body is in `*body` (free it). */
bool connection_ask(message *m, uint32_t answer_type, unsigned char **body, size_t *length);
void connection_after_fork(void);
void note(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Something of the program of this number ran as the user wrote it. */
void note_uninstrumented(uint32_t number, const char *format, ...) __attribute__((format(printf, 2, 3)));
void skipped(const char *what, const char *reason);

/* Number of the test case that has begun, 0: none. */
uint32_t test_case_now(void);
/* A test case that the process which started this one has named is begun. */
void test_case_start(void);

#endif
