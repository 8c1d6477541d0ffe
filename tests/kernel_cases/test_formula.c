/* Formulas: values worked out by hand, and what is none. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "capture/number.h"
#include "cases/scope.h"

static const unsigned char numbers[] = {3, 0, 0, 0, 4, 0, 0, 0, 0xff, 0xff, 0xff, 0xff}; /* int: 3, 4, -1 */

static scope names(void) {
  scope s = {0};
  scope_add(&s, "n")->value.integer = 65;
  scope_name *half = scope_add(&s, "h");
  half->value = (formula_value){.real = true, .number = 0.5};
  scope_name *x = scope_add(&s, "x");
  *x = (scope_name){.name = x->name, .kind = SCOPE_ARRAY, .bytes = numbers, .number = NUMBER_INT, .count = 3};
  scope_name *word = scope_add(&s, "T");
  word->kind = SCOPE_WORD;
  word->word = strdup("float");
  scope_add(&s, "y")->kind = SCOPE_ARRAY;
  return s;
}

/* The value at element `i`; false: `why` says what is wrong, at `offset`. */
static bool value(const char *text, int64_t i, formula_value *out, formula_error *why) {
  scope s = names();
  formula *f = formula_read(text, &s, true, why);
  const bool known = f != NULL && formula_at(f, i, out, why) == 0;
  formula_free(f);
  scope_free(&s);
  return known;
}

static const struct {
  const char *text;
  int64_t i, value;
} integers[] = {
    {"1 + 2 * 3", 0, 7},
    {"(1 + 2) * 3", 0, 9},
    {"7 / 2", 0, 3},
    {"-7 / 2", 0, -3},
    {"-7 % 3", 0, -1},
    {"10 - 3 - 2", 0, 5},
    {"2 << 3 >> 1", 0, 8},
    {"1 | 6 & 3 ^ 1", 0, 3}, /* 6 & 3 = 2, 2 ^ 1 = 3, 1 | 3 = 3 */
    {"1 < 2 == 1", 0, 1},
    {"3 & 1 == 1", 0, 1},
    {"~0", 0, -1},
    {"!5 + !0", 0, 1},
    {"- - 4", 0, 4},
    {"n", 0, 65},
    {"0x1F + 010", 0, 39},
    {"5u + 3L", 0, 8},
    {"i * i", 7, 49},
    {"i % 2 ? 10 : 20", 3, 10},
    {"i % 2 ? 10 : i > 5 ? 30 : 20", 4, 20},
    {"0 && 1 / 0", 0, 0},
    {"1 || 1 / 0", 0, 1},
    {"2 && 3", 0, 1},
    {"min(3, -2) + max(3, -2)", 0, 1},
    {"ceil_div(n, 64)", 0, 2},
    {"ceil_div(64, 64)", 0, 1},
    {"round_up(n, 64)", 0, 128},
    {"round_up(0, 64)", 0, 0},
    {"abs(-9)", 0, 9},
    {"x[0] + x[1] * x[2]", 0, -1},
    {"x[i]", 1, 4},
    {"sum(k, 0, 3, x[k])", 0, 6},
    {"sum(k, 0, i, sum(m, 0, k, 1))", 4, 6}, /* 0 + 1 + 2 + 3 */
    {"sum(k, 5, 5, 1 / 0)", 0, 0},
    {"9223372036854775807", 0, INT64_MAX},
    {"18446744073709551615 - 9223372036854775808", 0, INT64_MAX},
    {"-9223372036854775808", 0, INT64_MIN},
    {"(1 << 63) / 2", 0, INT64_C(1) << 62},
    {"9223372036854775808 > 9223372036854775807", 0, 1},
    {"18446744073709551615 % 10", 0, 5},
    {"18446744073709551615 & 255", 0, 255},
    {"18446744073709551615 >> 60", 0, 15},
    {"-1 * 9223372036854775808", 0, INT64_MIN},
    {"min(18446744073709551615, -1)", 0, -1},
    {"0xffffffffffffffff == 18446744073709551615", 0, 1},
    {"sum(a, 0, 1000, sum(b, 0, 1000, 1))", 0, 1000000},
    {"0.5 < h", 0, 0},
    {"0.5 == h", 0, 1},
};

static void test_integers(void **state) {
  (void)state;
  for (size_t k = 0; k < sizeof integers / sizeof *integers; k++) {
    formula_value v = {0};
    formula_error why = {0};
    if (!value(integers[k].text, integers[k].i, &v, &why) || v.real || v.integer != integers[k].value) {
      fail_msg("%s: %lld and not %lld %s", integers[k].text, (long long)v.integer, (long long)integers[k].value,
               why.text);
    }
  }
}

static const struct {
  const char *text;
  double value;
} reals[] = {
    {"1.5", 1.5},           {"7 / 2.0", 3.5},     {"1e3", 1000},         {".5f * 4", 2},
    {"sqrt(16)", 4},        {"h + 1", 1.5},       {"max(1, 2.5)", 2.5},  {"floor(-1.5)", -2},
    {"pow(2, 10)", 1024},   {"-inf", -INFINITY},  {"exp(0)", 1},         {"abs(-h)", 0.5},
    {"sum(k, 0, 4, h)", 2}, {"float(0.1)", 0.1f}, {"1 / 0.0", INFINITY}, {"1 ? h : 2", 0.5},
};

static void test_reals(void **state) {
  (void)state;
  for (size_t k = 0; k < sizeof reals / sizeof *reals; k++) {
    formula_value v = {0};
    formula_error why = {0};
    if (!value(reals[k].text, 0, &v, &why) || !v.real || v.number != reals[k].value)
      fail_msg("%s: %g and not %g %s", reals[k].text, v.number, reals[k].value, why.text);
  }
}

static const struct {
  const char *text;
  size_t offset;
  const char *says;
} wrongs[] = {
    {"", 0, "ends too early"},
    {"1 +", 3, "ends too early"},
    {"1 2", 2, "has no meaning"},
    {"(1", 2, "a ) is missing"},
    {"m + 1", 0, "no name m"},
    {"1 + foo(2)", 4, "no function foo"},
    {"T", 0, "is the word float"},
    {"x", 0, "is a buffer"},
    {"y[0]", 0, "nobody has written y"},
    {"x[3]", 0, "has 3 numbers"},
    {"x[-1]", 0, "has 3 numbers"},
    {"x[h]", 0, "index is an integer"},
    {"1 / 0", 2, "divides by 0"},
    {"5 % 0", 2, "divides by 0"},
    {"18446744073709551615 + 1", 21, "64 bits"},
    {"18446744073709551616", 0, "64 bits"},
    {"-9223372036854775808 - 1", 21, "64 bits"},
    {"-9223372036854775809", 0, "64 bits"},
    {"9223372036854775808 * 2", 20, "64 bits"},
    {"18446744073709551615 * 18446744073709551615", 21, "64 bits"},
    {"-4611686018427387905 * 2", 21, "64 bits"},
    {"2 << 63", 2, "64 bits"},
    {"~9223372036854775808", 0, "64 bits"},
    {"sum(k, 0, 3, 9223372036854775808)", 0, "64 bits"},
    {"sum(a, 0, 100000, sum(b, 0, 100000, sum(c, 0, 100000, 1)))", 18, "parts in all"},
    {"sum(a, 0, 10000, sum(b, 0, 60000, 1)) ? 1 : 2", 17, "parts in all"},
    {"1 << 64", 2, "shifts by 64"},
    {"1.5 % 2", 4, "take integers"},
    {"~1.5", 0, "takes an integer"},
    {"round_up(5, 0)", 0, "positive"},
    {"round_up(1.5, 2)", 0, "takes integers"},
    {"min(1)", 5, "takes 2 numbers"},
    {"sqrt(1, 2)", 6, "takes 1 number"},
    {"sum(k, 0, 100000000000, 1)", 0, "at most"},
    {"k + sum(k, 0, 1, k)", 0, "no name k"},
    {"12abc", 0, "no number"},
    {"1 @ 2", 2, "has no meaning"},
};

static void test_wrong(void **state) {
  (void)state;
  for (size_t k = 0; k < sizeof wrongs / sizeof *wrongs; k++) {
    formula_value v = {0};
    formula_error why = {0};
    if (value(wrongs[k].text, 0, &v, &why) || strstr(why.text, wrongs[k].says) == NULL ||
        why.offset != wrongs[k].offset) {
      fail_msg("\"%s\": %zu \"%s\", and not %zu \"%s\"", wrongs[k].text, why.offset, why.text, wrongs[k].offset,
               wrongs[k].says);
    }
  }
}

/* `i` is known where elements are described, and nowhere else. */
static void test_element(void **state) {
  (void)state;
  formula_error why = {0};
  scope none = {0};
  assert_null(formula_read("i + 1", &none, false, &why));
  assert_non_null(strstr(why.text, "number of an element"));
}

/* A formula that would need a deep stack is refused. */
static void test_deep(void **state) {
  (void)state;
  static char text[100001];
  formula_value v = {0};
  formula_error why = {0};
  memset(text, '(', sizeof text - 1);
  assert_false(value(text, 0, &v, &why));
  assert_non_null(strstr(why.text, "too deep"));
  memset(text, '-', sizeof text - 1);
  assert_false(value(text, 0, &v, &why));
}

static void test_placeholders(void **state) {
  (void)state;
  scope s = names();
  buffer out = {0};
  assert_int_equal(scope_fill(&s, "n={n}, {T} {{n} {h}", &out), -1);
  assert_string_equal(buffer_text(&out), "n=65, float {n} 0.5");
  assert_int_equal(scope_fill(&s, "a {m}", &out), 2);
  assert_int_equal(scope_fill(&s, "{n", &out), 0);
  assert_int_equal(scope_fill(&s, "{x}", &out), 0); /* a buffer */
  buffer_free(&out);
  scope_free(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_integers), cmocka_unit_test(test_reals),
                                     cmocka_unit_test(test_wrong),    cmocka_unit_test(test_element),
                                     cmocka_unit_test(test_deep),     cmocka_unit_test(test_placeholders)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
