/* Little-endian fields. */
#include "wire/fields.h"

#include <string.h>

#include "base/memory.h"

static uint64_t read_bytes(wire_reader *r, size_t count) {
  if (r->left < count) {
    r->failed = true;
    r->left = 0;
    return 0;
  }
  uint64_t value = 0;
  for (size_t i = 0; i < count; i++) {
    value |= (uint64_t)r->at[i] << (8 * i);
  }
  r->at += count;
  r->left -= count;
  return value;
}

uint32_t wire_u32(wire_reader *r) { return (uint32_t)read_bytes(r, 4); }

uint64_t wire_u64(wire_reader *r) { return read_bytes(r, 8); }

char *wire_string(wire_reader *r, size_t *length) {
  size_t n = wire_u32(r);
  if (n > r->left) {
    r->failed = true;
    n = 0;
  }
  char *text = mem_strndup((const char *)r->at, n);
  r->at += n;
  r->left -= n;
  if (length != NULL) {
    *length = n;
  }
  return text;
}

void wire_put_u32(buffer *b, uint32_t value) {
  unsigned char bytes[4];
  for (int i = 0; i < 4; i++) {
    bytes[i] = (unsigned char)(value >> (8 * i));
  }
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

void wire_end(buffer *b) {
  uint32_t length = (uint32_t)(b->length - 8);
  for (int i = 0; i < 4; i++) {
    b->data[4 + i] = (char)(unsigned char)(length >> (8 * i));
  }
}
