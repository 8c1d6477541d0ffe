/* Conditions and `?:` as they stand in the text: what is around a condition, where its parts are. */
#ifndef CLTC_INSTRUMENT_CONDITIONS_H
#define CLTC_INSTRUMENT_CONDITIONS_H

#include "frontend/statements.h"

/* A condition, or an operand of && or ||. */
typedef struct condition {
  span inner;                /* without the parentheses and `!` around it */
  bool negated;              /* there is an odd number of `!` */
  const tree_node *decision; /* `inner` is a && or || on scalars; NULL: an atomic condition */
  uint32_t token;            /* by which an atomic condition is known: its operator, else its first token */
} condition;

/* `condition ? yes : no` in a place where it is executed. */
typedef struct conditional {
  uint32_t question, colon;
  span condition, yes, no;
  uint32_t components; /* 1 for a scalar condition; else the vector's length: both arms are evaluated */
  const char *kept;    /* for GNU's `condition ?: no`: type of the condition, which is also the value; else NULL */
} conditional;

/* Whether a node is a && or || on scalars that is executed. The next three are about such. */
bool is_decision(const pp_result *text, const tree_node *n);
bool is_conjunction(const tree_node *decision);
span right_operand(const tree_node *decision);
/* Whether it is an operand of another one. */
bool is_nested(const pp_result *text, const tree_node *decision);
condition read_condition(const pp_result *text, const tree_node *n);
/* The condition that stands at these tokens; an atomic one if `n` (or NULL) does not have them all. */
condition condition_in(const pp_result *text, const tree_node *n, span tokens);
/* Whether a node is a ?: that is a site. The next two are about such. */
bool is_conditional(const pp_result *text, const tree_node *n);
conditional read_conditional(const tree_node *n);
/* Signed integer type of the size of the components of a vector condition: "char", "short", "int", "long". */
const char *conditional_element(const tree_node *n);

#endif
