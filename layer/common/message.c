/* The header is 8 bytes: type and length of the fields. */
#include "layer/common/message.h"

#include "wire/protocol.h"

#define HEADER_BYTES 8u

/* The header's length is that of all fields so far. */
static void count_fields(message *m) {
  if (!m->failed) wire_store_u32(m->data + 4, (uint32_t)(m->length - HEADER_BYTES));
}

void message_start(message *m, uint32_t type) {
  *m = (message){.cap = PROTOCOL_MESSAGE_CAP};
  bytes_u32(m, type);
  bytes_u32(m, 0);
}

void message_u32(message *m, uint32_t value) {
  bytes_u32(m, value);
  count_fields(m);
}

void message_u64(message *m, uint64_t value) {
  bytes_u64(m, value);
  count_fields(m);
}

void message_bytes(message *m, const void *from, size_t length) {
  bytes_counted(m, from, length);
  count_fields(m);
}

void message_string(message *m, const char *s) {
  bytes_string(m, s);
  count_fields(m);
}

void message_words(message *m, const uint32_t *words, size_t count) {
  for (size_t i = 0; i < count; i++) message_u32(m, words[i]);
}

void message_append(message *m, const message *other) {
  m->cap = PROTOCOL_MESSAGE_CAP;
  m->failed = m->failed || other->failed;
  if (!m->failed) bytes_put(m, other->data, other->length);
}

void message_free(message *m) { bytes_free(m); }
