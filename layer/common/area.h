/* Bytes in the host's memory, in rows that may be apart, and their digests. */
#ifndef CLTC_LAYER_COMMON_AREA_H
#define CLTC_LAYER_COMMON_AREA_H

#include <stddef.h>
#include <stdint.h>

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

#endif
