/* Bytes in words: a constant, a ramp, a formula where one gives the same bytes, some values, else a file. */
#include "cases/describe.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "capture/number.h"

enum { VALUES_MOST = 16, SEEDS = 32, PERMUTED_MOST = 1 << 16 };

/* Numbers one after another; there are no others between them. */
typedef struct numbers {
  uint32_t kind;
  const unsigned char *bytes;
  size_t count, size; /* of one */
} numbers;

static const unsigned char *at(const numbers *n, size_t i) { return n->bytes + i * n->size; }

static bool same(const numbers *n, size_t i, const unsigned char *bytes) {
  return memcmp(at(n, i), bytes, n->size) == 0;
}

void describe_number(uint32_t kind, const unsigned char *bytes, buffer *out) {
  const size_t before = out->length;
  number_write(kind, bytes, out);
  if (number_is_real(kind) && strcmp(out->data + before, "-0") == 0) {
    buffer_puts(out, ".0"); /* an integer has no such 0 */
  }
}

/* Whether the text of the number gives these bytes again: not so of a NaN with other bits. */
bool describe_is_exact(uint32_t kind, const unsigned char *bytes) {
  unsigned char again[8];
  if (!number_is_real(kind)) {
    return true;
  }
  const double value = number_real(kind, bytes);
  number_put_real(kind, again, value);
  unsigned char other[8];
  number_put_real(kind, other, (double)__builtin_nan(""));
  return value == value ? memcmp(again, bytes, number_size(kind)) == 0 : memcmp(other, bytes, number_size(kind)) == 0;
}

/* --- forms -------------------------------------------------------------------------------------------------------- */

static bool is_constant(const numbers *n) {
  for (size_t i = 1; i < n->count; i++) {
    if (!same(n, i, n->bytes)) {
      return false;
    }
  }
  return describe_is_exact(n->kind, n->bytes);
}

static bool is_ramp(const numbers *n, double step) {
  const double from = number_real(n->kind, n->bytes);
  for (size_t i = 0; i < n->count; i++) {
    unsigned char bytes[8];
    number_put_real(n->kind, bytes, from + (double)i * step);
    if (!same(n, i, bytes)) {
      return false;
    }
  }
  return true;
}

static bool put_real_ramp(const numbers *n, buffer *out) {
  const double step = number_real(n->kind, at(n, 1)) - number_real(n->kind, n->bytes);
  const double last =
      (number_real(n->kind, at(n, n->count - 1)) - number_real(n->kind, n->bytes)) / (double)(n->count - 1);
  const double steps[] = {step, last};
  unsigned char bytes[8];
  for (size_t i = 0; i < 2; i++) {
    if (steps[i] == steps[i] && steps[i] - steps[i] == 0 && describe_is_exact(n->kind, n->bytes) &&
        is_ramp(n, steps[i])) {
      buffer_puts(out, "ramp: {from: ");
      describe_number(n->kind, n->bytes, out);
      buffer_puts(out, ", step: ");
      number_put_real(NUMBER_DOUBLE, bytes, steps[i]);
      describe_number(NUMBER_DOUBLE, bytes, out);
      buffer_puts(out, "}");
      return true;
    }
  }
  return false;
}

static void put_ramp(number_wide from, number_wide step, buffer *out) {
  buffer_puts(out, "ramp: {from: ");
  number_put_wide(from, out);
  buffer_puts(out, ", step: ");
  number_put_wide(step, out);
  buffer_puts(out, "}");
}

/* Of integers, as these formulas compute them. */
static bool put_integer_form(const numbers *n, buffer *out) {
  const number_wide from = number_integer(n->kind, n->bytes), count = (number_wide)n->count;
  const number_wide step = number_integer(n->kind, at(n, 1)) - from;
  const number_wide turn = step < 0 ? step + count : step;
  bool ramp = number_fits(step),
       turns = from >= 0 && from < count && turn > 0 && turn < count; /* (from + step * i) % count */
  for (size_t i = 0; i < n->count && (ramp || turns); i++) {
    const number_wide is = number_integer(n->kind, at(n, i));
    ramp = ramp && from + (number_wide)i * step == is;
    turns = turns && ((number_wide)i * turn + from) % count == is;
  }
  if (ramp) {
    put_ramp(from, step, out);
  } else if (turns) {
    buffer_printf(out, "formula: \"(%lld + %lld * i) %% %lld\"", (long long)from, (long long)turn, (long long)count);
  }
  return ramp || turns;
}

/* The same numbers again and again: their ramp, in its place. */
static bool put_repeated(const numbers *n, buffer *out) {
  size_t period = 1;
  while (period < n->count && !same(n, period, n->bytes)) {
    period++;
  }
  if (period < 2 || period * 2 > n->count || number_is_real(n->kind)) {
    return false;
  }
  const number_wide from = number_integer(n->kind, n->bytes), step = number_integer(n->kind, at(n, 1)) - from;
  for (size_t i = 0; i < n->count; i++) {
    if ((number_wide)(i % period) * step + from != number_integer(n->kind, at(n, i))) {
      return false;
    }
  }
  if (!number_fits(step)) {
    return false;
  }
  buffer_puts(out, "formula: \"");
  number_put_wide(from, out);
  buffer_puts(out, " + ");
  number_put_wide(step, out);
  buffer_printf(out, " * (i %% %zu)\"", period);
  return true;
}

/* A permutation as a case makes it, of one of the first seeds. */
static bool put_permutation(const numbers *n, buffer *out) {
  for (uint64_t seed = 0; seed < SEEDS && !number_is_real(n->kind) && n->count <= PERMUTED_MOST; seed++) {
    uint64_t *order = case_permutation(seed, n->count);
    size_t i = 0;
    while (i < n->count && number_integer(n->kind, at(n, i)) == order[i]) {
      i++;
    }
    free(order);
    if (i == n->count) {
      buffer_printf(out, "permutation: {seed: %llu}", (unsigned long long)seed);
      return true;
    }
  }
  return false;
}

static bool put_values(const numbers *n, buffer *out) {
  for (size_t i = 0; i < n->count; i++) {
    if (n->count > VALUES_MOST || !describe_is_exact(n->kind, at(n, i))) {
      return false;
    }
  }
  buffer_puts(out, "values: [");
  for (size_t i = 0; i < n->count; i++) {
    buffer_puts(out, i > 0 ? ", " : "");
    describe_number(n->kind, at(n, i), out);
  }
  buffer_puts(out, "]");
  return true;
}

/* --- files -------------------------------------------------------------------------------------------------------- */

static int put_file(const unsigned char *bytes, size_t size, const char *folder, const char *name, buffer *out,
                    error *e) {
  buffer path = {0};
  buffer_printf(&path, "%s/%s", folder, name);
  FILE *f = fopen(buffer_text(&path), "wbe");
  const bool written = f != NULL && fwrite(bytes, 1, size, f) == size;
  const bool closed = f != NULL && fclose(f) == 0;
  const int result =
      written && closed ? 0 : error_set(e, EXIT_USAGE, "cannot write %s: %s", buffer_text(&path), strerror(errno));
  buffer_free(&path);
  buffer_printf(out, "file: \"%s\"", name);
  return result;
}

int describe_bytes(const element_type *type, const unsigned char *bytes, size_t size, const char *folder,
                   const char *name, buffer *out, error *e) {
  const numbers n = {type->number, bytes, size / number_size(type->number), number_size(type->number)};
  const bool plain = type->lanes == type->used; /* no padding between numbers */
  if (plain && is_constant(&n)) {
    buffer_puts(out, "fill: ");
    describe_number(n.kind, bytes, out);
    return 0;
  }
  if (plain && n.count > 2 && (number_is_real(n.kind) ? put_real_ramp(&n, out) : put_integer_form(&n, out))) {
    return 0;
  }
  if (plain && (put_values(&n, out) || put_repeated(&n, out) || put_permutation(&n, out))) {
    return 0;
  }
  return put_file(bytes, size, folder, name, out, e);
}
