/* Random numbers for the fuzzers: the same from the same state. */
#ifndef CLTC_TESTS_FUZZ_RANDOM_H
#define CLTC_TESTS_FUZZ_RANDOM_H

#include <stddef.h>
#include <stdint.h>

typedef struct fuzz_random {
  uint64_t state;
} fuzz_random;

static inline uint64_t fuzz_next(fuzz_random *r) {
  r->state += 0x9E3779B97F4A7C15u;
  uint64_t z = r->state;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

static inline size_t fuzz_below(fuzz_random *r, size_t n) { return n == 0 ? 0 : (size_t)(fuzz_next(r) % n); }

#endif
