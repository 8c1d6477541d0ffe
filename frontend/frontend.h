/* What libclang knows about macro-free OpenCL C: functions, calls between them, conditional operators, types. */
#ifndef CLTC_FRONTEND_FRONTEND_H
#define CLTC_FRONTEND_FRONTEND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "frontend/expression.h"
#include "frontend/preprocess.h"
#include "frontend/syntax.h"

/* A function's declaration or definition. */
typedef struct front_function {
  char *name;
  uint32_t first; /* first token of the declaration (qualifiers and attributes included) */
  uint32_t name_token;
  uint32_t open, close; /* parentheses of the parameters */
  uint32_t body;        /* `{`, NO_TOKEN for a declaration */
  uint32_t end;         /* `}` or, for a declaration, its last token before `;` or `,` */
  bool kernel;
  bool no_parameters; /* `()` or `(void)` */
} front_function;

/* `condition ? yes : no` in a place where it is executed. */
typedef struct front_conditional {
  uint32_t question, colon;
  span condition, yes, no;
  uint32_t components; /* 1 for a scalar condition; else the vector's length: both arms are evaluated */
  const char *element; /* signed integer type of the components' size for vectors: "char", "short", "int", "long" */
  char *kept;          /* for GNU's `condition ?: no`: type of the condition, which is also the value; else NULL */
} front_conditional;

/* A condition, or an operand of && or ||. */
typedef struct front_operand {
  span whole;       /* as it stands */
  span inner;       /* without the parentheses and `!` around it */
  bool negated;     /* there is an odd number of `!` */
  uint32_t logical; /* `inner` is a && or || on scalars: its operator; NO_TOKEN: an atomic condition */
  uint32_t token;   /* by which an atomic condition is known: its operator, else its first token */
} front_operand;

/* `left && right`, `left || right` on scalars. */
typedef struct front_logical {
  uint32_t operator_token;
  bool conjunction;
  bool nested; /* an operand of another one */
  front_operand left, right;
} front_logical;

/* The use of a function of the program by name. */
typedef struct front_use {
  uint32_t token;
  char *name;
} front_use;

/* The type of a `switch` condition after promotion: "int", "uint", "long", "ulong". */
typedef struct front_switch {
  uint32_t keyword;
  const char *type;
} front_switch;

/* A variable gets a value. */
typedef struct front_store {
  uint32_t name;  /* of the variable, as it stands here */
  uint32_t token; /* where it happens */
  span value;     /* empty: none, or one more or less than it had; what `op=` adds to the old value */
  bool parameter; /* by the caller of the function */
  bool untracked; /* its value can be or become anything: its address is taken, it is no private integer, … */
} front_store;

typedef struct front_facts {
  front_function *functions;
  size_t function_count, function_capacity;
  front_conditional *conditionals; /* in source order of their first token */
  size_t conditional_count, conditional_capacity;
  front_logical *logicals; /* in source order of their operators */
  size_t logical_count, logical_capacity;
  front_operand *conditions; /* of if, loops and ?:, and some other expressions, in source order */
  size_t condition_count, condition_capacity;
  front_use *uses;
  size_t use_count, use_capacity;
  front_switch *switches;
  size_t switch_count, switch_capacity;
  front_store *stores;
  size_t store_count, store_capacity;
  bool hidden_stores; /* there are more: in asm or statement expressions, or through references */
} front_facts;

/* Parses `text` as the device would with `options` (of which only -cl-* and -x matter): one parse gives facts,
 * expressions and the tree. Returns 0, or -1 with a sentence that says what could not be read. Release what is given with
 * front_free, front_expressions_free and tree_free in every case. */
int front_read(const pp_result *text, const char *options, front_facts *out, front_expressions *expressions, tree **t,
               error *e);
void front_free(front_facts *f);
/* The && or || with this operator, NULL if there is none. */
const front_logical *front_find_logical(const front_facts *f, uint32_t operator_token);
/* What is known of the condition that these tokens are. */
front_operand front_condition(const front_facts *f, span condition);

/* An error that libclang finds in a text. */
typedef struct front_error {
  char *file; /* as #line has it */
  uint32_t line;
  char *function; /* the definition that it lies in, "" if none */
  char *message;
} front_error;

/* Reads a text that we have written, with #line; returns its errors, to be released with front_errors_free. */
front_error *front_check(const char *text, const char *options, size_t *count);
void front_errors_free(front_error *errors, size_t count);

/* Answers a preprocessor question as libclang's OpenCL C would; for use without a device. */
bool front_answer(const char *expression, const char *options);

#endif
