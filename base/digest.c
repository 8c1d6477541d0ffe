/* SHA-256 digests of sequences. */
#include "base/digest.h"

#include <string.h>

void digest_begin(digester *d) { SHA256Init(&d->context); }

void digest_number(digester *d, uint64_t number) {
  uint8_t bytes[8];
  for (size_t i = 0; i < sizeof bytes; i++) bytes[i] = (uint8_t)(number >> (8 * i));
  SHA256Update(&d->context, bytes, sizeof bytes);
}

void digest_bytes(digester *d, const void *bytes, size_t length) {
  digest_number(d, length);
  if (length > 0) SHA256Update(&d->context, bytes, length);
}

void digest_text(digester *d, const char *text) { digest_bytes(d, text, strlen(text)); }

void digest_end(digester *d, char out[65]) { (void)SHA256End(&d->context, out); }
