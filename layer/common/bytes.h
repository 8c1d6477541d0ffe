/* Numbers and strings as bytes, little-endian: what guests send and what they write to files. */
#ifndef CLTC_LAYER_COMMON_BYTES_H
#define CLTC_LAYER_COMMON_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

/* Writes a number over what stands at `at`. */
void bytes_set_u32(unsigned char *at, uint32_t value);

/* Reading them, with bounds. */
typedef struct reader {
  const unsigned char *at;
  size_t left;
  bool failed; /* read beyond the end, or out of memory */
} reader;

uint32_t read_u32(reader *r);
uint64_t read_u64(reader *r);
/* Owned by the caller, NUL-terminated; NULL once the reader has failed. */
char *read_string(reader *r);

#endif
