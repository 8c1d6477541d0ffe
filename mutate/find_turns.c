/* Loops with an iteration more or less, said in the user's own names: where `i < n` is asked after `i += s`, one
 * iteration less is `i < n - s`. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "frontend/edits.h"
#include "mutate/find.h"

/* A loop that counts: its condition, and what is added to the limit for one iteration more. */
typedef struct counted {
  const tree_node *condition;
  const tree_node *step; /* NULL: 1 */
  bool up;
} counted;

static bool is_same_variable(const tree_node *a, const tree_node *b) {
  a = tree_plain(a);
  b = tree_plain(b);
  return a->kind == TREE_NAME && b->kind == TREE_NAME && a->symbol != NULL && a->symbol == b->symbol;
}

/* Whether text may be added to the expression's, or it to another's, without parentheses. */
static bool is_summand(const tree_node *x) {
  while (x->kind == TREE_CONVERT) {
    x = x->children[0];
  }
  switch (x->kind) {
    case TREE_NAME:
    case TREE_LITERAL:
    case TREE_PARENTHESES:
    case TREE_CALL:
    case TREE_SUBSCRIPT:
    case TREE_MEMBER:
      return true;
    case TREE_BINARY:
      return x->op == TREE_ADD || x->op == TREE_SUBTRACT || x->op == TREE_MULTIPLY || x->op == TREE_DIVIDE ||
             x->op == TREE_REMAINDER;
    default:
      return false;
  }
}

/* Whether the step goes to where the condition ends the loop. */
static bool read_step(const tree_node *step, counted *out) {
  const bool compound = step->kind == TREE_COMPOUND_ASSIGN;
  if ((!compound && step->kind != TREE_STEP) || (step->op != TREE_ADD && step->op != TREE_SUBTRACT) ||
      !is_same_variable(step->children[0], out->condition->children[0])) {
    return false;
  }
  out->step = compound ? step->children[1] : NULL;
  const tree_node *by = compound ? tree_plain(out->step) : NULL;
  return (by == NULL || by->kind == TREE_NAME || by->kind == TREE_LITERAL) && (step->op == TREE_ADD) == out->up;
}

static bool find_counted(const tree_node *n, counted *out) {
  if (n->kind != TREE_FOR || n->children[1] == NULL || n->children[2] == NULL) {
    return false;
  }
  const tree_node *condition = n->children[1];
  while (condition->kind == TREE_CONVERT) {
    condition = condition->children[0];
  }
  if (condition->kind != TREE_BINARY || !is_number(condition->children[0]->type) ||
      !is_summand(condition->children[1])) {
    return false;
  }
  out->condition = condition;
  out->up = condition->op == TREE_LESS || condition->op == TREE_LESS_EQUAL;
  return (out->up || condition->op == TREE_GREATER || condition->op == TREE_GREATER_EQUAL) &&
         read_step(n->children[2], out);
}

/* As the user wrote the condition; NULL if it does not stand in one piece. */
static char *text_of_condition(const finder *f, const tree_node *x) {
  source_range range;
  return range_of_operation(&f->u->text, x->tokens, x->token, &range) ? text_of_range(&f->u->text, range) : NULL;
}

char *describe_turns(const finder *f, const tree_node *loop, bool more) {
  const char *count = more ? "n+1 iterations" : "n-1 iterations";
  counted c = {0};
  char *condition = find_counted(loop, &c) ? text_of_condition(f, c.condition) : NULL;
  if (condition == NULL) {
    return text_of("%s: %s", count, more ? "one more when its condition is false" : "without the last one");
  }
  char *step = c.step == NULL ? mem_strdup("1") : argument_text(f, c.step->tokens);
  char *out = text_of("%s: %s %s %s", count, condition, more == c.up ? "+" : "-", step);
  free(condition);
  free(step);
  return out;
}
