/* Requests of the layer with random changes: request_read takes or refuses them, and reads nothing that is not there.
 * By hand: fuzz_wire SEED COUNT. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "random.h"
#include "runner/program_request.h"

/* Numbers that say how much follows are small or far too large. */
static uint32_t number(fuzz_random *r) {
  static const uint32_t large[] = {0xffu, 0xffffu, 0x7fffffffu, 0x80000000u, 0xfffffff0u, 0xffffffffu};
  return fuzz_below(r, 4) == 0 ? large[fuzz_below(r, sizeof large / sizeof *large)] : (uint32_t)fuzz_below(r, 5);
}

static void put_something(fuzz_random *r, buffer *b) {
  static const char *const texts[] = {"", "k.cl", "-DN=1", "__kernel void k(void) {}\n", "defined(X)", "/tmp"};
  const char *text = texts[fuzz_below(r, sizeof texts / sizeof *texts)];
  switch (fuzz_below(r, 4)) {
    case 0:
      wire_put_u32(b, number(r));
      break;
    case 1:
      wire_put_u64(b, number(r));
      break;
    default:
      wire_put_string(b, text, strlen(text));
      break;
  }
}

static size_t one(fuzz_random *r) {
  buffer b = {0};
  for (size_t n = fuzz_below(r, 40); n > 0; n--) {
    put_something(r, &b);
  }
  for (size_t n = fuzz_below(r, 4); n > 0 && b.length > 0; n--) {
    b.data[fuzz_below(r, b.length)] = (char)fuzz_next(r);
  }
  /* a copy of just that size, so that sanitizers see a read behind it */
  const size_t length = fuzz_below(r, b.length + 1);
  unsigned char *exact = malloc(length == 0 ? 1 : length);
  if (length > 0) {
    memcpy(exact, b.data, length);
  }
  wire_reader in = {.at = exact, .left = length};
  program_request request;
  const size_t taken = request_read(&in, &request) == 0;
  request_free(&request);
  free(exact);
  buffer_free(&b);
  return taken;
}

int main(int argc, char **argv) {
  const uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
  const size_t count = argc > 2 ? (size_t)strtoull(argv[2], NULL, 10) : 20000;
  size_t taken = 0;
  for (size_t i = 0; i < count; i++) {
    fuzz_random r = {seed * 1000003 + i};
    taken += one(&r);
  }
  printf("seed %" PRIu64 ": %zu requests, %zu of them taken\n", seed, count, taken);
  return 0;
}
