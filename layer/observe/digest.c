/* Digests of what the host read. */
#include "layer/observe/digest.h"

#include <stdint.h>
#include <stdlib.h>

#include "layer/common/area.h"
#include "layer/common/message.h"
#include "layer/observe/observe.h"
#include "wire/protocol.h"

static size_t at_most(size_t a, size_t b) { return a < b ? a : b; }

static void put_blocks(message *m, const unsigned char *bytes, size_t size) {
  size_t block = read_block(size), count = observe.blocks ? size / block + (size % block != 0) : 0;
  message_u32(m, (uint32_t)count);
  for (size_t i = 0; i < count; i++) {
    message_u32(m, (uint32_t)digest_short(bytes + i * block, at_most(size - i * block, block)));
  }
}

bool digest_put(message *m, const area *a, bytes_digest *d) {
  size_t size = area_size(a);
  unsigned char *owned;
  const unsigned char *bytes = area_bytes(a, &owned);
  if (bytes == NULL) {
    return false;
  }
  *d = digest_of(bytes, size);
  message_u64(m, size);
  message_u64(m, d->low);
  message_u64(m, d->high);
  put_blocks(m, bytes, size);
  if (observe.contents) {
    message_bytes(m, bytes, size <= MEMORY_CAP ? size : 0);
  }
  free(owned);
  return true;
}
