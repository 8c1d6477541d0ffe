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

#endif
