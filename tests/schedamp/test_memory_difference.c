/* In what the memory of a launch differs between two runs: elements, figures, values. */
/* clang-format off: cmocka.h needs the four before it */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
/* clang-format on */
#include <string.h>

#include "schedamp/schedule.h"

/* What the argument held in the reference's run and in the other one. */
typedef struct memory_case {
  const char *type;
  const void *reference, *seen;
  size_t length;
  bool differs;
  uint64_t first, last, differing;
  const char *unit, *reference_value, *seen_value;
} memory_case;

static const float floats[2][4] = {{1, 2, 3, 4}, {1, 2.5F, 3, -4}};
static const int32_t vectors[2][8] = {{1, 2, 3, 0, 5, 6, 7, 0}, {1, 2, 3, 0, 5, 6, 8, 0}};
static const unsigned char bytes[2][3] = {{1, 200, 3}, {1, 201, 3}};
static const int16_t shorts[2][2] = {{-1, 7}, {-2, 7}};
static const uint64_t longs[2][1] = {{UINT64_MAX}, {0}};
static const double doubles[2][1] = {{0.5}, {-0.25}};

static const memory_case cases[] = {
    {"float", floats[0], floats[0], sizeof floats[0], false, 0, 0, 0, NULL, NULL, NULL},
    {"float", floats[0], floats[1], sizeof floats[0], true, 1, 3, 2, "element", "2", "2.5"},
    {"int4", vectors[0], vectors[1], sizeof vectors[0], true, 1, 1, 1, "element", "(5, 6, 7, 0)", "(5, 6, 8, 0)"},
    {"int3", vectors[0], vectors[1], sizeof vectors[0], true, 1, 1, 1, "element", "(5, 6, 7)", "(5, 6, 8)"},
    {"uchar", bytes[0], bytes[1], sizeof bytes[0], true, 1, 1, 1, "element", "200", "201"},
    {"struct particle", bytes[0], bytes[1], sizeof bytes[0], true, 1, 1, 1, "byte", "200", "201"},
    {"short", shorts[0], shorts[1], sizeof shorts[0], true, 0, 0, 1, "element", "-1", "-2"},
    {"ulong", longs[0], longs[1], sizeof longs[0], true, 0, 0, 1, "element", "18446744073709551615", "0"},
    {"double", doubles[0], doubles[1], sizeof doubles[0], true, 0, 0, 1, "element", "0.5", "-0.25"},
    {"int", bytes[0], bytes[1], sizeof bytes[0], false, 0, 0, 0, NULL, NULL, NULL}, /* less than an element */
};

static void compare(const memory_case *c) {
  const char *types[] = {"", c->type};
  memory_image one = {.argument = 1, .data = (char *)c->reference, .length = c->length};
  memory_image other = {.argument = 1, .data = (char *)c->seen, .length = c->length};
  const memory_images reference = {.items = &one, .count = 1};
  const memory_images seen = {.items = &other, .count = 1};
  memory_difference d;
  assert_int_equal(memory_compare(&reference, &seen, types, 2, &d), c->differs);
  if (c->differs) {
    assert_int_equal(d.argument, 1);
    assert_int_equal(d.first, c->first);
    assert_int_equal(d.last, c->last);
    assert_int_equal(d.differing, c->differing);
    assert_string_equal(d.unit, c->unit);
    assert_string_equal(d.reference, c->reference_value);
    assert_string_equal(d.seen, c->seen_value);
  }
}

static void test_memory_of_every_type(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) compare(&cases[i]);
}

/* The first argument that differs is the one that is shown; one that the other run lacks says nothing. */
static void test_several_arguments(void **state) {
  (void)state;
  const char *types[] = {"int", "int"};
  int32_t zero = 0;
  int32_t one = 1;
  memory_image left[] = {{.argument = 0, .data = (char *)&zero, .length = 4},
                         {.argument = 1, .data = (char *)&zero, .length = 4}};
  memory_image right[] = {{.argument = 1, .data = (char *)&one, .length = 4}};
  const memory_images reference = {.items = left, .count = 2};
  const memory_images seen = {.items = right, .count = 1};
  memory_difference d;
  assert_true(memory_compare(&reference, &seen, types, 2, &d));
  assert_int_equal(d.argument, 1);
}

/* An argument that no parameter is known of is compared byte by byte. */
static void test_argument_without_parameter(void **state) {
  (void)state;
  memory_image left = {.argument = 3, .data = (char *)bytes[0], .length = 3};
  memory_image right = {.argument = 3, .data = (char *)bytes[1], .length = 3};
  const memory_images reference = {.items = &left, .count = 1};
  const memory_images seen = {.items = &right, .count = 1};
  memory_difference d;
  assert_true(memory_compare(&reference, &seen, NULL, 0, &d));
  assert_string_equal(d.unit, "byte");
  assert_int_equal(d.first, 1);
}

/* Images: pixels by the type of their channels; the numbers are those of CL/cl.h. */
static void test_pixels(void **state) {
  (void)state;
  enum { CHANNEL_UNORM_565 = 0x10D4, CHANNEL_UINT8 = 0x10DA, CHANNEL_FLOAT = 0x10DE };
  static const uint8_t one[12][4] = {{0}, {0}, {0}, {0}, {0}, {1, 2, 3, 4}};
  static const uint8_t other[12][4] = {{0}, {0}, {0}, {0}, {0}, {1, 2, 9, 4}, {0}, {0}, {7}};
  static const float values[2][2] = {{0.5F, 2}, {0.5F, -2}};
  const struct {
    memory_image reference, seen;
    const char *reference_value, *seen_value, *first, *last;
  } images[] = {
      {{0, (char *)one, 48, 4, 3, CHANNEL_UINT8, 4},
       {0, (char *)other, 48, 4, 3, CHANNEL_UINT8, 4},
       "(1, 2, 3, 4)",
       "(1, 2, 9, 4)",
       "(1, 1)",
       "(0, 2)"},
      {{0, (char *)one, 48, 2, 3, CHANNEL_UINT8, 4}, /* two layers of 2 x 3 */
       {0, (char *)other, 48, 2, 3, CHANNEL_UINT8, 4},
       "(1, 2, 3, 4)",
       "(1, 2, 9, 4)",
       "(1, 2, 0)",
       "(0, 1, 1)"},
      {{0, (char *)one, 48, 24, 1, CHANNEL_UNORM_565, 2}, /* its bytes */
       {0, (char *)other, 48, 24, 1, CHANNEL_UNORM_565, 2},
       "(3, 4)",
       "(9, 4)",
       "(11, 0)",
       "(16, 0)"},
      {{0, (char *)values[0], 8, 2, 1, CHANNEL_FLOAT, 4},
       {0, (char *)values[1], 8, 2, 1, CHANNEL_FLOAT, 4},
       "2",
       "-2",
       "(1, 0)",
       "(1, 0)"},
  };
  for (size_t i = 0; i < sizeof images / sizeof images[0]; i++) {
    const memory_images reference = {.items = (memory_image *)&images[i].reference, .count = 1};
    const memory_images seen = {.items = (memory_image *)&images[i].seen, .count = 1};
    char place[MEMORY_PLACE];
    memory_difference d;
    assert_true(memory_compare(&reference, &seen, NULL, 0, &d));
    assert_string_equal(d.unit, "pixel");
    assert_string_equal(d.reference, images[i].reference_value);
    assert_string_equal(d.seen, images[i].seen_value);
    memory_pixel(&d, d.first, place);
    assert_string_equal(place, images[i].first);
    memory_pixel(&d, d.last, place);
    assert_string_equal(place, images[i].last);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_memory_of_every_type),
      cmocka_unit_test(test_several_arguments),
      cmocka_unit_test(test_argument_without_parameter),
      cmocka_unit_test(test_pixels),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
