/* A random program as a tree: what generate*.c grow, print*.c print and interpret*.c run. Nodes are never shared; all
 * of them belong to the program's arena. */
#ifndef CLTC_TESTS_PROPERTY_TREE_H
#define CLTC_TESTS_PROPERTY_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/model.h"

enum { MAX_KERNELS = 4, MAX_FUNCTIONS = 12, MAX_MACROS = 16, MAX_LAUNCHES = 8, MAX_OPERANDS = 4 };
enum { INPUT_LENGTH = 64, SLICE_LENGTH = 8, LOCAL_LENGTH = 65, FRAME_CELLS = 160, MACRO_CELLS = 2 };

/* int and uint are 32 bits wide; signed arithmetic is generated such that it cannot overflow. */
typedef enum value_type { TYPE_INT, TYPE_UINT, TYPE_INT4, TYPE_UINT4, TYPE_VOID } value_type;

typedef struct value {
  uint32_t at[4];
} value;

typedef struct macro macro;
typedef struct function function;
typedef struct expression expression;
typedef struct statement statement;

typedef struct site {
  site_kind kind;
  uint32_t line, column;      /* set by the printer */
  uint32_t offset;            /* the same in bytes */
  uint32_t outcomes;          /* mask of those that count */
  uint32_t seen[MAX_KERNELS]; /* outcomes taken in launches of each kernel; set by the interpreter */
  macro *owner;               /* the macro in whose body it stands, or NULL */
  bool printed;               /* in code that the preprocessor keeps */
  uint32_t number;
} site;

typedef enum storage {
  STORE_FRAME,     /* private, in the function's frame */
  STORE_MACRO,     /* private, declared inside a macro body */
  STORE_PARAMETER, /* a name that a macro parameter stands for; declared in the macro body */
  STORE_POINTER,   /* a parameter `__private uint *` */
  STORE_INPUT,     /* `in`, of INPUT_LENGTH */
  STORE_SLICE,     /* `o`, the work-item's own part of the output, of SLICE_LENGTH */
  STORE_LOCAL      /* `loc`, of LOCAL_LENGTH */
} storage;

typedef struct variable {
  char name[16];
  value_type type;
  storage storage;
  uint32_t cell;
  uint32_t length; /* of an array, a power of two; 0: no array */
  bool uniform;    /* the same for all work-items of a work-group */
  bool constant;   /* not to be assigned by statements (loop counters, parameters of use elsewhere) */
} variable;

typedef enum expression_kind {
  EXPRESSION_CONSTANT, /* number, or `name` that stands for it */
  EXPRESSION_VARIABLE,
  EXPRESSION_ADDRESS,   /* & of a variable, for a pointer parameter */
  EXPRESSION_ELEMENT,   /* variable[operand 0], the index masked when `masked` */
  EXPRESSION_COMPONENT, /* operand 0 . number */
  EXPRESSION_ID,        /* a work-item function of a dimension: op is one of work_item_function */
  EXPRESSION_UNARY,
  EXPRESSION_BINARY, /* also && and || of vectors */
  EXPRESSION_AND,
  EXPRESSION_OR,
  EXPRESSION_CONDITIONAL,
  EXPRESSION_COMMA,
  EXPRESSION_ASSIGN, /* operand 0 op= operand 1; op OP_NONE: plain */
  EXPRESSION_STEP,   /* ++ and --; number 1: postfix */
  EXPRESSION_CALL,
  EXPRESSION_MACRO,
  EXPRESSION_PARAMETER, /* of the macro, by number */
  EXPRESSION_CAST,      /* to its type, from a scalar */
  EXPRESSION_VECTOR,    /* (type)(four scalars) */
  EXPRESSION_AS,        /* as_TYPE(vector) */
  EXPRESSION_WIDE,      /* ((ulong)x << 32): for its truth value only */
  EXPRESSION_FRACTION,  /* 0.5f * (float)(x & 1u): for its truth value only */
  EXPRESSION_BARRIER
} expression_kind;

typedef enum operator_kind {
  OP_NONE,
  OP_ADD,
  OP_SUB,
  OP_MUL,
  OP_DIV,
  OP_REM,
  OP_AND,
  OP_OR,
  OP_XOR,
  OP_SHL,
  OP_SHR,
  OP_LT,
  OP_GT,
  OP_LE,
  OP_GE,
  OP_EQ,
  OP_NE,
  OP_LAND,
  OP_LOR,
  OP_NEG,
  OP_NOT,
  OP_LNOT,
  OP_INC,
  OP_DEC
} operator_kind;

typedef enum work_item_function { ID_GLOBAL, ID_LOCAL, ID_GROUP, ID_LOCAL_SIZE, ID_GROUPS } work_item_function;

/* A way through a decision that was taken, "TF- F", or that there is. */
typedef struct taken_way {
  char label[32 + 3];
  uint32_t kernels; /* mask: taken in their launches */
  struct taken_way *next;
} taken_way;

struct expression {
  expression_kind kind;
  uint32_t mark; /* offset in the text, plus 1, of the token that it is known by as a condition; set by the printer */
  uint32_t seen[2]; /* an atomic condition: kernels that saw it true, false; set by the interpreter */
  taken_way *ways;  /* && or || that is no operand of another one; set by the interpreter */
  bool large;       /* there are too many to count */
  value_type type;
  uint32_t number;
  int64_t bound; /* of a signed expression: its largest absolute value */
  operator_kind op;
  bool masked;
  variable *variable;
  expression *operands[MAX_OPERANDS]; /* or arguments */
  size_t operand_count;
  function *function;
  macro *macro;
  site *site;
  const char *name;
};

typedef enum statement_kind {
  STATEMENT_EXPRESSION,
  STATEMENT_DECLARE,
  STATEMENT_BLOCK,    /* { items } */
  STATEMENT_SEQUENCE, /* items without braces: macro bodies */
  STATEMENT_IF,
  STATEMENT_FOR,
  STATEMENT_WHILE,
  STATEMENT_DO,
  STATEMENT_SWITCH, /* body: a block with case labels among its items */
  STATEMENT_CASE,   /* first .. last; outcome */
  STATEMENT_DEFAULT,
  STATEMENT_BREAK,
  STATEMENT_CONTINUE,
  STATEMENT_RETURN,
  STATEMENT_GOTO, /* to label `number` */
  STATEMENT_LABEL,
  STATEMENT_MACRO,  /* macro, arguments, what stands after it (holes) */
  STATEMENT_HOLE,   /* in a macro body: holes[number] of the use, printed after the use */
  STATEMENT_CHOICE, /* #if: `text` the directive, `first_kept`; body and otherwise are the two parts */
  STATEMENT_EMPTY,
  STATEMENT_PROLOGUE /* the id and slice of a kernel's work-item */
} statement_kind;

struct statement {
  statement_kind kind;
  site *site;
  expression *condition; /* or the expression, or the value returned */
  expression *step;
  statement *init, *body, *otherwise;
  statement **items;
  size_t item_count, item_capacity;
  variable *variables[3];
  expression *values[3];
  size_t variable_count;
  uint32_t first, last, outcome, number;
  macro *macro;
  expression *arguments[MAX_OPERANDS];
  size_t argument_count;
  statement *holes[2];
  const char *text;
  bool first_kept, unroll;
};

struct macro {
  char name[16];
  size_t parameters;
  bool object;       /* used without parentheses */
  bool bare;         /* the value has no parentheses around it */
  expression *value; /* either an expression, in parentheses or not */
  statement *body;   /* or statements */
  bool effect;       /* assigns to parameter 0 */
  bool open;         /* ends with an `if` that an `else` after it would join */
  bool semicolon;    /* a use is followed by `;` */
  bool block_only;   /* several statements: not without braces */
  bool barrier;
  size_t holes;
  uint32_t cells;           /* variables of its own */
  uint32_t used_parameters; /* mask; an argument that the body does not use is dropped; set by the printer */
  bool used;                /* expanded in code that the preprocessor keeps; set by the printer */
  macro *uses[32];          /* macros in its body; set by the printer */
  size_t use_count;
  const function *made; /* it makes functions like this one, with its parameter as name */
};

struct function {
  char name[16];
  bool kernel;
  uint32_t kernel_number;
  macro *maker;     /* the macro that makes the function, or NULL; `body` is shared by all that it makes */
  const char *head; /* qualifiers and attributes before the name, with the return type */
  bool prototype, empty_parentheses;
  value_type result; /* TYPE_UINT or TYPE_VOID */
  variable *parameters[3];
  size_t parameter_count;
  bool takes_input, takes_slice, takes_local; /* in this order, before the parameters */
  bool effect;                                /* has a pointer parameter or writes to the slice */
  bool reads_id; /* not the same for all work-items of a group even with the same arguments */
  bool barriers, local_argument, calls_kernel;
  bool local_known;     /* the model knows the work-group size */
  uint32_t required[3]; /* work-group size of the attribute, or 0 */
  uint32_t cells, labels;
  variable *counters[24];
  size_t counter_count;
  statement *body;
  site *site;
  variable *id, *lane, *lanes, *extra; /* kernels: id, lid, ls, n */
};

typedef struct launch {
  function *kernel;
  uint32_t dimensions;
  size_t global[3], local[3], offset[3];
  bool has_local, has_offset;
  uint32_t n;
  uint32_t *output; /* predicted: SLICE_LENGTH per work-item */
  size_t items;
} launch;

typedef struct tree {
  uint64_t seed;
  char *text;
  size_t length;
  char options[160];
  macro *macros[MAX_MACROS];
  size_t macro_count;
  function *functions[MAX_FUNCTIONS];
  size_t function_count;
  size_t kernel_count;
  expression **expressions;
  size_t expression_count, expression_capacity;
  site **sites;
  size_t site_count, site_capacity;
  launch launches[MAX_LAUNCHES];
  size_t launch_count;
  uint32_t input[INPUT_LENGTH];
  void **arena;
  size_t arena_count, arena_capacity;
} tree;

/* Zeroed memory that lives as long as the program. */
void *tree_new(tree *p, size_t size);
site *tree_site(tree *p, site_kind kind, uint32_t outcomes);
expression *tree_expression(tree *p, expression_kind kind, value_type type);
statement *tree_statement(tree *p, statement_kind kind);
/* Appends to a block. */
void tree_append(tree *p, statement *block, statement *item);
void random_tree_free(tree *p);

bool is_vector(value_type type);
const char *type_name(value_type type);
/* A site is one of the program if it stands in code that the preprocessor keeps. */
bool site_exists(const site *s);

#endif
