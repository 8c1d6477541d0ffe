/* Random numbers for the fuzzers: those of the property tests, in sizes. */
#ifndef CLTC_TESTS_FUZZ_RANDOM_H
#define CLTC_TESTS_FUZZ_RANDOM_H

#include <stddef.h>

#include "tests/instrument/property/random.h"

/* 0 .. n-1, and 0 of nothing */
static inline size_t fuzz_below(random_state *r, size_t n) { return n == 0 ? 0 : (size_t)(random_next(r) % n); }

#endif
