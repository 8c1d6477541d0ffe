/* The statements of a function as they stand in the text, and the jumps between them. */
#ifndef CLTC_FRONTEND_STATEMENTS_H
#define CLTC_FRONTEND_STATEMENTS_H

#include "frontend/tree.h"

/* A way to a label, by tokens: from a `goto`, or from the `switch` of a case. */
typedef struct statement_jump {
  uint32_t from, to;
} statement_jump;

/* Those of one body in source order, outer ones first; [0] is the body. Left out are pragmas, the first part of a `for`,
 * and what stands in statement expressions in the head of an `if`, `switch` or loop. */
typedef struct statements {
  const tree_node **items;
  size_t count, capacity;
  statement_jump *jumps; /* but for those of plain cases: they lead into the body of the switch only */
  size_t jump_count, jump_capacity;
} statements;

statements list_statements(const tree_node *function);
/* The next one of them below `root`, itself one, after `at`; NULL at the end. Start with `root`. */
const tree_node *next_statement(const tree_node *root, const tree_node *at);
void statements_free(statements *s);

/* --- one statement --- */
/* All of its tokens, pragmas and attributes in front included. */
span statement_tokens(const tree_node *n);
/* Its keyword, `{` or label; of the rest the first token after pragmas and attributes. */
uint32_t statement_begin(const tree_node *n);
/* Between the parentheses; of a `for` its second part; of a case its value. Empty if absent. */
span statement_condition(const tree_node *n);
/* The third part of a `for`. */
span statement_step(const tree_node *n);
/* The loop's body, the branch for true, the switch's body, the labelled statement; NULL if there is none. */
const tree_node *statement_body(const tree_node *n);
/* What stands after `else`, NULL if there is none. */
const tree_node *statement_otherwise(const tree_node *n);
/* The statement that it is part of; NULL for the body of a function. */
const tree_node *statement_around(const tree_node *n);
bool is_case(const tree_node *n); /* `case …:` or `default:` */
bool is_label(const tree_node *n);

/* The condition of a statement or ?:, NULL if it has none. */
const tree_node *condition_node(const tree_node *n);
/* Whether a node is a `do` whose condition is a constant zero, as in macros: `do { … } while (0)`. That is no loop. */
bool is_done_once(const tree_node *n);

/* --- jumps --- */
/* The label that a `goto` leads to, NULL if the function has none of that name. */
const tree_node *goto_target(const tree_node *jump);
/* The `switch` that a case label belongs to. */
const tree_node *switch_of_case(const tree_node *label);
/* Its labels in source order, to be freed. */
const tree_node **cases_of_switch(const statements *s, const tree_node *of, size_t *count);
/* Whether a jump from outside a statement leads to a label of it or in it; the jumps to plain cases apart. */
bool jumped_into(const statements *s, const tree_node *n);
/* Whether a branch or body is jumped into and no block, so that nothing can be put in front of it or after its labels.
 */
bool needs_braces(const statements *s, const tree_node *n);
/* Whether a jump between two tokens starts a turn that the loop's condition knows nothing of. Where the condition
 * stands after the body, it knows of all. */
bool starts_turn(const tree_node *loop, uint32_t from, uint32_t to);

#endif
