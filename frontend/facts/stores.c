/* Reading the stores of a unit from its tree. */
#include "frontend/facts/stores.h"

#include <string.h>

#include "base/memory.h"

static variable_store *add_store(stores *s, const tree_node *name, const tree_node *value) {
  variable_store *added = ARRAY_ADD(s->items, s->count, s->capacity);
  *added = (variable_store){
      .variable = name->symbol, .name = name->token, .function = tree_function_of(name), .value = value};
  return added;
}

/* A private integer that only its own thread of execution can change. */
static bool is_private_integer(const tree_node *variable) {
  const tree_type *t = variable->type;
  return t != NULL && (t->kind == TREE_TYPE_BOOL || t->kind == TREE_TYPE_INTEGER) && !t->is_volatile &&
         (t->space == TREE_SPACE_NONE || t->space == TREE_SPACE_PRIVATE) && !variable->symbol->is_static &&
         !variable->symbol->is_extern;
}

/* A variable by its name; anything else stands for memory, for a part of a variable that is not tracked, or is odd. */
static variable_store *add_store_to(stores *s, const tree_node *target, const tree_node *value) {
  while (target->kind == TREE_PARENTHESES || target->kind == TREE_CONVERT || target->kind == TREE_SWIZZLE) {
    target = target->children[0];
  }
  if (target->kind == TREE_NAME) {
    return add_store(s, target, value);
  }
  const bool plain = target->kind == TREE_MEMBER || target->kind == TREE_SUBSCRIPT || target->kind == TREE_DEREFERENCE;
  s->hidden = s->hidden || !plain;
  return NULL;
}

static void add_address(stores *s, const tree_node *object) {
  variable_store *added = add_store_to(s, object, NULL);
  if (added != NULL) {
    added->untracked = true;
  }
}

static void add_declaration(stores *s, const tree_node *n) {
  const bool defined = n->kind == TREE_VARIABLE || tree_body(n->parent) != NULL;
  if (defined) {
    variable_store *added = add_store(s, n, n->kind == TREE_VARIABLE ? n->children[0] : NULL);
    added->untracked = !is_private_integer(n);
    added->parameter = n->kind == TREE_PARAMETER;
  }
}

static void read_node(stores *s, const tree_node *n) {
  switch (n->kind) {
    case TREE_VARIABLE:
    case TREE_PARAMETER:
      add_declaration(s, n);
      break;
    case TREE_ASSIGN:
    case TREE_COMPOUND_ASSIGN:
      (void)add_store_to(s, n->children[0], n->children[1]);
      break;
    case TREE_STEP:
      (void)add_store_to(s, n->children[0], NULL);
      break;
    case TREE_ADDRESS:
      add_address(s, n->children[0]);
      break;
    case TREE_STATEMENT_EXPRESSION:
    case TREE_SELECTION:
    case TREE_UNKNOWN_STATEMENT:
    case TREE_UNKNOWN_EXPRESSION: /* what happens in it is not followed */
      s->hidden = true;
      break;
    default:
      break;
  }
}

stores read_stores(const tree *t, const char *options) {
  stores s = {.hidden = options != NULL && strcasestr(options, "clc++") != NULL};
  for (const tree_node *n = t->unit; n != NULL; n = tree_next(t->unit, n)) {
    if (!n->not_executed) {
      read_node(&s, n);
    }
  }
  return s;
}
