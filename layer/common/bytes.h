/* Bytes: in the host's memory and their digests; numbers and strings as bytes, little-endian: what guests send and what
 * they write to files. */
#ifndef CLTC_LAYER_COMMON_BYTES_H
#define CLTC_LAYER_COMMON_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "wire/reader.h"

/* Bytes in the host's memory, in rows that may be apart. */
typedef struct area {
  const unsigned char *first;
  size_t row, rows, slices; /* bytes in a row, rows in a slice, slices */
  size_t pitch, slice_pitch;
} area;

typedef struct bytes_digest {
  uint64_t low, high;
} bytes_digest;

area area_of_bytes(const void *first, size_t size);
/* As the calls for rectangles say it; pitches of 0 are the least ones. */
area area_of_rectangle(const size_t *origin, const size_t *region, size_t row, size_t slice, const void *pointer);
size_t area_size(const area *a);
/* The rows one after the other; `*owned` is to be freed. NULL without memory. */
const unsigned char *area_bytes(const area *a, unsigned char **owned);
/* XXH3 of these bytes, with 128 and with 64 bits. */
bytes_digest digest_of(const void *bytes, size_t size);
uint64_t digest_short(const void *bytes, size_t size);

/* Bytes that grow. `{.cap = …}` is empty. */
typedef struct byte_buffer {
  unsigned char *data;
  size_t length;
  size_t capacity;
  size_t cap;  /* more are never taken; 0: SIZE_MAX */
  bool failed; /* out of memory or beyond the cap: what was added since is missing */
} byte_buffer;

void bytes_put(byte_buffer *b, const void *from, size_t length);
void bytes_u32(byte_buffer *b, uint32_t value);
void bytes_u64(byte_buffer *b, uint64_t value);
/* u32 length, then so many bytes. */
void bytes_counted(byte_buffer *b, const void *from, size_t length);
/* The same of a string's characters; NULL is "". */
void bytes_string(byte_buffer *b, const char *s);
/* Empty again, with its memory and its cap. */
void bytes_clear(byte_buffer *b);
void bytes_free(byte_buffer *b);

/* The next counted bytes of a reader as a string, owned by the caller; NULL once the reader has failed. */
char *read_string(wire_reader *r);

/* Messages to cltestcheck (wire/protocol.h): a header, then fields one after the other. One that has failed is not
 * sent. */
typedef byte_buffer message;
void message_start(message *m, uint32_t type);
void message_u32(message *m, uint32_t value);
void message_u64(message *m, uint64_t value);
void message_bytes(message *m, const void *from, size_t length); /* u32 length + bytes */
void message_string(message *m, const char *s);
/* Several fields at once: MESSAGE_PUT(m, U32(a), TEXT(b), …). */
typedef struct message_field {
  enum { PUT_END, PUT_U32, PUT_U64, PUT_BYTES } kind;
  uint64_t number; /* of bytes: how many */
  const void *bytes;
} message_field;

static inline message_field U32(uint32_t value) { return (message_field){PUT_U32, value, NULL}; }
static inline message_field U64(uint64_t value) { return (message_field){PUT_U64, value, NULL}; }
static inline message_field COUNTED(const void *from, size_t length) {
  return (message_field){PUT_BYTES, length, from};
}
/* NULL is "". */
static inline message_field TEXT(const char *s) { return (message_field){PUT_BYTES, UINT64_MAX, s}; }
#define FIELDS(...) ((const message_field[]){__VA_ARGS__, {PUT_END, 0, NULL}})
#define MESSAGE_PUT(m, ...) message_put(m, FIELDS(__VA_ARGS__))

/* Up to one of PUT_END. */
void message_put(message *m, const message_field *fields);
void message_words(message *m, const uint32_t *words, size_t count);
/* The whole of another message after it; `m` may be all zero. */
void message_append(message *m, const message *other);
void message_free(message *m);

#endif
