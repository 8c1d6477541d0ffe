/* Expressions are computed as C computes them, and written so that they are read back as the same. What is expected follows
 * from C's rules for the values below. */
/* cmocka.h wants these before it. */
/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
/* clang-format on */

#include "base/memory.h"
#include "proofs/host/host.h"

static mem_arena arena;

static const host_expression *keep(host_expression e) {
  host_expression *made = mem_arena_take(&arena, sizeof *made);
  *made = e;
  return made;
}

static const host_integer int_type = {32, true}, uint_type = {32, false}, long_type = {64, true},
                          ulong_type = {64, false};

/* $0: int 100; $1: uint 5; $2: int -3; $3: ulong 2^40; $4: char -1; $5: int, not known */
static const int64_t arguments[] = {100, 5, -3, INT64_C(1) << 40, -1};

static bool value(const void *context, host_seen seen, unsigned index, int64_t *out) {
  (void)context;
  *out = seen == SEEN_ELEMENTS ? 100 : seen == SEEN_GLOBAL_SIZE ? 128 : index < 5 ? arguments[index] : 0;
  return seen != SEEN_ARGUMENT || index < 5;
}

static const host_expression *seen(host_seen what, unsigned index, host_integer type) {
  return keep((host_expression){.kind = EXPRESSION_SEEN, .seen = what, .index = index, .type = type});
}

static const host_expression *arg(unsigned i) {
  static const host_integer types[] = {{32, true}, {32, false}, {32, true}, {64, false}, {8, true}, {32, true}};
  return seen(SEEN_ARGUMENT, i, types[i]);
}

static const host_expression *num(int64_t n) {
  return keep((host_expression){.kind = EXPRESSION_NUMBER, .type = int_type, .value = n});
}

static const host_expression *op(const host_expression *a, c_operator o, const host_expression *b) {
  const bool truth = (o >= OP_LESS && o <= OP_NOT_EQUAL) || o == OP_LOGICAL_AND || o == OP_LOGICAL_OR;
  const host_integer type = truth                                         ? int_type
                            : (o == OP_SHIFT_LEFT || o == OP_SHIFT_RIGHT) ? integer_promoted(a->type)
                                                                          : integer_usual(a->type, b->type);
  return keep((host_expression){.kind = EXPRESSION_BINARY, .op = o, .type = type, .a = a, .b = b});
}

static const host_expression *one(c_operator o, const host_expression *a) {
  const host_integer type = o == OP_NOT ? int_type : integer_promoted(a->type);
  return keep((host_expression){.kind = EXPRESSION_UNARY, .op = o, .type = type, .a = a});
}

static const host_expression *cast(host_integer type, const host_expression *a) {
  return keep((host_expression){.kind = EXPRESSION_CAST, .type = type, .a = a});
}

static const host_expression *choose(const host_expression *a, const host_expression *b, const host_expression *c) {
  return keep(
      (host_expression){.kind = EXPRESSION_CHOICE, .type = integer_usual(b->type, c->type), .a = a, .b = b, .c = c});
}

static const host_expression *is(const host_expression *a, int64_t n) { return op(a, OP_EQUAL, num(n)); }

static const seen_values values = {NULL, value};

static void holds(const host_expression *e, const char *text) {
  buffer written = {0};
  int64_t result = 0;
  expression_write(e, NULL, &written);
  assert_string_equal(buffer_text(&written), text);
  buffer_free(&written);
  assert_true(expression_value(e, &values, &result));
  assert_int_equal(result, 1);
}

static void unknown(const host_expression *e) {
  int64_t result = 0;
  assert_false(expression_value(e, &values, &result));
}

static void test_values(void **state) {
  (void)state;
  const host_expression *global = seen(SEEN_GLOBAL_SIZE, 0, ulong_type);
  const host_expression *up = op(op(op(arg(0), OP_ADD, num(63)), OP_DIVIDE, num(64)), OP_MULTIPLY, num(64));
  holds(is(arg(0), 100), "$0 == 100");
  holds(op(global, OP_EQUAL, up), "get_global_size(0) == ((($0 + 63) / 64) * 64)");
  holds(is(op(global, OP_REMAINDER, num(64)), 0), "(get_global_size(0) % 64) == 0");
  holds(op(seen(SEEN_ELEMENTS, 3, ulong_type), OP_EQUAL, cast(ulong_type, arg(0))), "elements($3) == (ulong)$0");
  holds(is(op(op(num(10), OP_SUBTRACT, num(4)), OP_SUBTRACT, num(3)), 3), "((10 - 4) - 3) == 3");
  holds(is(op(arg(2), OP_DIVIDE, num(2)), -1), "($2 / 2) == -1");
  holds(is(op(arg(2), OP_REMAINDER, num(2)), -1), "($2 % 2) == -1");
  holds(is(op(arg(2), OP_DIVIDE, num(-1)), 3), "($2 / -1) == 3");
  holds(is(one(OP_NEGATE, arg(2)), 3), "(-$2) == 3");
  holds(is(one(OP_COMPLEMENT, arg(2)), 2), "(~$2) == 2");
  holds(one(OP_NOT, is(arg(2), 0)), "!($2 == 0)");
  holds(op(cast(uint_type, arg(2)), OP_GREATER, arg(1)), "(uint)$2 > $1");
  holds(op(cast(ulong_type, arg(2)), OP_GREATER, arg(3)), "(ulong)$2 > $3");
  holds(op(arg(3), OP_EQUAL, keep((host_expression){.type = long_type, .value = INT64_C(1) << 40})),
        "$3 == 1099511627776L");
  holds(is(cast(int_type, arg(3)), 0), "(int)$3 == 0");
  holds(is(cast((host_integer){8, false}, arg(4)), 255), "(uchar)$4 == 255");
  holds(is(op(arg(4), OP_ADD, num(1)), 0), "($4 + 1) == 0");
  holds(is(op(num(1), OP_SHIFT_LEFT, num(4)), 16), "(1 << 4) == 16");
  holds(is(op(arg(2), OP_SHIFT_RIGHT, num(1)), -2), "($2 >> 1) == -2");
  holds(is(op(cast(uint_type, arg(2)), OP_SHIFT_RIGHT, num(31)), 1), "((uint)$2 >> 31) == 1");
  holds(op(is(op(num(6), OP_AND, num(3)), 2), OP_LOGICAL_AND, is(op(num(6), OP_XOR, num(3)), 5)),
        "((6 & 3) == 2) && ((6 ^ 3) == 5)");
}

/* What C's usual conversions make of numbers of several types. */
static void test_conversions(void **state) {
  (void)state;
  holds(is(op(arg(1), OP_GREATER, arg(2)), 0), "($1 > $2) == 0"); /* -3 is large as an unsigned number */
  holds(op(op(arg(1), OP_SUBTRACT, num(6)), OP_GREATER, num(0)), "($1 - 6) > 0"); /* and so is 5 - 6 */
  holds(op(arg(4), OP_LESS, num(0)), "$4 < 0");
}

/* Operands that C does not evaluate may be anything. */
static void test_not_evaluated(void **state) {
  (void)state;
  const host_expression *undefined = op(num(1), OP_DIVIDE, num(0));
  holds(is(choose(op(arg(0), OP_LESS, num(50)), undefined, num(7)), 7), "(($0 < 50) ? (1 / 0) : 7) == 7");
  holds(op(is(arg(0), 100), OP_LOGICAL_OR, is(undefined, 1)), "($0 == 100) || ((1 / 0) == 1)");
  holds(is(op(is(arg(0), 1), OP_LOGICAL_AND, undefined), 0), "(($0 == 1) && (1 / 0)) == 0");
  unknown(op(is(arg(0), 1), OP_LOGICAL_OR, is(undefined, 1)));
}

static void test_unknown(void **state) {
  (void)state;
  const host_expression *least = op(num(INT32_MIN), OP_DIVIDE, num(-1));
  unknown(op(arg(0), OP_DIVIDE, num(0)));
  unknown(op(arg(0), OP_REMAINDER, op(arg(0), OP_SUBTRACT, num(100))));
  unknown(is(arg(5), 0));
  unknown(op(num(1), OP_SHIFT_LEFT, num(32)));
  unknown(op(num(1), OP_SHIFT_LEFT, num(-1)));
  unknown(is(least, 0));
}

static void test_names(void **state) {
  (void)state;
  static const char *const names[] = {"a", "n"};
  buffer out = {0};
  const host_expression *e = op(seen(SEEN_ELEMENTS, 0, ulong_type), OP_EQUAL, op(arg(1), OP_MULTIPLY, arg(1)));
  expression_write(e, names, &out);
  assert_string_equal(buffer_text(&out), "elements(a) == (n * n)");
  buffer_free(&out);
  assert_true(expression_same(e, op(seen(SEEN_ELEMENTS, 0, ulong_type), OP_EQUAL, op(arg(1), OP_MULTIPLY, arg(1)))));
  assert_false(expression_same(e, op(seen(SEEN_ELEMENTS, 1, ulong_type), OP_EQUAL, op(arg(1), OP_MULTIPLY, arg(1)))));
  assert_false(expression_same(e, op(seen(SEEN_ELEMENTS, 0, ulong_type), OP_EQUAL, op(arg(1), OP_MULTIPLY, arg(2)))));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_values),  cmocka_unit_test(test_conversions), cmocka_unit_test(test_not_evaluated),
      cmocka_unit_test(test_unknown), cmocka_unit_test(test_names),
  };
  const int failed = cmocka_run_group_tests(tests, NULL, NULL);
  mem_arena_free(&arena);
  return failed;
}
