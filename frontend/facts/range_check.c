/* Which conditions are range checks. */
#include "frontend/facts/range_check.h"

#include <string.h>

typedef struct range_scope {
  const tree *tree;
  const stores *stores;
  const tree_node *function;
} range_scope;

/* A variable of the function that is a private integer, to which nothing leads but its name. */
static bool is_private_integer(const range_scope *r, const tree_symbol *variable) {
  bool own = false;
  for (size_t i = 0; i < r->stores->count; i++) {
    const variable_store *s = &r->stores->items[i];
    if (s->variable == variable) {
      if (s->untracked) {
        return false;
      }
      own = own || s->function == r->function;
    }
  }
  return own;
}

static bool is_size(const tree_node *n) {
  static const char *const names[] = {"get_local_size", "get_global_size", "get_num_groups"};
  bool found = false;
  for (size_t i = 0; i < sizeof names / sizeof *names && n->builtin != NULL; i++) {
    found = found || strcmp(n->symbol->name, names[i]) == 0;
  }
  return found;
}

static bool is_pure_node(const range_scope *r, const tree_node *n) {
  switch (n->kind) {
    case TREE_LITERAL:
      return r->tree->text->tokens[n->token].kind == PP_NUMBER;
    case TREE_CONVERT:
    case TREE_PARENTHESES:
    case TREE_LOGICAL:
      return true;
    case TREE_UNARY:
      return n->op != TREE_COMPLEMENT;
    case TREE_BINARY:
      return n->op == TREE_ADD || n->op == TREE_SUBTRACT || n->op == TREE_MULTIPLY ||
             (n->op >= TREE_LESS && n->op <= TREE_NOT_EQUAL);
    case TREE_NAME:
      return is_private_integer(r, n->symbol);
    case TREE_CALL:
      return is_size(n);
    default:
      return false;
  }
}

/* Whether it can be evaluated twice, with one result. */
static bool is_pure(const range_scope *r, const tree_node *decision) {
  for (const tree_node *n = decision; n != NULL; n = tree_next(decision, n)) {
    if (!is_pure_node(r, n)) {
      return false;
    }
  }
  return true;
}

/* Whether it is about one variable, parameters of the function apart. */
static bool tests_one_variable(const tree_node *decision) {
  const tree_symbol *first = NULL;
  for (const tree_node *n = decision; n != NULL; n = tree_next(decision, n)) {
    const bool counts = n->kind == TREE_NAME && n->symbol->kind != TREE_SYMBOL_PARAMETER;
    if (counts && first != NULL && n->symbol != first) {
      return false;
    }
    first = counts ? n->symbol : first;
  }
  return true;
}

bool is_range_check(const tree *t, const stores *all, const tree_node *decision) {
  const range_scope r = {t, all, tree_function_of(decision)};
  return !all->hidden && is_pure(&r, decision) && tests_one_variable(decision);
}
