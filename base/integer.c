/* Integers of C in 64 bits, whatever their width. */
#include "base/integer.h"

#include <string.h>

const struct c_operator_word c_operators[OP_COUNT] = {
    [OP_NONE] = {"", 0},         [OP_LOGICAL_OR] = {"||", 1},  [OP_LOGICAL_AND] = {"&&", 2},
    [OP_OR] = {"|", 3},          [OP_XOR] = {"^", 4},          [OP_AND] = {"&", 5},
    [OP_EQUAL] = {"==", 6},      [OP_NOT_EQUAL] = {"!=", 6},   [OP_LESS] = {"<", 7},
    [OP_GREATER] = {">", 7},     [OP_LESS_EQUAL] = {"<=", 7},  [OP_GREATER_EQUAL] = {">=", 7},
    [OP_SHIFT_LEFT] = {"<<", 8}, [OP_SHIFT_RIGHT] = {">>", 8}, [OP_ADD] = {"+", 9},
    [OP_SUBTRACT] = {"-", 9},    [OP_MULTIPLY] = {"*", 10},    [OP_DIVIDE] = {"/", 10},
    [OP_REMAINDER] = {"%", 10},  [OP_NOT] = {"!", 0},          [OP_NEGATE] = {"-", 0},
    [OP_COMPLEMENT] = {"~", 0},
};

c_operator c_operator_at(const char *text) {
  c_operator found = OP_NONE;
  for (c_operator op = OP_ADD; op < OP_BINARY_END; op++) {
    const size_t length = strlen(c_operators[op].text);
    if (length > strlen(c_operators[found].text) && strncmp(text, c_operators[op].text, length) == 0) found = op;
  }
  return found;
}

c_operator c_operator_negated(c_operator op) {
  static const c_operator negated[OP_COUNT] = {
      [OP_LESS] = OP_GREATER_EQUAL, [OP_GREATER_EQUAL] = OP_LESS, [OP_GREATER] = OP_LESS_EQUAL,
      [OP_LESS_EQUAL] = OP_GREATER, [OP_EQUAL] = OP_NOT_EQUAL,    [OP_NOT_EQUAL] = OP_EQUAL};
  return negated[op];
}

c_operator c_operator_mirrored(c_operator op) {
  static const c_operator mirrored[OP_COUNT] = {[OP_LESS] = OP_GREATER,
                                                [OP_GREATER] = OP_LESS,
                                                [OP_LESS_EQUAL] = OP_GREATER_EQUAL,
                                                [OP_GREATER_EQUAL] = OP_LESS_EQUAL,
                                                [OP_EQUAL] = OP_EQUAL,
                                                [OP_NOT_EQUAL] = OP_NOT_EQUAL};
  return mirrored[op];
}

int64_t integer_of_bytes(const void *bytes, size_t size, bool is_unsigned) {
  uint64_t bits = 0;
  memcpy(&bits, bytes, size);
  return integer_wrap(bits, (integer_type){(unsigned)(8 * size), is_unsigned});
}

int64_t integer_wrap(uint64_t bits, integer_type t) {
  if (t.bits < 64) {
    const uint64_t mask = (UINT64_C(1) << t.bits) - 1;
    const bool negative = !t.is_unsigned && (bits >> (t.bits - 1) & 1) != 0;
    bits = negative ? bits | ~mask : bits & mask;
  }
  return (int64_t)bits;
}

/* A sum, difference or product of a signed type. */
static integer_result signed_result(c_operator op, int64_t a, int64_t b, integer_type t, int64_t *out) {
  int64_t value = 0;
  const bool over = op == OP_ADD        ? __builtin_add_overflow(a, b, &value)
                    : op == OP_SUBTRACT ? __builtin_sub_overflow(a, b, &value)
                                        : __builtin_mul_overflow(a, b, &value);
  *out = integer_wrap((uint64_t)value, t);
  return over || *out != value ? INTEGER_OVERFLOWS : INTEGER_EXACT;
}

static integer_result quotient(c_operator op, int64_t a, int64_t b, integer_type t, int64_t *out) {
  const bool rest = op == OP_REMAINDER;
  if (b == 0) return INTEGER_UNDEFINED;
  if (t.is_unsigned) {
    *out = (int64_t)(rest ? (uint64_t)a % (uint64_t)b : (uint64_t)a / (uint64_t)b);
    return INTEGER_EXACT;
  }
  if (b == -1) { /* the quotient of the smallest number overflows, and the remainder with it */
    const integer_result result = signed_result(OP_SUBTRACT, 0, a, t, out);
    *out = rest ? 0 : *out;
    return result;
  }
  *out = rest ? a % b : a / b;
  return INTEGER_EXACT;
}

static integer_result shifted(c_operator op, int64_t a, int64_t b, integer_type t, int64_t *out) {
  if (b < 0 || b >= (int64_t)t.bits) return INTEGER_UNDEFINED;
  *out = op == OP_SHIFT_LEFT       ? integer_wrap((uint64_t)a << b, t)
         : t.is_unsigned || a >= 0 ? (int64_t)((uint64_t)a >> b)
                                   : (int64_t) ~(~(uint64_t)a >> b);
  return INTEGER_EXACT;
}

integer_result integer_compute(c_operator op, int64_t a, int64_t b, integer_type t, int64_t *out) {
  const uint64_t x = (uint64_t)a, y = (uint64_t)b;
  const bool less = t.is_unsigned ? x < y : a < b;
  switch (op) {
    case OP_ADD:
    case OP_SUBTRACT:
    case OP_MULTIPLY:
      if (!t.is_unsigned) return signed_result(op, a, b, t, out);
      *out = integer_wrap(op == OP_ADD ? x + y : op == OP_SUBTRACT ? x - y : x * y, t);
      break;
    case OP_DIVIDE:
    case OP_REMAINDER: return quotient(op, a, b, t, out);
    case OP_SHIFT_LEFT:
    case OP_SHIFT_RIGHT: return shifted(op, a, b, t, out);
    case OP_AND:
    case OP_OR:
    case OP_XOR: *out = op == OP_AND ? a & b : op == OP_OR ? a | b : a ^ b; break;
    case OP_LESS:
    case OP_GREATER_EQUAL: *out = less == (op == OP_LESS); break;
    case OP_GREATER:
    case OP_LESS_EQUAL: *out = (less || a == b) == (op == OP_LESS_EQUAL); break;
    case OP_EQUAL:
    case OP_NOT_EQUAL: *out = (a == b) == (op == OP_EQUAL); break;
    case OP_LOGICAL_AND: *out = a != 0 && b != 0; break;
    case OP_LOGICAL_OR: *out = a != 0 || b != 0; break;
    default: return INTEGER_UNDEFINED;
  }
  return INTEGER_EXACT;
}

uint64_t common_divisor(uint64_t a, uint64_t b) {
  while (a != 0) {
    const uint64_t rest = b % a;
    b = a;
    a = rest;
  }
  return b;
}

int hex_digit(char c) {
  return c >= '0' && c <= '9'   ? c - '0'
         : c >= 'a' && c <= 'f' ? c - 'a' + 10
         : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                : -1;
}
