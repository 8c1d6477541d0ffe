/* Integers of C in 64 bits, whatever their width. */
#include "base/integer.h"

#include <string.h>

const struct integer_operator_word integer_operators[INTEGER_OPERATORS] = {
    [INTEGER_NO_OPERATOR] = {"", 0},  [INTEGER_LOGICAL_OR] = {"||", 1},  [INTEGER_LOGICAL_AND] = {"&&", 2},
    [INTEGER_OR] = {"|", 3},          [INTEGER_XOR] = {"^", 4},          [INTEGER_AND] = {"&", 5},
    [INTEGER_EQUAL] = {"==", 6},      [INTEGER_NOT_EQUAL] = {"!=", 6},   [INTEGER_LESS] = {"<", 7},
    [INTEGER_GREATER] = {">", 7},     [INTEGER_LESS_EQUAL] = {"<=", 7},  [INTEGER_GREATER_EQUAL] = {">=", 7},
    [INTEGER_SHIFT_LEFT] = {"<<", 8}, [INTEGER_SHIFT_RIGHT] = {">>", 8}, [INTEGER_ADD] = {"+", 9},
    [INTEGER_SUBTRACT] = {"-", 9},    [INTEGER_MULTIPLY] = {"*", 10},    [INTEGER_DIVIDE] = {"/", 10},
    [INTEGER_REMAINDER] = {"%", 10},
};

integer_operator integer_operator_at(const char *text) {
  integer_operator found = INTEGER_NO_OPERATOR;
  for (integer_operator op = INTEGER_ADD; op < INTEGER_OPERATORS; op++) {
    const size_t length = strlen(integer_operators[op].text);
    if (length > strlen(integer_operators[found].text) && strncmp(text, integer_operators[op].text, length) == 0)
      found = op;
  }
  return found;
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
static integer_result signed_result(integer_operator op, int64_t a, int64_t b, integer_type t, int64_t *out) {
  int64_t value = 0;
  const bool over = op == INTEGER_ADD        ? __builtin_add_overflow(a, b, &value)
                    : op == INTEGER_SUBTRACT ? __builtin_sub_overflow(a, b, &value)
                                             : __builtin_mul_overflow(a, b, &value);
  *out = integer_wrap((uint64_t)value, t);
  return over || *out != value ? INTEGER_OVERFLOWS : INTEGER_EXACT;
}

static integer_result quotient(integer_operator op, int64_t a, int64_t b, integer_type t, int64_t *out) {
  const bool rest = op == INTEGER_REMAINDER;
  if (b == 0) return INTEGER_UNDEFINED;
  if (t.is_unsigned) {
    *out = (int64_t)(rest ? (uint64_t)a % (uint64_t)b : (uint64_t)a / (uint64_t)b);
    return INTEGER_EXACT;
  }
  if (b == -1) { /* the quotient of the smallest number overflows, and the remainder with it */
    const integer_result result = signed_result(INTEGER_SUBTRACT, 0, a, t, out);
    *out = rest ? 0 : *out;
    return result;
  }
  *out = rest ? a % b : a / b;
  return INTEGER_EXACT;
}

static integer_result shifted(integer_operator op, int64_t a, int64_t b, integer_type t, int64_t *out) {
  if (b < 0 || b >= (int64_t)t.bits) return INTEGER_UNDEFINED;
  *out = op == INTEGER_SHIFT_LEFT  ? integer_wrap((uint64_t)a << b, t)
         : t.is_unsigned || a >= 0 ? (int64_t)((uint64_t)a >> b)
                                   : (int64_t) ~(~(uint64_t)a >> b);
  return INTEGER_EXACT;
}

integer_result integer_compute(integer_operator op, int64_t a, int64_t b, integer_type t, int64_t *out) {
  const uint64_t x = (uint64_t)a, y = (uint64_t)b;
  const bool less = t.is_unsigned ? x < y : a < b;
  switch (op) {
    case INTEGER_ADD:
    case INTEGER_SUBTRACT:
    case INTEGER_MULTIPLY:
      if (!t.is_unsigned) return signed_result(op, a, b, t, out);
      *out = integer_wrap(op == INTEGER_ADD ? x + y : op == INTEGER_SUBTRACT ? x - y : x * y, t);
      break;
    case INTEGER_DIVIDE:
    case INTEGER_REMAINDER: return quotient(op, a, b, t, out);
    case INTEGER_SHIFT_LEFT:
    case INTEGER_SHIFT_RIGHT: return shifted(op, a, b, t, out);
    case INTEGER_AND:
    case INTEGER_OR:
    case INTEGER_XOR: *out = op == INTEGER_AND ? a & b : op == INTEGER_OR ? a | b : a ^ b; break;
    case INTEGER_LESS:
    case INTEGER_GREATER_EQUAL: *out = less == (op == INTEGER_LESS); break;
    case INTEGER_GREATER:
    case INTEGER_LESS_EQUAL: *out = (less || a == b) == (op == INTEGER_LESS_EQUAL); break;
    case INTEGER_EQUAL:
    case INTEGER_NOT_EQUAL: *out = (a == b) == (op == INTEGER_EQUAL); break;
    case INTEGER_LOGICAL_AND: *out = a != 0 && b != 0; break;
    case INTEGER_LOGICAL_OR: *out = a != 0 || b != 0; break;
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
