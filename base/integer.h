/* Integers of C: values of a width with a sign, and what operators make of them (C11 6.5). */
#ifndef CLTC_BASE_INTEGER_H
#define CLTC_BASE_INTEGER_H

#include <stdbool.h>
#include <stdint.h>

typedef enum integer_operator {
  INTEGER_NO_OPERATOR,
  INTEGER_ADD,
  INTEGER_SUBTRACT,
  INTEGER_MULTIPLY,
  INTEGER_DIVIDE,
  INTEGER_REMAINDER,
  INTEGER_SHIFT_LEFT,
  INTEGER_SHIFT_RIGHT,
  INTEGER_LESS,
  INTEGER_GREATER,
  INTEGER_LESS_EQUAL,
  INTEGER_GREATER_EQUAL,
  INTEGER_EQUAL,
  INTEGER_NOT_EQUAL,
  INTEGER_AND,
  INTEGER_XOR,
  INTEGER_OR,
  INTEGER_LOGICAL_AND,
  INTEGER_LOGICAL_OR,
  INTEGER_OPERATORS
} integer_operator;

/* As C writes them; `level`: 1 to 10, those that bind more tightly have a higher one. */
extern const struct integer_operator_word {
  const char *text;
  unsigned level;
} integer_operators[INTEGER_OPERATORS];

/* The one that a text begins with: "<<=" with <<. INTEGER_NO_OPERATOR, whose level is 0: none. */
integer_operator integer_operator_at(const char *text);

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

/* `a` and `b` are values of the type, of shifts `a` alone; comparisons and logical operators give 0 or 1. */
integer_result integer_compute(integer_operator op, int64_t a, int64_t b, integer_type t, int64_t *out);

/* The largest number that divides both; of 0 and b: b. */
uint64_t common_divisor(uint64_t a, uint64_t b);

/* 0 to 15; -1: the character is no hexadecimal digit. */
int hex_digit(char c);

#endif
