/* The expressions of a program that are executed, with their types, as libclang sees them. What must be known when a
 * program is compiled (sizes of arrays, case labels, initialisers of constants, operands of sizeof) is not among them.
 */
#ifndef CLTC_FRONTEND_EXPRESSION_H
#define CLTC_FRONTEND_EXPRESSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "frontend/preprocess.h"
#include "frontend/syntax.h"
#include "frontend/tree.h"

/* What can be computed with a type. */
typedef enum front_class {
  FRONT_OTHER, /* void, structs, images, … */
  FRONT_INTEGER,
  FRONT_FLOATING,
  FRONT_POINTER
} front_class;

typedef struct front_type {
  char *name; /* as OpenCL C spells it: "uint", "float4", "__global int *"; no typedefs; NULL if there is no type */
  front_class class;   /* of a vector: that of its components */
  uint32_t components; /* 1 unless a vector */
  uint32_t size;       /* bytes of a component */
  bool is_unsigned;
} front_type;

typedef enum front_expression_kind {
  FRONT_BINARY,      /* left OP right, lazy operators included; types of operands after conversion */
  FRONT_ASSIGN,      /* left = right */
  FRONT_COMPOUND,    /* left OP= right; `right_type` is after conversion, `left_type` is not */
  FRONT_PREFIX,      /* OP right */
  FRONT_POSTFIX,     /* left OP */
  FRONT_CONDITIONAL, /* left ? …; only its condition is told: `left` */
  FRONT_PARENTHESES, /* ( right ) */
  FRONT_CALL,
  FRONT_LITERAL /* a number */
} front_expression_kind;

typedef struct front_argument {
  span tokens;
  front_type type;  /* of the parameter */
  front_type given; /* of a pointer: as it is before it is converted to that */
} front_argument;

typedef struct front_expression {
  front_expression_kind kind;
  uint32_t token; /* operator, name of the function, literal */
  span whole, left, right;
  front_type type, left_type, right_type;
  char *callee;      /* of a call */
  bool makes_handle; /* of a literal: converted to a pointer, event or the like, which only 0 is */
  bool to_local;     /* of = : `left` lies in __local memory */
  bool reads_local;  /* of = : `right` names something in __local memory, or a pointer to it */
  front_argument *arguments;
  size_t argument_count;
} front_expression;

typedef struct front_expressions {
  front_expression *items; /* outer ones before inner ones */
  size_t count, capacity;
} front_expressions;

void front_expressions_free(front_expressions *x);

#endif
