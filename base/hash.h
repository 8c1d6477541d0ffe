/* FNV-1a, 64 bits: for tables, and for identities that databases have kept since their first version. What must not be the
 * same by accident or intent has a digest (digest.h). */
#ifndef CLTC_BASE_HASH_H
#define CLTC_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

#define HASH_EMPTY UINT64_C(0xcbf29ce484222325)

/* Of what `hash` is of, with these bytes after it. */
static inline uint64_t hash_more(uint64_t hash, const void *bytes, size_t length) {
  const unsigned char *b = bytes;
  for (size_t i = 0; i < length; i++) {
    hash = (hash ^ b[i]) * UINT64_C(0x100000001b3);
  }
  return hash;
}

#endif
