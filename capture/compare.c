/* Element by element. */
#include "capture/compare.h"

#include <math.h>
#include <string.h>

#include "capture/number.h"

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
  if (a == b || (isnan(a) && isnan(b))) {
    return true;
  }
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
  if (memcmp(wanted, got, size) == 0) {
    return false;
  }
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
  if (x->lanes > 1) {
    buffer_printf(out, ".s%x", (unsigned)d->lane);
  }
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
