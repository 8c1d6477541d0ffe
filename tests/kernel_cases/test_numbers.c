/* Numbers as buffers hold them, and what is off by how much. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "capture/number.h"

/* --- halves: bits from IEEE 754, binary16 ------------------------------------------------------------------------- */

static const struct {
  double value;
  uint16_t bits;
} halves[] = {
    {0, 0x0000},     {-0.0, 0x8000},     {1, 0x3c00},         {-2, 0xc000},
    {65504, 0x7bff}, {65519.99, 0x7bff}, {65520, 0x7c00},     {-1e9, 0xfc00},
    {0x1p-24, 1},    {0x1p-14, 0x0400},  {0x3ffp-24, 0x03ff}, {1023.5 * 0x1p-24, 0x0400},
    {0x1p-26, 0},    {0x1p-25, 0},       {0x1.8p-25, 1},      {2049, 0x6800},
    {2051, 0x6802},  {1.0 / 3, 0x3555},  {INFINITY, 0x7c00},
};

static void test_halves(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof halves / sizeof *halves; i++) {
    unsigned char bytes[2];
    number_put_real(NUMBER_HALF, bytes, halves[i].value);
    const unsigned bits = (unsigned)(bytes[0] | bytes[1] << 8);
    if (bits != halves[i].bits) fail_msg("%g: 0x%04x and not 0x%04x", halves[i].value, bits, halves[i].bits);
  }
  for (unsigned bits = 0; bits < 0x10000; bits++) { /* each half there and back */
    const unsigned char bytes[2] = {(unsigned char)bits, (unsigned char)(bits >> 8)};
    unsigned char again[2];
    const double value = number_real(NUMBER_HALF, bytes);
    number_put_real(NUMBER_HALF, again, value);
    assert_true(isnan(value) || memcmp(bytes, again, 2) == 0);
  }
}

/* --- integers ----------------------------------------------------------------------------------------------------- */

static void test_integers(void **state) {
  (void)state;
  const unsigned char ones[8] = {255, 255, 255, 255, 255, 255, 255, 255};
  assert_int_equal(number_integer(NUMBER_CHAR, ones), -1);
  assert_int_equal(number_integer(NUMBER_UCHAR, ones), 255);
  assert_int_equal(number_integer(NUMBER_UINT, ones), 4294967295);
  assert_int_equal(number_integer(NUMBER_LONG, ones), -1);
  assert_true(number_holds(NUMBER_UCHAR, 255) && !number_holds(NUMBER_UCHAR, 256) && !number_holds(NUMBER_UCHAR, -1));
  assert_true(number_holds(NUMBER_SHORT, -32768) && !number_holds(NUMBER_SHORT, 32768));
  assert_true(number_holds(NUMBER_ULONG, INT64_MAX) && !number_holds(NUMBER_ULONG, -1));
  assert_int_equal(number_find("uint", 4), NUMBER_UINT);
  assert_int_equal(number_find("uint4", 4), NUMBER_UINT);
  assert_int_equal(number_find("unit", 4), NUMBER_KINDS);
}

static const struct {
  uint32_t kind;
  unsigned char bytes[8];
  const char *text;
} texts[] = {
    {NUMBER_FLOAT, {0, 0, 0x80, 0x3f}, "1"},
    {NUMBER_FLOAT, {0xcd, 0xcc, 0xcc, 0x3d}, "0.1"},
    {NUMBER_FLOAT, {0, 0, 0xc0, 0x7f}, "nan"},
    {NUMBER_FLOAT, {0, 0, 0x80, 0xff}, "-inf"},
    {NUMBER_ULONG, {255, 255, 255, 255, 255, 255, 255, 255}, "18446744073709551615"},
    {NUMBER_CHAR, {0x80}, "-128"},
};

static void test_texts(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    buffer out = {0};
    number_write(texts[i].kind, texts[i].bytes, &out);
    assert_string_equal(buffer_text(&out), texts[i].text);
    buffer_free(&out);
  }
}

/* --- comparing ---------------------------------------------------------------------------------------------------- */

typedef struct tolerance {
  uint64_t ulp;
  double relative, absolute;
} tolerance;

/* Whether two floats differ; `*d` says by what. */
static bool differ(float wanted, float got, tolerance t, number_difference *d) {
  const capture_expectation x = {
      .number = NUMBER_FLOAT, .lanes = 1, .used = 1, .ulp = t.ulp, .relative = t.relative, .absolute = t.absolute};
  unsigned char a[4], b[4];
  memcpy(a, &wanted, 4);
  memcpy(b, &got, 4);
  return numbers_differ(&x, a, b, 4, d);
}

static void test_floats(void **state) {
  (void)state;
  number_difference d;
  const float next = nextafterf(1, 2), tiny = 0x1p-149f;
  assert_false(differ(1, 1, (tolerance){0}, &d));
  assert_false(differ(0, -0.0f, (tolerance){0}, &d));
  assert_false(differ(NAN, -NAN, (tolerance){0}, &d));
  assert_true(differ(1, next, (tolerance){0}, &d) && d.bounded && d.ulp == 1);
  assert_false(differ(1, next, (tolerance){.ulp = 1}, &d));
  assert_true(differ(1, nextafterf(next, 2), (tolerance){.ulp = 1}, &d) && d.ulp == 2);
  assert_true(differ(-tiny, tiny, (tolerance){.ulp = 1}, &d) && d.ulp == 2); /* over 0 */
  assert_true(differ(1, 2, (tolerance){0}, &d) && d.ulp == 0x800000);
  assert_true(differ(NAN, 1, (tolerance){UINT64_MAX - 1, 1e9, 1e9}, &d) && !d.bounded);
  assert_true(differ(0x1.fffffep127f, INFINITY, (tolerance){1, 1, 1}, &d) && !d.bounded); /* next to each other */
  assert_false(differ(INFINITY, INFINITY, (tolerance){0}, &d));
}

/* Each alone is enough; the bound is within it. */
static void test_tolerances(void **state) {
  (void)state;
  number_difference d;
  assert_false(differ(100, 100.5f, (tolerance){.absolute = 0.5}, &d));
  assert_true(differ(100, 100.5f, (tolerance){.absolute = 0.49}, &d));
  assert_false(differ(-100, -101, (tolerance){.relative = 0.01}, &d));
  assert_true(differ(-100, -101.5f, (tolerance){.relative = 0.01}, &d));
  assert_true(differ(0, 1e-30f, (tolerance){.relative = 0.5}, &d));
  assert_false(differ(0, 1e-30f, (tolerance){.relative = 0.5, .absolute = 1e-20}, &d));
  assert_false(differ(100, 101, (tolerance){.ulp = 1, .relative = 0.01}, &d));
}

static void test_integers_apart(void **state) {
  (void)state;
  const unsigned char a[8] = {5}, b[8] = {7}, largest[8] = {255, 255, 255, 255, 255, 255, 255, 255}, zero[8] = {0};
  capture_expectation x = {.number = NUMBER_ULONG, .lanes = 1, .used = 1};
  number_difference d;
  assert_true(numbers_differ(&x, a, b, 8, &d) && d.ulp == 2);
  x.ulp = 2;
  assert_false(numbers_differ(&x, a, b, 8, &d));
  assert_true(numbers_differ(&x, largest, zero, 8, &d) && d.ulp == UINT64_MAX);
  x.number = NUMBER_LONG; /* -1 and 0 */
  x.ulp = 1;
  assert_false(numbers_differ(&x, largest, zero, 8, &d));
}

/* A float3: the fourth number does not count; several wrong numbers of an element are one element. */
static void test_vectors(void **state) {
  (void)state;
  const float wanted[12] = {1, 2, 3, 0, 4, 5, 6, 0, 7, 8, 9, 0};
  const float got[12] = {1, 2, 3, 9, 4, 6, 7, 0, 7, 8, 8, 0};
  const capture_expectation x = {.number = NUMBER_FLOAT, .lanes = 4, .used = 3, .first = 10};
  number_difference d;
  buffer said = {0};
  assert_true(numbers_differ(&x, (const unsigned char *)wanted, (const unsigned char *)got, sizeof got, &d));
  assert_int_equal(d.differing, 2);
  assert_int_equal(d.first, 1);
  assert_int_equal(d.lane, 1);
  numbers_say(&x, (const unsigned char *)wanted, (const unsigned char *)got, &d, &said);
  assert_string_equal(buffer_text(&said),
                      "element 11.s1 is 6 and not 5; 2 of 3 elements differ, by at most 2097152 ULP");
  buffer_free(&said);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_halves),  cmocka_unit_test(test_integers),   cmocka_unit_test(test_texts),
      cmocka_unit_test(test_floats),  cmocka_unit_test(test_tolerances), cmocka_unit_test(test_integers_apart),
      cmocka_unit_test(test_vectors),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
