/* Out of memory only marks the bytes as failed. */
#include "layer/common/bytes.h"

#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL /* a guest links libc only */
#include <xxhash.h>

#include "wire/protocol.h"

/* ---- bytes in the memory of the host ---- */

area area_of_bytes(const void *first, size_t size) {
  return (area){.first = first, .row = size, .rows = 1, .slices = 1, .pitch = size, .slice_pitch = size};
}

area area_of_rectangle(const size_t *origin, const size_t *region, size_t row, size_t slice, const void *pointer) {
  area a = {.row = region[0], .rows = region[1], .slices = region[2]};
  a.pitch = row ? row : a.row;
  a.slice_pitch = slice ? slice : a.pitch * a.rows;
  a.first = (const unsigned char *)pointer + origin[2] * a.slice_pitch + origin[1] * a.pitch + origin[0];
  return a;
}

size_t area_size(const area *a) { return a->row * a->rows * a->slices; }

const unsigned char *area_bytes(const area *a, unsigned char **owned) {
  size_t size = area_size(a);
  *owned = NULL;
  if ((a->rows <= 1 || a->pitch == a->row) && (a->slices <= 1 || a->slice_pitch == a->rows * a->row)) return a->first;
  unsigned char *to = *owned = malloc(size ? size : 1);
  for (size_t s = 0; to != NULL && s < a->slices; s++) {
    for (size_t r = 0; r < a->rows; r++) {
      memcpy(to, a->first + s * a->slice_pitch + r * a->pitch, a->row);
      to += a->row;
    }
  }
  return *owned;
}

bytes_digest digest_of(const void *bytes, size_t size) {
  XXH128_hash_t hash = XXH3_128bits(bytes, size);
  return (bytes_digest){hash.low64, hash.high64};
}

uint64_t digest_short(const void *bytes, size_t size) { return XXH3_64bits(bytes, size); }

/* ---- bytes that grow ---- */

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

/* ---- messages, whose header is 8 bytes: type and length of the fields ---- */

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

void message_put(message *m, const message_field *f) {
  for (; f->kind != PUT_END; f++)
    if (f->kind == PUT_U32)
      message_u32(m, (uint32_t)f->number);
    else if (f->kind == PUT_U64)
      message_u64(m, f->number);
    else if (f->number == UINT64_MAX)
      message_string(m, f->bytes);
    else
      message_bytes(m, f->bytes, f->number);
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
