/* What was read against what is expected. */
#ifndef CLTC_CAPTURE_COMPARE_H
#define CLTC_CAPTURE_COMPARE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"
#include "wire/capture.h"

typedef struct number_difference {
  uint64_t elements, differing;
  uint64_t first; /* the first that differs, from 0 among those that were read; */
  uint32_t lane;  /* its number that differs */
  bool bounded;   /* all that differ are numbers: */
  uint64_t ulp;   /* how many units in the last place they are off at most; of integers: how much */
} number_difference;

/* Whether any number lies outside of all tolerances. A number is right if it is equal (0 and -0 are, and no number and
 * no number), or off by no more than one of the tolerances says; a bound of a tolerance is within it. */
bool numbers_differ(const capture_expectation *x, const unsigned char *wanted, const unsigned char *got, size_t size,
                    number_difference *out);

/* Appends "element 3 is 1 and not 2; 5 of 64 elements differ, by at most 12 ULP". */
void numbers_say(const capture_expectation *x, const unsigned char *wanted, const unsigned char *got,
                 const number_difference *d, buffer *out);

#endif
