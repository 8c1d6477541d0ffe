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

#endif
