/* Random kernels as trees: all numbers are unsigned and of 32 bits, so that nothing in them is undefined. OpenCL C 2.0, with groups
 * of one size. */
#ifndef CLTC_TESTS_VERIFY_PROGRAM_H
#define CLTC_TESTS_VERIFY_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"

typedef enum array_name { ARRAY_A, ARRAY_B, ARRAY_C, ARRAY_T, ARRAYS } array_name; /* C is only read, T is local */
enum { VARIABLES = 3, COUNTERS = 3, PRIVATES = 4 }; /* counters of loops, by depth; elements of p */
enum { FLAG_OF_LOCAL = 1, FLAG_OF_GLOBAL = 2 };
enum { EVENTS = 2 }; /* variables that hold events */

/* What a kernel has that others have not. */
typedef enum feature {
  HAS_COPIES,
  HAS_GROUP_FUNCTIONS,
  HAS_SUB_GROUPS,
  HAS_SCOPES,
  HAS_CONTENTS,
  HAS_COUNTERS,
  HAS_LOCKS,
  HAS_PRIVATE_ARRAYS,
  HAS_PRIVATE_VIEWS,
  HAS_HALVES,
  HAS_DIVISIONS,
  HAS_FENCES,
  HAS_NARROW_LOOPS,
  HAS_WIDE_LOOPS,
  HAS_BARRIER_LOOPS,
  FEATURES
} feature;

/* What `c` is known to hold. */
typedef enum content { ANY_CONTENT, DISTINCT, ASCENDING, OWN_INDEX, BELOW_EIGHT, CONTENTS } content;

typedef enum expression_kind {
  NUMBER,
  LOCAL_ID,
  GLOBAL_ID,
  GROUP_ID,
  LOCAL_SIZE,
  GLOBAL_SIZE,
  SUB_GROUP_ID,
  SUB_GROUP_LOCAL_ID,
  SUB_GROUP_SIZE,
  ARGUMENT_N,
  ARGUMENT_M,
  VARIABLE, /* or counter of a loop: VARIABLES + depth */
  ADD,
  SUBTRACT,
  MULTIPLY,
  BIT_AND,
  BIT_OR,
  BIT_XOR,
  SHIFT_LEFT,
  SHIFT_RIGHT,
  REMAINDER,
  QUOTIENT,
  LESS,
  EQUAL,
  CHOOSE, /* c ? a : b; nothing is loaded in it */
  LOAD,
  PRIVATE_LOAD, /* of the array p of the work-item, at an index that is taken modulo its size */
  EXPRESSIONS
} expression_kind;

typedef struct expression {
  expression_kind kind;
  uint32_t number; /* of NUMBER; of a variable; of the array of LOAD */
  struct expression *parts[3];
} expression;

typedef enum statement_kind {
  ASSIGN,
  STORE,
  ATOMIC_ADD,
  ATOMIC_COUNT,
  PRIVATE_STORE,
  PRIVATE_HALF_STORE, /* of 16 bits, through another view of p */
  HALF_STORE,         /* the same of an array that others see */
  FENCE,              /* orders nothing between two work-items */
  EVENT_MOVE,         /* an event into another variable */
  BARRIER,
  SUB_GROUP_BARRIER,
  GROUP_FUNCTION, /* what all of a group do together; `number` says which */
  SUB_GROUP_FUNCTION,
  COPY, /* `limit` elements from `source` at `value` to `number` at `index`; its event into `variable` */
  WAIT, /* for `number` events, from `variable` on */
  IF,
  LOOP,
  HALVING,
  LOCKED, /* by the first work-item of a group, all under one lock */
  RETURN,
  BREAK,
  CONTINUE
} statement_kind;

typedef enum together { REDUCE_ADD, REDUCE_MAX, SCAN_ADD, ANY_OF, ALL_OF, BROADCAST, TOGETHER } together;
/* As memory_scope_…; DEFAULT_SCOPE: none is written. */
typedef enum scope { SCOPE_ITEM, SCOPE_SUB_GROUP, SCOPE_GROUP, SCOPE_DEVICE, DEFAULT_SCOPE } scope;

typedef struct statement {
  struct statement *next;
  statement_kind kind;
  unsigned line;
  uint32_t number; /* variable, array, flags, depth of the loop */
  uint32_t
      variable; /* of ATOMIC_COUNT: what gets its result; of a loop: the bits of its counter; of a barrier: its scope */
  uint32_t source;                   /* of COPY: an array; of EVENT_MOVE: a variable */
  uint32_t handed;                   /* of COPY: 1 + the variable with the event that it is given; 0: none */
  expression *index, *value, *limit; /* of a loop: value is where it begins, index the step */
  struct statement *body, *otherwise;
} statement;

typedef struct program {
  char name[16];
  unsigned features; /* a bit each */
  content content;
  statement *body;
  void **owned; /* all nodes */
  size_t owned_count, owned_capacity;
} program;

/* The same seed gives the same kernel, another if it is to be small. To be freed. */
program *program_grow(uint64_t seed, const char *name, bool small);
void program_free(program *p);
/* Appends its text, which begins in that line; sets the lines of the statements. Gives the line after it. */
unsigned program_print(program *p, unsigned line, buffer *to);

const char *array_text(uint32_t array);

#endif
