/* A small seeded generator of random numbers (splitmix64): the same seed gives the same sequence everywhere. */
#ifndef CLTC_TESTS_PROPERTY_RANDOM_H
#define CLTC_TESTS_PROPERTY_RANDOM_H

#include <stdbool.h>
#include <stdint.h>

typedef struct random_state {
  uint64_t at;
} random_state;

static inline uint64_t random_next(random_state *r) {
  r->at += 0x9E3779B97F4A7C15u;
  uint64_t z = r->at;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

/* 0 .. n-1 */
static inline uint32_t random_below(random_state *r, uint32_t n) { return (uint32_t)((random_next(r) >> 32) % n); }

static inline bool random_chance(random_state *r, uint32_t percent) { return random_below(r, 100) < percent; }

#endif
