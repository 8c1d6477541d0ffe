/* XXH3 comes from its header alone: a guest links libc only. */
#include "layer/common/area.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

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

static bool contiguous(const area *a) {
  return (a->rows <= 1 || a->pitch == a->row) && (a->slices <= 1 || a->slice_pitch == a->rows * a->row);
}

const unsigned char *area_bytes(const area *a, unsigned char **owned) {
  size_t size = area_size(a);
  *owned = NULL;
  if (contiguous(a)) return a->first;
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
