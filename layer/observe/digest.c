/* Digests of what the host read: XXH3, from its header alone. */
#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "layer/observe/layer.h"

static size_t at_most(size_t a, size_t b) { return a < b ? a : b; }

static bool contiguous(const area *a) {
  return (a->rows <= 1 || a->pitch == a->row) && (a->slices <= 1 || a->slice_pitch == a->rows * a->row);
}

/* The bytes one behind the other; `*owned` is to be freed. NULL without memory. */
static const unsigned char *gather(const area *a, size_t size, unsigned char **owned) {
  *owned = NULL;
  if (contiguous(a))
    return a->first;
  unsigned char *to = *owned = malloc(size ? size : 1);
  for (size_t s = 0; to && s < a->slices; s++)
    for (size_t r = 0; r < a->rows; r++) {
      memcpy(to, a->first + s * a->slice_pitch + r * a->pitch, a->row);
      to += a->row;
    }
  return *owned;
}

static void put_blocks(message *m, const unsigned char *bytes, size_t size) {
  size_t block = read_block(size), count = observe.blocks ? size / block + (size % block != 0) : 0;
  message_u32(m, (uint32_t)count);
  for (size_t i = 0; i < count; i++)
    message_u32(m, (uint32_t)XXH3_64bits(bytes + i * block, at_most(size - i * block, block)));
}

bool digest_put(message *m, const area *a, read_digest *d) {
  size_t size = a->row * a->rows * a->slices;
  unsigned char *owned;
  const unsigned char *bytes = gather(a, size, &owned);
  if (!bytes)
    return false;
  XXH128_hash_t hash = XXH3_128bits(bytes, size);
  *d = (read_digest){hash.low64, hash.high64};
  message_u64(m, size);
  message_u64(m, d->low);
  message_u64(m, d->high);
  put_blocks(m, bytes, size);
  free(owned);
  return true;
}
