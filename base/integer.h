/* Operators of C, and integers: values of a width with a sign, and what operators make of them (C11 6.5). */
#ifndef CLTC_BASE_INTEGER_H
#define CLTC_BASE_INTEGER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum c_operator {
  OP_NONE,
  OP_ADD,
  OP_SUBTRACT,
  OP_MULTIPLY,
  OP_DIVIDE,
  OP_REMAINDER,
  OP_SHIFT_LEFT,
  OP_SHIFT_RIGHT,
  OP_LESS,
  OP_GREATER,
  OP_LESS_EQUAL,
  OP_GREATER_EQUAL,
  OP_EQUAL,
  OP_NOT_EQUAL,
  OP_AND,
  OP_XOR,
  OP_OR,
  OP_LOGICAL_AND,
  OP_LOGICAL_OR,
  OP_BINARY_END,
  OP_NOT = OP_BINARY_END,
  OP_NEGATE,
  OP_COMPLEMENT,
  OP_COUNT
} c_operator;

/* As C writes them; OP_NONE: "". `level`: of binary ones 1 to 10, those that bind more tightly have a higher one; else 0. */
extern const struct c_operator_word {
  const char *text;
  unsigned level;
} c_operators[OP_COUNT];

/* Of a comparison, the one that holds when it does not; and the one with its sides exchanged. Of others OP_NONE. */
c_operator c_operator_negated(c_operator op);
c_operator c_operator_mirrored(c_operator op);

/* The binary one that a text begins with: "<<=" with <<. OP_NONE: with none. */
c_operator c_operator_at(const char *text);

typedef struct integer_type {
  unsigned bits; /* 1 to 64 */
  bool is_unsigned;
} integer_type;

typedef enum integer_result {
  INTEGER_EXACT,
  INTEGER_OVERFLOWS, /* of a signed type: the value has wrapped around */
  INTEGER_UNDEFINED  /* by 0, or shifted by what is negative or too much: there is no value */
} integer_result;

/* Cut to the type's width, extended by its sign. */
int64_t integer_wrap(uint64_t bits, integer_type t);

/* A number of 1 to 8 bytes as it lies in memory, the lowest first. */
int64_t integer_of_bytes(const void *bytes, size_t size, bool is_unsigned);

/* `a` and `b` are values of the type, of shifts `a` alone; comparisons and logical operators give 0 or 1. */
integer_result integer_compute(c_operator op, int64_t a, int64_t b, integer_type t, int64_t *out);

/* The largest number that divides both; of 0 and b: b. */
uint64_t common_divisor(uint64_t a, uint64_t b);

/* 0 to 15; -1: the character is no hexadecimal digit. */
int hex_digit(char c);

#endif
