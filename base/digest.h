/* SHA-256 of a sequence of texts and numbers: two sequences have the same digest only if they are the same. */
#ifndef CLTC_BASE_DIGEST_H
#define CLTC_BASE_DIGEST_H

#include <sha2.h>
#include <stddef.h>
#include <stdint.h>

typedef struct digester {
  SHA2_CTX context;
} digester;

void digest_begin(digester *d);
void digest_number(digester *d, uint64_t number);
/* Its length goes in before it, so that no two sequences run into each other. */
void digest_bytes(digester *d, const void *bytes, size_t length);
void digest_text(digester *d, const char *text);
/* Lower-case hexadecimal. */
void digest_end(digester *d, char out[65]);

/* FNV-1a, 64 bits: for tables, and for identities that databases have kept since their first version. What must not be
 * the same by accident or intent has a digest (digest.h). */

#define HASH_EMPTY UINT64_C(0xcbf29ce484222325)

/* Of what `hash` is of, with these bytes after it. */
static inline uint64_t hash_more(uint64_t hash, const void *bytes, size_t length) {
  const unsigned char *b = bytes;
  for (size_t i = 0; i < length; i++) hash = (hash ^ b[i]) * UINT64_C(0x100000001b3);
  return hash;
}

#endif
