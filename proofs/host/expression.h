/* C expressions over what a kernel can see: its arguments, the sizes of its launch, how many elements its memory has. */
#ifndef CLTC_HOST_EXPRESSION_H
#define CLTC_HOST_EXPRESSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"
#include "base/integer.h"

typedef enum host_op {
  HOST_NO_OP,
  HOST_ADD = INTEGER_ADD,
  HOST_SUB = INTEGER_SUBTRACT,
  HOST_MUL = INTEGER_MULTIPLY,
  HOST_DIV = INTEGER_DIVIDE,
  HOST_REM = INTEGER_REMAINDER,
  HOST_SHL = INTEGER_SHIFT_LEFT,
  HOST_SHR = INTEGER_SHIFT_RIGHT,
  HOST_LT = INTEGER_LESS,
  HOST_GT = INTEGER_GREATER,
  HOST_LE = INTEGER_LESS_EQUAL,
  HOST_GE = INTEGER_GREATER_EQUAL,
  HOST_EQ = INTEGER_EQUAL,
  HOST_NE = INTEGER_NOT_EQUAL,
  HOST_AND = INTEGER_AND,
  HOST_XOR = INTEGER_XOR,
  HOST_OR = INTEGER_OR,
  HOST_LAND = INTEGER_LOGICAL_AND,
  HOST_LOR = INTEGER_LOGICAL_OR,
  HOST_NOT,
  HOST_NEG,
  HOST_COMPLEMENT
} host_op;

/* An integer type of C. */
typedef struct host_integer {
  unsigned bits;
  bool is_signed;
} host_integer;

typedef enum host_seen {
  SEEN_ARGUMENT, /* $0: the kernel's argument 0 */
  SEEN_ELEMENTS, /* elements($0); this and the sizes are ulong */
  SEEN_GLOBAL_SIZE,
  SEEN_LOCAL_SIZE,
  SEEN_GLOBAL_OFFSET
} host_seen;

typedef enum host_expression_kind {
  EXPRESSION_NUMBER, /* `value` */
  EXPRESSION_SEEN,   /* `seen` of `index`: an argument or a dimension */
  EXPRESSION_UNARY,  /* a */
  EXPRESSION_BINARY, /* a, b */
  EXPRESSION_CAST,   /* a, to `type` */
  EXPRESSION_CHOICE  /* a ? b : c */
} host_expression_kind;

typedef enum host_brackets {
  BRACKETS_USUAL, /* around operators, but not around the whole */
  BRACKETS_NONE,
  BRACKETS_ALWAYS
} host_brackets;

typedef struct host_expression {
  host_expression_kind kind;
  host_op op;
  host_integer type; /* in which C has its value */
  int64_t value;
  host_seen seen;
  unsigned index;
  host_brackets brackets; /* how it is written */
  const struct host_expression *a, *b, *c;
} host_expression;

host_integer integer_promoted(host_integer t);
/* What C computes an operation of the two in. */
host_integer integer_usual(host_integer a, host_integer b);
bool integer_same(host_integer a, host_integer b);

/* Whether two say the same in the same way, whatever their brackets. */
bool expression_same(const host_expression *a, const host_expression *b);
/* With the names of the kernel's arguments, or NULL for $0, $1, … */
void expression_write(const host_expression *e, const char *const *names, buffer *out);

/* What a launch has of what kernels see; false: not known. */
typedef struct seen_values {
  const void *context;
  bool (*value)(const void *context, host_seen seen, unsigned index, int64_t *out);
} seen_values;

/* The value, computed as C computes it. False: it does not follow from what is seen, or C does not define it. */
bool expression_value(const host_expression *e, const seen_values *from, int64_t *out);

#endif
