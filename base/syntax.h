/* C expressions as they are written: trees of operators, names, calls and numbers. What a name means, and whether a
 * number is one, says who asks. */
#ifndef CLTC_BASE_SYNTAX_H
#define CLTC_BASE_SYNTAX_H

#include "base/integer.h"
#include "base/memory.h"

typedef enum syntax_kind {
  SYNTAX_NUMBER, /* `text`: digits, letters, points, and the sign of an exponent */
  SYNTAX_NAME,   /* `text` */
  SYNTAX_CALL,   /* `text` is the function; the arguments */
  SYNTAX_INDEX,  /* `text` is the array; the index */
  SYNTAX_CAST,   /* `text` is the type; the operand */
  SYNTAX_UNARY,  /* `text` is one of - + ! ~; the operand */
  SYNTAX_BINARY, /* `op`; left, right */
  SYNTAX_CHOICE, /* condition, yes, no */
  SYNTAX_COMMA   /* left, right */
} syntax_kind;

typedef struct syntax_node syntax_node;
struct syntax_node {
  syntax_kind kind;
  c_operator op;
  const char *text; /* where it stands, or its operator; lent by the whole text */
  size_t length;    /* of a number, name, function, array or type */
  const char *end;  /* of an argument: the comma or bracket after it */
  syntax_node **parts;
  size_t count;
};

typedef struct syntax_rules {
  const char *signs;        /* unary operators that there are: "-+!~" */
  const char *const *casts; /* types that a cast can name, ended by NULL; NULL: there are no casts */
  bool commas;              /* there are comma operators */
} syntax_rules;

typedef enum syntax_fault {
  SYNTAX_FINE,
  SYNTAX_TOO_DEEP,
  SYNTAX_NO_OPERAND, /* the text ends, or something else stands there */
  SYNTAX_MISSING,    /* `wanted` */
  SYNTAX_REST        /* something follows */
} syntax_fault;

typedef struct syntax_error {
  syntax_fault fault;
  const char *at; /* in the text */
  char wanted;    /* ) ] or : */
} syntax_error;

/* The tree of a text, of which it keeps pointers; it lives as long as the arena. NULL with `e` set: it is no expression. */
syntax_node *syntax_read(const char *text, const syntax_rules *rules, mem_arena *memory, syntax_error *e);

/* Whether the node's `text` is that word. */
bool syntax_is(const syntax_node *n, const char *word);

#endif
