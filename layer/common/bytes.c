/* Out of memory only marks the bytes as failed. */
#include "layer/common/bytes.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_CAPACITY = 256 };

static bool make_room(byte_buffer *b, size_t more) {
  size_t cap = b->cap ? b->cap : SIZE_MAX / 2;
  if (b->failed || b->length > cap || more > cap - b->length) {
    b->failed = true;
    return false;
  }
  size_t needed = b->length + more;
  if (needed <= b->capacity) return true;
  size_t capacity = b->capacity ? b->capacity : FIRST_CAPACITY;
  while (capacity < needed) capacity *= 2;
  unsigned char *data = realloc(b->data, capacity);
  if (data == NULL) {
    b->failed = true;
    return false;
  }
  b->data = data;
  b->capacity = capacity;
  return true;
}

void bytes_put(byte_buffer *b, const void *from, size_t length) {
  if (!make_room(b, length)) return;
  if (length) memcpy(b->data + b->length, from, length);
  b->length += length;
}

void bytes_u32(byte_buffer *b, uint32_t value) {
  unsigned char four[4];
  wire_store_u32(four, value);
  bytes_put(b, four, sizeof four);
}

void bytes_u64(byte_buffer *b, uint64_t value) {
  bytes_u32(b, (uint32_t)value);
  bytes_u32(b, (uint32_t)(value >> 32));
}

void bytes_counted(byte_buffer *b, const void *from, size_t length) {
  if (length > UINT32_MAX) {
    b->failed = true;
    return;
  }
  bytes_u32(b, (uint32_t)length);
  bytes_put(b, from, length);
}

void bytes_string(byte_buffer *b, const char *s) { bytes_counted(b, s != NULL ? s : "", s != NULL ? strlen(s) : 0); }

void bytes_clear(byte_buffer *b) {
  b->length = 0;
  b->failed = false;
}

void bytes_free(byte_buffer *b) {
  free(b->data);
  *b = (byte_buffer){0};
}

char *read_string(wire_reader *r) {
  const uint32_t length = wire_u32(r);
  const unsigned char *bytes = wire_bytes(r, length);
  char *s = bytes != NULL ? malloc((size_t)length + 1) : NULL;
  if (s == NULL) {
    r->failed = true;
    return NULL;
  }
  memcpy(s, bytes, length);
  s[length] = '\0';
  return s;
}
