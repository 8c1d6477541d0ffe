/* Numbers as buffers hold them. */
#ifndef CLTC_CAPTURE_NUMBER_H
#define CLTC_CAPTURE_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"
#include "wire/capture.h"

/* Every integer of 64 bits, with and without a sign, and what two of them give. */
__extension__ typedef __int128 number_wide;

/* Whether it is one of 64 bits. */
bool number_fits(number_wide value);
/* Appends one of these. */
void number_put_wide(number_wide value, buffer *out);

/* "float", …; the kind must be below NUMBER_KINDS. */
const char *number_name(uint32_t kind);
/* The kind of this name; NUMBER_KINDS: there is none. */
uint32_t number_find(const char *name, size_t length);
size_t number_size(uint32_t kind); /* bytes */
bool number_is_real(uint32_t kind);

/* The number in these bytes; of an integer kind, the nearest double. */
double number_real(uint32_t kind, const unsigned char *bytes);
/* Of an integer kind. */
number_wide number_integer(uint32_t kind, const unsigned char *bytes);
/* Writes the nearest number of a kind that is real. */
void number_put_real(uint32_t kind, unsigned char *bytes, double value);
/* Writes the lowest bits to a kind that is an integer; to another one the nearest number. */
void number_put_integer(uint32_t kind, unsigned char *bytes, number_wide value);
/* Whether an integer kind holds this value. */
bool number_holds(uint32_t kind, number_wide value);

/* Appends the number, with as few digits as tell it from its neighbours. */
void number_write(uint32_t kind, const unsigned char *bytes, buffer *out);

/* What was read against what is expected. */

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
