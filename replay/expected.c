/* Held against what the case expects, and kept for who asked for it. */
#include "replay/expected.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "capture/compare.h"

void expected_begin(expected_results *r) { buffer_free(&r->wrong); }

static void keep(expected_results *r, uint64_t number, const unsigned char *bytes, size_t size) {
  buffer path = {0};
  buffer_printf(&path, "%s/%llu", r->folder, (unsigned long long)number);
  FILE *f = fopen(buffer_text(&path), "wbe");
  const bool written = f != NULL && fwrite(bytes, 1, size, f) == size;
  const bool closed = f != NULL && fclose(f) == 0;
  if (!written || !closed) {
    r->lost = true;
    (void)fprintf(stderr, "cltestcheck-replay: cannot write %s: %s\n", buffer_text(&path), strerror(errno));
  }
  buffer_free(&path);
}

static const capture_expectation *find(const capture *c, const capture_command *command) {
  for (size_t i = 0; i < c->expectation_count; i++) {
    if (&c->commands[c->expectations[i].command] == command) {
      return &c->expectations[i];
    }
  }
  return NULL;
}

static void check(expected_results *r, const capture_expectation *x, const capture_command *command,
                  const unsigned char *bytes, size_t size) {
  number_difference d;
  if (x->blob != CAPTURE_NONE) {
    const unsigned char *wanted = r->capture->blobs[x->blob].bytes;
    if (numbers_differ(x, wanted, bytes, size, &d)) {
      buffer_printf(&r->wrong, "%s: %s: ", r->capture->program, x->name);
      numbers_say(x, wanted, bytes, &d, &r->wrong);
      buffer_puts(&r->wrong, "\n");
    }
    return;
  }
  const XXH128_hash_t hash = XXH3_128bits(bytes, size);
  if (hash.low64 != command->low || hash.high64 != command->high) {
    buffer_printf(&r->wrong, "%s: %s: has the digest %016llx%016llx and not %016llx%016llx\n", r->capture->program,
                  x->name, (unsigned long long)hash.high64, (unsigned long long)hash.low64,
                  (unsigned long long)command->high, (unsigned long long)command->low);
  }
}

bool expected_take(expected_results *r, uint64_t number, const capture_command *command, const unsigned char *bytes,
                   size_t size) {
  const capture_expectation *x = find(r->capture, command);
  if (r->folder != NULL) {
    keep(r, number, bytes, size);
  }
  if (x != NULL) {
    check(r, x, command, bytes, size);
  }
  return x != NULL;
}
