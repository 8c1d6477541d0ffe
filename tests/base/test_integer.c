/* Integers of 8 and 32 bits, against the arithmetic of this file's own compiler. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/integer.h"

static const integer_type of_char = {8, false}, of_uchar = {8, true};

/* In a wider type: what C says of the mathematical result. */
static int64_t exact(c_operator op, int a, int b) {
  switch (op) {
    case OP_ADD: return a + b;
    case OP_SUBTRACT: return a - b;
    case OP_MULTIPLY: return a * b;
    case OP_DIVIDE: return a / b;
    case OP_REMAINDER: return a % b;
    default: return 0;
  }
}

static void check(c_operator op, int a, int b, integer_type t) {
  const int64_t low = t.is_unsigned ? 0 : INT8_MIN, high = t.is_unsigned ? UINT8_MAX : INT8_MAX;
  const bool divides = op == OP_DIVIDE || op == OP_REMAINDER;
  int64_t out = 0;
  const integer_result result = integer_compute(op, a, b, t, &out);
  if (divides && b == 0) {
    assert_int_equal(result, INTEGER_UNDEFINED);
    return;
  }
  const int64_t wanted = exact(op, a, b), quotient = divides ? a / b : wanted;
  assert_int_equal(out, t.is_unsigned ? (int64_t)(uint8_t)wanted : (int64_t)(int8_t)wanted);
  assert_int_equal(result, t.is_unsigned || (quotient >= low && quotient <= high) ? INTEGER_EXACT : INTEGER_OVERFLOWS);
}

static void all_of_eight_bits(void **state) {
  (void)state;
  for (int a = INT8_MIN; a <= UINT8_MAX; a++) {
    for (int b = INT8_MIN; b <= UINT8_MAX; b++) {
      for (int op = OP_ADD; op <= OP_REMAINDER; op++) {
        if (a <= INT8_MAX && b <= INT8_MAX) check((c_operator)op, a, b, of_char);
        if (a >= 0 && b >= 0) check((c_operator)op, a, b, of_uchar);
      }
    }
  }
}

static int64_t value(c_operator op, int64_t a, int64_t b, integer_type t) {
  int64_t out = 0;
  assert_int_equal(integer_compute(op, a, b, t, &out), INTEGER_EXACT);
  return out;
}

static void order_and_bits(void **state) {
  (void)state;
  const integer_type wide = {64, true}, of_long = {64, false};
  static const struct {
    c_operator op;
    int64_t as_signed, as_unsigned; /* of -1 and 1 */
  } rows[] = {{OP_LESS, 1, 0},  {OP_GREATER, 0, 1},     {OP_LESS_EQUAL, 1, 0}, {OP_GREATER_EQUAL, 0, 1},
              {OP_EQUAL, 0, 0}, {OP_NOT_EQUAL, 1, 1},   {OP_AND, 1, 1},        {OP_OR, -1, -1},
              {OP_XOR, -2, -2}, {OP_LOGICAL_AND, 1, 1}, {OP_LOGICAL_OR, 1, 1}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    assert_int_equal(value(rows[i].op, -1, 1, of_long), rows[i].as_signed);
    assert_int_equal(value(rows[i].op, -1, 1, wide), rows[i].as_unsigned);
  }
  assert_int_equal(value(OP_LESS_EQUAL, 3, 3, of_long), 1);
  assert_int_equal(value(OP_GREATER, 3, 3, of_long), 0);
  assert_int_equal(value(OP_LOGICAL_AND, 3, 0, of_long), 0);
}

static void comparisons(void **state) {
  (void)state;
  for (c_operator op = OP_NONE; op < OP_COUNT; op++) {
    const bool compares = op >= OP_LESS && op <= OP_NOT_EQUAL;
    assert_int_equal(c_operator_negated(op) != OP_NONE, compares);
    assert_int_equal(c_operator_mirrored(op) != OP_NONE, compares);
    for (int64_t a = -1; a <= 1 && compares; a++) {
      assert_int_equal(value(op, a, 0, of_char), !value(c_operator_negated(op), a, 0, of_char));
      assert_int_equal(value(op, a, 0, of_char), value(c_operator_mirrored(op), 0, a, of_char));
    }
  }
  assert_int_equal(c_operator_at("<<= 1"), OP_SHIFT_LEFT);
  assert_int_equal(c_operator_at("&"), OP_AND);
  assert_int_equal(c_operator_at("!a"), OP_NONE);
}

static void bytes(void **state) {
  (void)state;
  static const unsigned char four[] = {0xfe, 0xff, 0xff, 0xff};
  assert_int_equal(integer_of_bytes(four, 4, false), -2);
  assert_int_equal(integer_of_bytes(four, 4, true), 0xfffffffe);
  assert_int_equal(integer_of_bytes(four, 1, false), -2);
}

static void shifts(void **state) {
  (void)state;
  int64_t out = 0;
  assert_int_equal(value(OP_SHIFT_LEFT, 0x41, 1, of_char), -126);
  assert_int_equal(value(OP_SHIFT_LEFT, 0x41, 1, of_uchar), 130);
  assert_int_equal(value(OP_SHIFT_RIGHT, -128, 7, of_char), -1);
  assert_int_equal(value(OP_SHIFT_RIGHT, 128, 7, of_uchar), 1);
  assert_int_equal(integer_compute(OP_SHIFT_LEFT, 1, 8, of_char, &out), INTEGER_UNDEFINED);
  assert_int_equal(integer_compute(OP_SHIFT_RIGHT, 1, -1, of_char, &out), INTEGER_UNDEFINED);
}

static void largest(void **state) {
  (void)state;
  int64_t out = 0;
  assert_int_equal(integer_compute(OP_ADD, INT64_MAX, 1, (integer_type){64, false}, &out), INTEGER_OVERFLOWS);
  assert_int_equal(out, INT64_MIN);
  assert_int_equal(integer_compute(OP_DIVIDE, INT64_MIN, -1, (integer_type){64, false}, &out), INTEGER_OVERFLOWS);
  assert_int_equal(value(OP_DIVIDE, -1, 2, (integer_type){64, true}), INT64_MAX);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(all_of_eight_bits), cmocka_unit_test(order_and_bits), cmocka_unit_test(shifts),
      cmocka_unit_test(comparisons),       cmocka_unit_test(bytes),          cmocka_unit_test(largest)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
