/* Conditions and `?:` as they stand in the text: what is around a condition, where its parts are. */
#include "instrument/conditions.h"

static bool is_vector(const tree_node *n) { return n->type != NULL && n->type->kind == TREE_TYPE_VECTOR; }

static bool wraps(const tree_node *n) {
  return n->kind == TREE_PARENTHESES || n->kind == TREE_CONVERT || (n->kind == TREE_UNARY && n->op == TREE_NOT);
}

/* What a `do` that is no loop stands before has no outcome that a test could add. */
static bool is_of_done_once(const tree_node *n) {
  while (n->parent->kind == TREE_LOGICAL || wraps(n->parent)) {
    n = n->parent;
  }
  return is_done_once(n->parent) && n->parent->children[1] == n;
}

bool is_decision(const pp_result *text, const tree_node *n) {
  return n->kind == TREE_LOGICAL && !n->not_executed && !is_vector(n) && tree_is_written(text, n) &&
         !is_of_done_once(n);
}

bool is_conjunction(const tree_node *decision) { return decision->op == TREE_LOGICAL_AND; }

span right_operand(const tree_node *decision) { return (span){decision->token + 1, decision->tokens.last}; }

bool is_nested(const pp_result *text, const tree_node *decision) {
  const tree_node *n = decision->parent;
  while (wraps(n)) {
    n = n->parent;
  }
  return is_decision(text, n);
}

/* The token after the first operand, which is the operator of `a < b`, `a[i]`, `a ? b : c`; else the first one. In a
 * macro's body that is the body's own, where the first operand may be an argument. */
static uint32_t own_token(const tree_node *n) {
  for (uint32_t i = 0; i < n->child_count && n->kind != TREE_CALL; i++) {
    const tree_node *child = n->children[i];
    if (child != NULL && child->tokens.first == n->tokens.first && child->tokens.last < n->tokens.last) {
      return child->tokens.last + 1;
    }
  }
  return n->tokens.first;
}

condition read_condition(const pp_result *text, const tree_node *n) {
  condition c = {0};
  for (; wraps(n); n = n->children[0]) {
    c.negated = c.negated != (n->kind == TREE_UNARY);
  }
  c.inner = n->tokens;
  c.token = own_token(n);
  c.decision = is_decision(text, n) ? n : NULL;
  return c;
}

condition condition_in(const pp_result *text, const tree_node *n, span tokens) {
  const bool known = n != NULL && n->tokens.first == tokens.first && n->tokens.last == tokens.last;
  return known ? read_condition(text, n) : (condition){.inner = tokens, .token = tokens.first};
}

/* --- ?: ----------------------------------------------------------------------------------------------------------- */

bool is_conditional(const pp_result *text, const tree_node *n) {
  if (n->kind != TREE_CONDITIONAL || n->not_executed || n->children[0]->type == NULL || !tree_is_written(text, n)) {
    return false;
  }
  const tree_type_kind kind = n->children[0]->type->kind;
  return n->children[1] != NULL || kind == TREE_TYPE_BOOL || kind == TREE_TYPE_INTEGER || kind == TREE_TYPE_FLOAT;
}

conditional read_conditional(const tree_node *n) {
  const tree_node *yes = n->children[1];
  const uint32_t colon = yes == NULL ? n->token + 1 : yes->tokens.last + 1;
  const tree_type *type = n->children[0]->type;
  return (conditional){.question = n->token,
                       .colon = colon,
                       .condition = {n->tokens.first, n->token - 1},
                       .yes = yes == NULL ? (span){1, 0} : (span){n->token + 1, colon - 1},
                       .no = {colon + 1, n->tokens.last},
                       .components = is_vector(n->children[0]) ? (uint32_t)type->count : 1,
                       .kept = yes == NULL ? type->name : NULL};
}

const char *conditional_element(const tree_node *n) {
  switch (tree_component(n->children[0]->type)->size) {
    case 1:
      return "char";
    case 2:
      return "short";
    case 4:
      return "int";
    default:
      return "long";
  }
}
