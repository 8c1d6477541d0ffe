/* Statements of a function body, read from macro-free tokens. Expressions and declarations stay opaque here; the
 * tree has those (tree.h). The device's compiler and libclang have both accepted the text, so this reader need
 * not judge it. */
#ifndef CLTC_FRONTEND_SYNTAX_H
#define CLTC_FRONTEND_SYNTAX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "frontend/preprocess.h"

#define NO_TOKEN UINT32_MAX
#define NO_STATEMENT UINT32_MAX

/* Tokens first..last, both included; empty when first > last. */
typedef struct span {
  uint32_t first, last;
} span;

static inline bool span_empty(span s) { return s.first > s.last; }
static inline bool span_has(span s, uint32_t token) { return token >= s.first && token <= s.last; }

typedef enum statement_kind {
  STATEMENT_COMPOUND,
  STATEMENT_IF,
  STATEMENT_FOR,
  STATEMENT_WHILE,
  STATEMENT_DO,
  STATEMENT_SWITCH,
  STATEMENT_CASE, /* `case …:` or `default:` with the statement it labels */
  STATEMENT_LABEL,
  STATEMENT_GOTO,
  STATEMENT_BREAK,
  STATEMENT_CONTINUE,
  STATEMENT_RETURN,
  STATEMENT_SIMPLE /* expression, declaration, empty statement */
} statement_kind;

typedef struct statement {
  statement_kind kind;
  span tokens;      /* pragmas and attributes in front included */
  uint32_t keyword; /* `if`, `for`, `case`, label name, …; first token for the rest */
  uint32_t parent;  /* NO_STATEMENT for the body */
  span condition;   /* between the parentheses; of a `for` its second part; of a case its expression; empty if absent */
  span increment;   /* third part of a `for` */
  uint32_t for_close; /* `)` of a `for` header; the second `;` for an absent condition is `for_second` */
  uint32_t for_second;
  uint32_t colon;     /* of a case or label */
  uint32_t body;      /* loop body, then-branch, switch body, labelled statement; NO_STATEMENT if none */
  uint32_t otherwise; /* else-branch or NO_STATEMENT */
} statement;

/* A way to a label, by tokens: from a `goto`, or from the `switch` of a case. */
typedef struct syntax_jump {
  uint32_t from, to;
} syntax_jump;

/* The statements of one body in source order of their first token; [0] is the body's compound statement. */
typedef struct syntax {
  statement *items;
  size_t count, capacity;
  syntax_jump *jumps;
  size_t jump_count, jump_capacity;
} syntax;

bool is_loop(statement_kind kind);
/* The statement that a `goto` leads to, NO_STATEMENT if it is not in this body. */
uint32_t goto_target(const pp_result *text, const syntax *s, uint32_t jump);
/* The `switch` that a case label belongs to. */
uint32_t switch_of_case(const syntax *s, uint32_t label);

/* Reads the compound statement whose `{` is token `open`. Returns 0, or -1 when the tokens end early or nest deeper
 * than 2000 levels. */
int syntax_read(const pp_result *text, uint32_t open, syntax *out);
void syntax_free(syntax *s);

/* --- jumps.c --- */
/* Fills in the jumps once all statements are known, but for those of plain cases: they lead into the body of the switch
 * only. */
void list_jumps(const pp_result *text, syntax *s);
/* Whether a jump from outside a statement leads to a label of it or in it; the jumps to plain cases apart. */
bool jumped_into(const syntax *s, uint32_t index);
/* Whether a branch or body is jumped into and no block, so that nothing can be put in front of it or behind its labels.
 */
bool needs_braces(const syntax *s, uint32_t index);
/* Whether a jump between two tokens starts a turn that the loop's condition knows nothing of. Where the condition
 * stands behind the body, it knows of all. */
bool starts_turn(const syntax *s, uint32_t loop, uint32_t from, uint32_t to);

/* --- tokens --- */
bool token_is(const pp_result *text, uint32_t token, const char *spelling);
bool same_spelling(const pp_result *text, uint32_t a, uint32_t b);
/* The bracket that closes `open` ("(", "[" or "{"), NO_TOKEN if the tokens end first. */
uint32_t token_match(const pp_result *text, uint32_t open);

#endif
