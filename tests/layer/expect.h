/* What a host program expects the layer to tell about its reads, with digests by libxxhash, and about its memory. The
 * program says it while it runs by itself: run.sh compares with what is told when it runs with the layer. */
#ifndef CLTC_TESTS_LAYER_EXPECT_H
#define CLTC_TESTS_LAYER_EXPECT_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#define EXPECT_BLOCK 4u

static unsigned long expect_number; /* of the next read of this process */

/* `bytes` NULL: the read failed on the device. */
static inline void expect_read(const char *kernel, unsigned argument, unsigned launch, const void *bytes, size_t size) {
  const char *path = getenv("LAYER_EXPECT"), *observe = getenv("CLTESTCHECK_OBSERVE");
  FILE *f = path ? fopen(path, "a") : NULL;
  if (!f) return;
  XXH128_hash_t digest = {0};
  if (bytes) digest = XXH3_128bits(bytes, size);
  fprintf(f, "read %lu kernel=%s argument=%u launch=%u bytes=%zu digest=%016llx%016llx blocks=", expect_number++,
          kernel, argument, launch, size, (unsigned long long)digest.high64, (unsigned long long)digest.low64);
  for (size_t at = 0; observe && strcmp(observe, "blocks") == 0 && at < size; at += EXPECT_BLOCK) {
    size_t length = size - at < EXPECT_BLOCK ? size - at : EXPECT_BLOCK;
    fprintf(f, "%08x,", (unsigned)(XXH3_64bits((const char *)bytes + at, length) & 0xffffffffu));
  }
  fprintf(f, "\n");
  fclose(f);
}

/* What a launch of a gated kernel left in an argument; `size`: of the object, of which the bytes are the beginning. */
static inline void expect_memory(const char *kernel, unsigned launch, unsigned argument, const void *bytes,
                                 size_t length, size_t size) {
  const char *path = getenv("LAYER_EXPECT");
  FILE *f = path ? fopen(path, "a") : NULL;
  unsigned long long digest = 0xcbf29ce484222325u;
  if (!f) return;
  for (size_t i = 0; i < length; i++) digest = (digest ^ ((const unsigned char *)bytes)[i]) * 0x100000001b3u;
  fprintf(f, "memory %s launch=%u argument=%u bytes=%zu length=%zu digest=%016llx\n", kernel, launch, argument, size,
          length, digest);
  fclose(f);
}

#endif
