/* Numbers as buffers hold them. */
#ifndef CLTC_CAPTURE_NUMBER_H
#define CLTC_CAPTURE_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"
#include "wire/capture.h"

/* "float", …; the kind must be below NUMBER_KINDS. */
const char *number_name(uint32_t kind);
/* The kind of this name; NUMBER_KINDS: there is none. */
uint32_t number_find(const char *name, size_t length);
size_t number_size(uint32_t kind); /* bytes */
bool number_is_real(uint32_t kind);

/* The number in these bytes; of an integer kind, the nearest double. */
double number_real(uint32_t kind, const unsigned char *bytes);
/* Of an integer kind; of NUMBER_ULONG its bits. */
int64_t number_integer(uint32_t kind, const unsigned char *bytes);
/* Writes the nearest number of a kind that is real. */
void number_put_real(uint32_t kind, unsigned char *bytes, double value);
/* Writes the lowest bits to a kind that is an integer; to another one the nearest number. */
void number_put_integer(uint32_t kind, unsigned char *bytes, int64_t value);
/* Whether an integer kind holds this value; `value` of NUMBER_ULONG are its bits, which it always does if they are not
 * negative. */
bool number_holds(uint32_t kind, int64_t value);

/* Appends the number, with as few digits as tell it from its neighbours. */
void number_write(uint32_t kind, const unsigned char *bytes, buffer *out);

#endif
