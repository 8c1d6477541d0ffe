/* Messages to cltestcheck (wire/protocol.h): a header, then fields one after the other. */
#ifndef CLTC_LAYER_COMMON_MESSAGE_H
#define CLTC_LAYER_COMMON_MESSAGE_H

#include "layer/common/bytes.h"

/* Header and fields. One that has failed is not sent. */
typedef byte_buffer message;

void message_start(message *m, uint32_t type);
void message_u32(message *m, uint32_t value);
void message_u64(message *m, uint64_t value);
void message_bytes(message *m, const void *from, size_t length); /* u32 length + bytes */
void message_string(message *m, const char *s);
void message_words(message *m, const uint32_t *words, size_t count);
/* The whole of another message after it; `m` may be all zero. */
void message_append(message *m, const message *other);
void message_free(message *m);

#endif
