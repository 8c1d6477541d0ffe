/* What a host program expects its capture to be: the lines of show_capture, said where the call is, with digests by
 * libxxhash. run.sh compares. */
#ifndef CLTC_TESTS_CAPTURE_EXPECT_H
#define CLTC_TESTS_CAPTURE_EXPECT_H

#include <stdarg.h>
#include <xxhash.h>

#include "tests/layer/host.h"

static inline void expect(const char *format, ...) __attribute__((format(printf, 1, 2)));
static inline void expect(const char *format, ...) {
  const char *path = getenv("CAPTURE_EXPECT");
  FILE *f = path ? fopen(path, "a") : NULL;
  va_list list;
  if (!f) return;
  va_start(list, format);
  vfprintf(f, format, list);
  va_end(list);
  fprintf(f, "\n");
  fclose(f);
}

/* A read of these bytes, the digest after the rest of the line. */
static inline void expect_read(const void *bytes, size_t size, const char *line) {
  XXH128_hash_t digest = XXH3_128bits(bytes, size);
  expect("%s digest=%016llx%016llx", line, (unsigned long long)digest.high64, (unsigned long long)digest.low64);
}

/* The bytes after the rest of the line. */
static inline void expect_value(const char *line, const void *bytes, size_t size) {
  char hexadecimal[65] = "";
  for (size_t i = 0; i < size && i < 32; i++)
    snprintf(hexadecimal + 2 * i, 3, "%02x", ((const unsigned char *)bytes)[i]);
  expect("%s %s", line, hexadecimal);
}

/* A program of one source, in one line. */
static inline cl_program expect_program(const host *h, const char *source, const char *options) {
  expect("program source=\"%s\" options=\"%s\"", source, options ? options : "");
  return host_program(h, source, options);
}

static inline cl_kernel expect_kernel(cl_program p, unsigned number, const char *name) {
  expect("kernel program=%u %s", number, name);
  return host_kernel(p, name);
}

#endif
