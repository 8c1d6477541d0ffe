/* Following addresses through expressions and variables. */
#include "frontend/facts/pointers.h"

const tree_node *beyond_parentheses(const tree_node *n) {
  while (n->parent->kind == TREE_PARENTHESES) {
    n = n->parent;
  }
  return n;
}

const tree_node *find_pointer(const tree_node *name, const tree_node **index) {
  const tree_node *n = beyond_parentheses(name);
  *index = NULL;
  if (n->parent->kind != TREE_CONVERT || n->parent->conversion != TREE_LOAD) {
    return NULL;
  }
  n = beyond_parentheses(n->parent);
  if (n->parent->kind == TREE_BINARY && n->parent->op == TREE_ADD) {
    *index = n->parent->children[1 - n->index];
    n = beyond_parentheses(n->parent);
  }
  return n;
}

/* --- roots --------------------------------------------------------------------------------------------------------- */

static bool leads_on(const tree_node *n) {
  return n != NULL && n->type != NULL && (n->type->kind == TREE_TYPE_POINTER || n->type->kind == TREE_TYPE_ARRAY);
}

/* The name that an address is computed from; NULL: there is more than one way. */
static const tree_node *base_of(const tree_node *n) {
  while (n != NULL && n->kind != TREE_NAME) {
    switch (n->kind) {
      case TREE_SUBSCRIPT:
      case TREE_BINARY:
        n = leads_on(n->children[0]) ? n->children[0] : leads_on(n->children[1]) ? n->children[1] : NULL;
        break;
      case TREE_MEMBER:
      case TREE_SWIZZLE:
      case TREE_DEREFERENCE:
      case TREE_ADDRESS:
      case TREE_PARENTHESES:
        n = n->children[0];
        break;
      case TREE_CONVERT:
      case TREE_CAST:
        n = n->conversion == TREE_INTEGER_TO_POINTER ? NULL : n->children[0];
        break;
      default:
        return NULL;
    }
  }
  return n;
}

/* A pointer that lies in memory itself leads anywhere. */
static bool through_memory(const tree_node *from, const tree_node *name) {
  for (const tree_node *n = name; n != from; n = n->parent) {
    const bool loads = n->parent->kind == TREE_CONVERT && n->parent->conversion == TREE_LOAD;
    if (loads && n != name) {
      return true;
    }
  }
  return false;
}

static bool is_name(const tree_node *n, const tree_symbol *s) {
  n = tree_bare(n);
  return n->kind == TREE_NAME && n->symbol == s;
}

static const tree_symbol *root_within(const tree_node *body, const tree_node *n, int depth);

/* Whether nothing but the function can change a variable whose address it does not take. */
static bool is_own(const tree_node *body, const tree_symbol *variable) {
  return !variable->is_static && !variable->is_extern && variable->declaration != NULL &&
         tree_function_of(variable->declaration) == tree_function_of(body);
}

/* The one value that a pointer variable of the function is ever given, steps along it apart. */
static const tree_symbol *root_of_variable(const tree_node *body, const tree_symbol *variable, int depth) {
  const tree_symbol *root = variable->kind == TREE_SYMBOL_PARAMETER ? variable : NULL;
  if (!is_own(body, variable)) {
    return NULL;
  }
  for (const tree_node *n = body; n != NULL; n = tree_next(body, n)) {
    const tree_node *value = NULL;
    if (n->kind == TREE_VARIABLE && n->symbol == variable && n->children[0] != NULL) {
      value = n->children[0];
    } else if (n->kind == TREE_ASSIGN && is_name(n->children[0], variable)) {
      value = n->children[1];
    } else if (n->kind == TREE_ADDRESS && is_name(n->children[0], variable)) {
      return NULL;
    }
    if (value == NULL) {
      continue;
    }
    const tree_node *name = base_of(value);
    const bool itself = name != NULL && name->symbol == variable;
    const tree_symbol *from = itself ? root : root_within(body, value, depth + 1);
    if (from == NULL || (root != NULL && from != root)) {
      return NULL;
    }
    root = from;
  }
  return root;
}

static const tree_symbol *root_within(const tree_node *body, const tree_node *n, int depth) {
  const tree_node *name = base_of(n);
  if (name == NULL || depth > 8 || through_memory(n, name)) {
    return NULL;
  }
  const tree_symbol *s = name->symbol;
  if (s->type != NULL && s->type->kind == TREE_TYPE_ARRAY && s->type->space == TREE_SPACE_LOCAL) {
    return s;
  }
  const bool variable = s->kind == TREE_SYMBOL_PARAMETER || s->kind == TREE_SYMBOL_VARIABLE;
  return variable && s->type != NULL && s->type->kind == TREE_TYPE_POINTER   ? root_of_variable(body, s, depth)
         : variable && s->type != NULL && s->type->space == TREE_SPACE_LOCAL ? s
                                                                             : NULL;
}

const tree_symbol *root_symbol(const tree_node *body, const tree_node *n) { return root_within(body, n, 0); }

const tree_symbol *root_of_pointer(const tree_node *body, const tree_symbol *variable) {
  return root_of_variable(body, variable, 0);
}
