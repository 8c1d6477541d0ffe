/* The tree of a formula, which one file reads and another one evaluates. */
#ifndef CLTC_CASES_FORMULA_INTERNAL_H
#define CLTC_CASES_FORMULA_INTERNAL_H

#include "cases/formula.h"

enum { FORMULA_VARIABLES = 8, FORMULA_OPERANDS = 4 };

typedef enum formula_kind {
  FORMULA_VALUE,
  FORMULA_VARIABLE, /* `slot`: 0 is i, others are bound by sum() */
  FORMULA_ELEMENT,  /* of an array: [index] */
  FORMULA_NEGATE,
  FORMULA_NOT,
  FORMULA_COMPLEMENT,
  FORMULA_AND,
  FORMULA_OR,
  FORMULA_CHOICE,
  FORMULA_SUM, /* from, to, each time; `slot` is its variable */
  FORMULA_BINARY,
  FORMULA_CALL
} formula_kind;

typedef enum formula_operator {
  OPERATOR_BIT_OR,
  OPERATOR_BIT_XOR,
  OPERATOR_BIT_AND,
  OPERATOR_EQUAL,
  OPERATOR_NOT_EQUAL,
  OPERATOR_LESS,
  OPERATOR_LESS_EQUAL,
  OPERATOR_GREATER,
  OPERATOR_GREATER_EQUAL,
  OPERATOR_LEFT,
  OPERATOR_RIGHT,
  OPERATOR_ADD,
  OPERATOR_SUBTRACT,
  OPERATOR_MULTIPLY,
  OPERATOR_DIVIDE,
  OPERATOR_REMAINDER
} formula_operator;

typedef struct formula_function {
  const char *name;
  unsigned operands;
  double (*of_one)(double); /* of real numbers; both NULL: of integers only */
  double (*of_two)(double, double);
  int (*integer)(number_wide, number_wide, number_wide *, const char **); /* NULL: always real; -1 with what is wrong */
} formula_function;

typedef struct formula_node formula_node;
struct formula_node {
  formula_kind kind;
  size_t offset; /* in the text */
  formula_value value;
  unsigned slot;
  formula_operator op;
  const formula_function *function;
  const scope_name *array;
  formula_node *operands[FORMULA_OPERANDS];
};

struct formula {
  formula_node *root;
  formula_node **nodes;
  size_t count, capacity;
  uint64_t elements; /* for which it is computed */
  uint64_t parts;    /* of sums, so far */
};

#endif
