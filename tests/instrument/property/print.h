/* Printing a program as OpenCL C text, in one of several styles, and with it the positions of its sites. */
#ifndef CLTC_TESTS_INSTRUMENT_PROPERTY_PRINT_H
#define CLTC_TESTS_INSTRUMENT_PROPERTY_PRINT_H

#include "base/buffer.h"
#include "random.h"
#include "tree.h"

typedef struct printer {
  tree *p;
  random_state random;
  buffer out;
  uint32_t line, column; /* of the next character, from 1 */
  int indent;
  bool line_start;
  bool odd;      /* comments, line breaks and splices in odd places */
  bool compact;  /* as few blanks as possible */
  bool split;    /* line breaks after `;` and braces in macro bodies as well */
  macro *define; /* being defined, or NULL */
  int dropped;   /* > 0: in text that the preprocessor drops */
  int arguments; /* > 0: in an argument of a macro */
  int spent;     /* odd things so far */
} printer;

/* Text as it is. */
void print_raw(printer *p, const char *text);
/* A token, with blanks before it where needed. */
void print_token(printer *p, const char *token);
/* The token that makes a site. */
void print_site(printer *p, const char *token, site *s);
/* The token that an expression is known by as a condition. */
void print_mark(printer *p, const char *token, uint32_t *mark);
void print_space(printer *p);
void print_newline(printer *p);
/* A line that begins with #. */
void print_directive(printer *p, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* `lowest` is the precedence below which parentheses are needed: see print_expression.c. */
enum { PRECEDENCE_COMMA = 1, PRECEDENCE_ASSIGN = 2, PRECEDENCE_UNARY = 14, PRECEDENCE_POSTFIX = 15 };
void print_expression(printer *p, expression *e, int lowest);
void print_macro_used(printer *p, macro *m);
/* A statement on lines of its own. */
void print_statement(printer *p, const statement *s);
/* Sets p->text and the positions of the sites. */
void print_program(tree *p);

#endif
