/* Little-endian fields. */
#include "wire/fields.h"

#include <string.h>

#include "base/memory.h"

char *wire_string(wire_reader *r, size_t *length) {
  const size_t n = wire_u32(r);
  const unsigned char *bytes = wire_bytes(r, n);
  if (length != NULL) *length = bytes != NULL ? n : 0;
  return mem_strndup(bytes != NULL ? (const char *)bytes : "", bytes != NULL ? n : 0);
}

void wire_put_u32(buffer *b, uint32_t value) {
  unsigned char bytes[4];
  wire_store_u32(bytes, value);
  buffer_append(b, bytes, sizeof bytes);
}

void wire_put_u64(buffer *b, uint64_t value) {
  wire_put_u32(b, (uint32_t)value);
  wire_put_u32(b, (uint32_t)(value >> 32));
}

void wire_put_string(buffer *b, const char *text, size_t length) {
  wire_put_u32(b, (uint32_t)length);
  buffer_append(b, text, length);
}

void wire_begin(buffer *b, uint32_t type) {
  wire_put_u32(b, type);
  wire_put_u32(b, 0);
}

void wire_end(buffer *b) { wire_store_u32((unsigned char *)b->data + 4, (uint32_t)(b->length - 8)); }
