/* Expressions over a launch are computed as C computes them. What is expected follows from C's rules for the values below. */
/* cmocka.h wants these before it. */
/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
/* clang-format on */

#include "runner/ways/evaluate.h"

/* $0: int 100; $1: uint 5; $2: int -3; $3: a buffer of 400 bytes of float; $4: float; $5: ulong 2^40; $6: char -1 */
static parameter parameters[] = {
    {"n", "int", PARAMETER_VALUE, 4, true, false, false},    {"u", "uint", PARAMETER_VALUE, 4, true, true, false},
    {"m", "int", PARAMETER_VALUE, 4, true, false, false},    {"a", "float", PARAMETER_GLOBAL, 4, false, false, false},
    {"f", "float", PARAMETER_VALUE, 4, false, false, false}, {"w", "ulong", PARAMETER_VALUE, 8, true, true, false},
    {"c", "char", PARAMETER_VALUE, 1, true, false, false},
};
static const signature of = {"k", parameters, sizeof parameters / sizeof parameters[0], 1, false};

static truth value_of(const char *expression, bool local_chosen) {
  static unsigned char four[4];
  observed_argument arguments[] = {
      {.kind = OBSERVED_INTEGER, .parameter = 0, .integer = 100},
      {.kind = OBSERVED_INTEGER, .parameter = 1, .integer = 5},
      {.kind = OBSERVED_INTEGER, .parameter = 2, .integer = -3},
      {.kind = OBSERVED_BUFFER, .parameter = 3, .size = 400},
      {.kind = OBSERVED_BYTES, .parameter = 4, .bytes = four, .size = 4},
      {.kind = OBSERVED_INTEGER, .parameter = 5, .integer = INT64_C(1) << 40},
      {.kind = OBSERVED_INTEGER, .parameter = 6, .integer = -1},
  };
  const observed_launch l = {.dimensions = 1,
                             .local = {64, 1, 1},
                             .groups = {2, 1, 1},
                             .local_chosen = local_chosen,
                             .arguments = arguments,
                             .argument_count = sizeof arguments / sizeof arguments[0]};
  return evaluate(expression, &of, &l);
}

static void test_values(void **state) {
  static const char *const hold[] = {"$0 == 100",
                                     "get_global_size(0) == (($0 + 63) / 64) * 64",
                                     "get_global_size(0) % 64 == 0",
                                     "get_local_size(0) == 64 && get_num_groups(0) == 2",
                                     "get_global_offset(0) == 0",
                                     "get_global_size(1) == 1",
                                     "elements($3) == (ulong)$0",
                                     "elements($3) == 100UL",
                                     "1 + 2 * 3 == 7",
                                     "(1 + 2) * 3 == 9",
                                     "10 - 4 - 3 == 3",
                                     "100 / 7 / 2 == 7",
                                     "$2 / 2 == -1",
                                     "$2 % 2 == -1",
                                     "-$2 == 3",
                                     "~$2 == 2",
                                     "!($2 == 0)",
                                     "$2 < 0",
                                     "(uint)$2 > $1",
                                     "$1 > $2 == 0", /* -3 is large as an unsigned number */
                                     "$1 - 6 > 0",   /* and so is 5 - 6 */
                                     "(ulong)$2 > $5",
                                     "$5 == 1099511627776",
                                     "(int)$5 == 0",
                                     "$6 < 0",
                                     "(uchar)$6 == 255",
                                     "$6 + 1 == 0",
                                     "1 << 4 == 16",
                                     "$2 >> 1 == -2",
                                     "(uint)$2 >> 31 == 1",
                                     "($0 > 50 ? $0 : $1) == 100",
                                     "($0 < 50 ? 1 / 0 : 7) == 7",
                                     "$0 == 1 || $0 == 100",
                                     "$0 == 100 || 1 / 0 == 1",
                                     "(6 & 3) == 2 && (6 | 3) == 7 && (6 ^ 3) == 5",
                                     "1 | 2 == 3"};
  (void)state;
  for (size_t i = 0; i < sizeof hold / sizeof hold[0]; i++) {
    if (value_of(hold[i], false) != TRUTH_YES) {
      fail_msg("does not hold: %s", hold[i]);
    }
  }
}

static void test_no(void **state) {
  static const char *const not [] = {"$0 < 100", "$0 == 100 && $2 > 0", "elements($3) == 101", "$1 > $2",
                                     "0 == 100 || 1 / 1 == 2"};
  (void)state;
  for (size_t i = 0; i < sizeof not / sizeof not [0]; i++) {
    if (value_of(not [i], false) != TRUTH_NO) {
      fail_msg("holds, or is not known: %s", not [i]);
    }
  }
}

static void test_unknown(void **state) {
  static const char *const unknown[] = {
      "$0 / 0 == 1", "$0 % ($0 - 100) == 1", "$4 == 0",    "$9 == 0", "elements($0) == 1",       "1 << 32 == 0",
      "$0 ==",       "($0 == 100",           "$0 == 100)", "",        "get_global_size(3) == 1", "n == 1"};
  (void)state;
  for (size_t i = 0; i < sizeof unknown / sizeof unknown[0]; i++) {
    if (value_of(unknown[i], false) != TRUTH_UNKNOWN) {
      fail_msg("is known: %s", unknown[i]);
    }
  }
  assert_int_equal(value_of("get_local_size(0) == 64", true), TRUTH_UNKNOWN); /* the driver chose it */
  assert_int_equal(value_of("get_global_size(0) == 128", true), TRUTH_YES);
}

static void test_deep(void **state) {
  static char text[2001];
  (void)state;
  for (size_t i = 0; i < sizeof text - 1; i++) {
    text[i] = '(';
  }
  assert_int_equal(value_of(text, false), TRUTH_UNKNOWN);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_values),
      cmocka_unit_test(test_no),
      cmocka_unit_test(test_unknown),
      cmocka_unit_test(test_deep),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
