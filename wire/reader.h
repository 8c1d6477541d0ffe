/* Reading the fields of a message or of a file, little-endian and with bounds: for both sides, libc only. */
#ifndef CLTC_WIRE_READER_H
#define CLTC_WIRE_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What is left of the bytes; reads past the end give zeros and set `failed` for good. */
typedef struct wire_reader {
  const unsigned char *at;
  size_t left;
  bool failed;
} wire_reader;

/* The next bytes, lent; NULL: there are not so many. */
static inline const unsigned char *wire_bytes(wire_reader *r, size_t count) {
  if (r->failed || r->left < count) {
    r->failed = true;
    r->left = 0;
    return NULL;
  }
  const unsigned char *bytes = r->at;
  r->at += count;
  r->left -= count;
  return bytes;
}

static inline uint64_t wire_number(wire_reader *r, size_t bytes) {
  const unsigned char *from = wire_bytes(r, bytes);
  uint64_t value = 0;
  for (size_t i = 0; from != NULL && i < bytes; i++) value |= (uint64_t)from[i] << (8 * i);
  return value;
}

static inline uint32_t wire_u32(wire_reader *r) { return (uint32_t)wire_number(r, 4); }
static inline uint64_t wire_u64(wire_reader *r) { return wire_number(r, 8); }

/* Writes a number as wire_u32 reads it. */
static inline void wire_store_u32(unsigned char *to, uint32_t value) {
  for (int i = 0; i < 4; i++) to[i] = (unsigned char)(value >> (8 * i));
}

#endif
