/* Kinds of numbers: a table, halves, which C does not have, and differences within a tolerance. */
#include "capture/number.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct number_kind {
  const char *name;
  size_t size;
  bool real, is_signed;
} number_kind;

static const number_kind kinds[NUMBER_KINDS] = {
    [NUMBER_CHAR] = {"char", 1, false, true},    [NUMBER_UCHAR] = {"uchar", 1, false, false},
    [NUMBER_SHORT] = {"short", 2, false, true},  [NUMBER_USHORT] = {"ushort", 2, false, false},
    [NUMBER_INT] = {"int", 4, false, true},      [NUMBER_UINT] = {"uint", 4, false, false},
    [NUMBER_LONG] = {"long", 8, false, true},    [NUMBER_ULONG] = {"ulong", 8, false, false},
    [NUMBER_HALF] = {"half", 2, true, true},     [NUMBER_FLOAT] = {"float", 4, true, true},
    [NUMBER_DOUBLE] = {"double", 8, true, true},
};

const char *number_name(uint32_t kind) { return kinds[kind].name; }

uint32_t number_find(const char *name, size_t length) {
  uint32_t i = 0;
  while (i < NUMBER_KINDS && (strlen(kinds[i].name) != length || strncmp(kinds[i].name, name, length) != 0)) i++;
  return i;
}

size_t number_size(uint32_t kind) { return kinds[kind].size; }
bool number_is_real(uint32_t kind) { return kinds[kind].real; }

/* --- halves: 1 bit of sign, 5 of the exponent, 10 of the fraction ------------------------------------------------- */

static double half_real(uint16_t bits) {
  const int exponent = bits >> 10 & 0x1f, fraction = bits & 0x3ff;
  double value = exponent == 0x1f ? (fraction == 0 ? (double)INFINITY : (double)NAN)
                 : exponent == 0  ? ldexp(fraction, -24)
                                  : ldexp(fraction + 0x400, exponent - 25);
  return bits >> 15 != 0 ? -value : value;
}

/* To the nearest, of two to the even one. */
static uint16_t half_bits(double value) {
  const uint16_t sign = signbit(value) ? 0x8000 : 0;
  const double size = fabs(value);
  int exponent = 0;
  if (isnan(value)) return 0x7e00;
  if (size == 0) return sign;
  if (size >= 65520) /* half of the last place above the largest */
    return sign | 0x7c00;
  (void)frexp(size, &exponent);
  exponent = exponent < -13 ? -13 : exponent; /* below, all have the last place of the smallest */
  /* A fraction that is rounded up to the next power of two carries into the exponent. */
  return (uint16_t)(sign | ((int)nearbyint(ldexp(size, 11 - exponent)) + (exponent + 13) * 0x400));
}

/* --- bytes -------------------------------------------------------------------------------------------------------- */

static uint64_t low_bytes(const unsigned char *bytes, size_t size) {
  uint64_t value = 0;
  for (size_t i = size; i-- > 0;) value = value << 8 | bytes[i];
  return value;
}

number_wide number_integer(uint32_t kind, const unsigned char *bytes) {
  const size_t size = kinds[kind].size;
  const number_wide value = low_bytes(bytes, size), sign = (number_wide)1 << (8 * size - 1);
  return kinds[kind].is_signed && value >= sign ? value - 2 * sign : value;
}

bool number_fits(number_wide value) { return value >= INT64_MIN && value <= UINT64_MAX; }

double number_real(uint32_t kind, const unsigned char *bytes) {
  float single = 0;
  double value = 0;
  if (kind == NUMBER_HALF) return half_real((uint16_t)low_bytes(bytes, 2));
  if (kind == NUMBER_FLOAT) {
    memcpy(&single, bytes, sizeof single);
    return (double)single;
  }
  if (kind == NUMBER_DOUBLE) {
    memcpy(&value, bytes, sizeof value);
    return value;
  }
  return (double)number_integer(kind, bytes);
}

static void put_low(unsigned char *bytes, uint64_t value, size_t size) {
  for (size_t i = 0; i < size; i++) bytes[i] = (unsigned char)(value >> (8 * i));
}

void number_put_real(uint32_t kind, unsigned char *bytes, double value) {
  const float single = (float)value;
  if (kind == NUMBER_HALF)
    put_low(bytes, half_bits(value), 2);
  else if (kind == NUMBER_FLOAT)
    memcpy(bytes, &single, sizeof single);
  else
    memcpy(bytes, &value, sizeof value);
}

void number_put_integer(uint32_t kind, unsigned char *bytes, number_wide value) {
  if (kinds[kind].real)
    number_put_real(kind, bytes, (double)value);
  else
    put_low(bytes, (uint64_t)value, kinds[kind].size);
}

bool number_holds(uint32_t kind, number_wide value) {
  unsigned char bytes[8];
  number_put_integer(kind, bytes, value);
  return number_integer(kind, bytes) == value;
}

/* --- text --------------------------------------------------------------------------------------------------------- */

void number_put_wide(number_wide value, buffer *out) {
  buffer_printf(out, value < 0 ? "%lld" : "%llu", (unsigned long long)value);
}

void number_write(uint32_t kind, const unsigned char *bytes, buffer *out) {
  char text[40];
  if (!kinds[kind].real) {
    number_put_wide(number_integer(kind, bytes), out);
    return;
  }
  const double value = number_real(kind, bytes);
  if (!isfinite(value)) {
    buffer_puts(out, isnan(value) ? "nan" : value < 0 ? "-inf" : "inf");
    return;
  }
  for (int digits = 1; digits <= 17; digits++) {
    unsigned char again[8];
    (void)snprintf(text, sizeof text, "%.*g", digits, value);
    number_put_real(kind, again, strtod(text, NULL));
    if (memcmp(again, bytes, kinds[kind].size) == 0) break;
  }
  buffer_puts(out, text);
}

/* Element by element. */

/* --- one number --------------------------------------------------------------------------------------------------- */

/* Numbers in the order of their values, neighbours one apart. */
static int64_t rank(uint32_t kind, const unsigned char *bytes) {
  const uint32_t as = kind == NUMBER_HALF ? NUMBER_SHORT : kind == NUMBER_FLOAT ? NUMBER_INT : NUMBER_LONG;
  const int64_t bits = (int64_t)number_integer(as, bytes);
  const int64_t lowest = -(INT64_C(1) << (8 * number_size(kind) - 2)) * 2; /* the bits of -0 */
  return bits >= 0 ? bits : lowest - bits;
}

static uint64_t apart(int64_t a, int64_t b) { return a > b ? (uint64_t)a - (uint64_t)b : (uint64_t)b - (uint64_t)a; }

static uint64_t integers_apart(uint32_t kind, const unsigned char *one, const unsigned char *other) {
  const number_wide a = number_integer(kind, one), b = number_integer(kind, other);
  return (uint64_t)(a > b ? a - b : b - a);
}

/* Whether it is right; if not, `*ulp` is how far it is off, UINT64_MAX: one of the two is no finite number. */
static bool right(const capture_expectation *x, const unsigned char *wanted, const unsigned char *got, uint64_t *ulp) {
  const double a = number_real(x->number, wanted), b = number_real(x->number, got);
  if (!number_is_real(x->number)) {
    *ulp = integers_apart(x->number, wanted, got);
    const double off = (double)*ulp;
    return *ulp <= x->ulp || (x->absolute > 0 && off <= x->absolute) ||
           (x->relative > 0 && off <= x->relative * fabs(a));
  }
  if (a == b || (isnan(a) && isnan(b))) return true;
  if (!isfinite(a) || !isfinite(b)) {
    *ulp = UINT64_MAX;
    return false;
  }
  *ulp = apart(rank(x->number, wanted), rank(x->number, got));
  const double off = fabs(a - b);
  return *ulp <= x->ulp || off <= x->absolute || off <= x->relative * fabs(a);
}

/* --- all ---------------------------------------------------------------------------------------------------------- */

static void note(number_difference *out, uint64_t element, uint32_t lane, uint64_t ulp) {
  if (out->differing == 0) {
    out->first = element;
    out->lane = lane;
    out->bounded = true;
  }
  out->bounded = out->bounded && ulp != UINT64_MAX;
  out->ulp = ulp > out->ulp ? ulp : out->ulp;
}

bool numbers_differ(const capture_expectation *x, const unsigned char *wanted, const unsigned char *got, size_t size,
                    number_difference *out) {
  const size_t bytes = number_size(x->number), element = bytes * x->lanes;
  *out = (number_difference){.elements = size / element};
  if (memcmp(wanted, got, size) == 0) return false;
  for (uint64_t i = 0; i < out->elements; i++) {
    bool all = true;
    for (uint32_t lane = 0; lane < x->used; lane++) {
      const size_t at = (size_t)i * element + lane * bytes;
      uint64_t ulp = 0;
      if (memcmp(wanted + at, got + at, bytes) != 0 && !right(x, wanted + at, got + at, &ulp)) {
        all = false;
        note(out, i, lane, ulp);
        out->differing = out->differing == 0 ? 1 : out->differing;
      }
    }
    out->differing += !all && i != out->first ? 1 : 0;
  }
  return out->differing > 0;
}

void numbers_say(const capture_expectation *x, const unsigned char *wanted, const unsigned char *got,
                 const number_difference *d, buffer *out) {
  const size_t bytes = number_size(x->number);
  const size_t at = ((size_t)d->first * x->lanes + d->lane) * bytes;
  buffer_printf(out, "element %llu", (unsigned long long)(x->first + d->first));
  if (x->lanes > 1) buffer_printf(out, ".s%x", (unsigned)d->lane);
  buffer_puts(out, " is ");
  number_write(x->number, got + at, out);
  buffer_puts(out, " and not ");
  number_write(x->number, wanted + at, out);
  buffer_printf(out, "; %llu of %llu element%s differ%s", (unsigned long long)d->differing,
                (unsigned long long)d->elements, d->elements == 1 ? "" : "s", d->differing == 1 ? "s" : "");
  if (d->bounded) {
    buffer_printf(out, ", by %s%llu%s", d->differing == 1 ? "" : "at most ", (unsigned long long)d->ulp,
                  number_is_real(x->number) ? " ULP" : "");
  }
}
