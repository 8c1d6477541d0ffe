/* Looking ahead in a loop, read from the tree. */
#include "frontend/facts/look_ahead.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* --- what an expression changes ----------------------------------------------------------------------------------- */

/* Whether a node itself may do more than give a value, apart from assignments. */
static bool is_impure(const tree_node *n) {
  switch (n->kind) {
    case TREE_CALL:
      return n->builtin == NULL || !tree_builtin_is_pure(n->builtin);
    case TREE_SHUFFLE:
    case TREE_SELECTION:
    case TREE_UNKNOWN_STATEMENT:
    case TREE_UNKNOWN_EXPRESSION:
      return true;
    default:
      return false;
  }
}

static bool has_impure(const tree_node *root) {
  for (const tree_node *n = root; n != NULL; n = tree_next(root, n)) {
    if (is_impure(n)) {
      return true;
    }
  }
  return false;
}

/* A variable that belongs to the work-item alone and is copied by an assignment. */
static bool is_own(const tree_symbol *s) {
  const bool parameter = s->kind == TREE_SYMBOL_PARAMETER;
  const bool local = s->kind == TREE_SYMBOL_VARIABLE && tree_function_of(s->declaration) != NULL;
  return (parameter || local) && !s->is_static && !s->is_extern && s->type != NULL && s->type_text != NULL &&
         s->type->kind != TREE_TYPE_ARRAY &&
         (s->type->space == TREE_SPACE_NONE || s->type->space == TREE_SPACE_PRIVATE);
}

static bool add_variable(look_ahead *out, const tree_node *changed) {
  changed = tree_plain((tree_node *)changed);
  if (changed->kind != TREE_NAME || !is_own(changed->symbol)) {
    return false;
  }
  for (size_t i = 0; i < out->count; i++) {
    if (out->variables[i] == changed->symbol) {
      return true;
    }
  }
  *ARRAY_ADD(out->variables, out->count, out->capacity) = changed->symbol;
  return true;
}

static bool assigns(const tree_node *n) {
  return n->kind == TREE_ASSIGN || n->kind == TREE_COMPOUND_ASSIGN || n->kind == TREE_STEP;
}

/* Adds the variables that an expression changes; false when it may change anything else. */
static bool collect_changes(const tree_node *root, look_ahead *out) {
  for (const tree_node *n = root; n != NULL; n = tree_next(root, n)) {
    const bool odd = n->kind == TREE_STATEMENT_EXPRESSION || n->kind == TREE_COMPOUND_LITERAL;
    if (odd || is_impure(n) || (assigns(n) && !add_variable(out, n->children[0]))) {
      return false;
    }
  }
  return true;
}

/* --- what a body changes ------------------------------------------------------------------------------------------ */

/* The variable that an object is, is a part of, or is reached by; NULL if there is none. */
static const tree_symbol *base_of(const tree_node *n) {
  for (;;) {
    switch (n->kind) {
      case TREE_PARENTHESES:
      case TREE_CONVERT:
      case TREE_SUBSCRIPT:
      case TREE_MEMBER:
      case TREE_SWIZZLE:
      case TREE_DEREFERENCE:
        n = n->children[0];
        break;
      default:
        return n->kind == TREE_NAME ? n->symbol : NULL;
    }
  }
}

/* Whether what is below a node, but for `except`, may change a variable or what it leads to, or lets others do so. */
static bool changed_in(const tree_node *root, const tree_node *except, const tree_symbol *variable) {
  for (const tree_node *n = root; n != NULL; n = n == except ? tree_next_beyond(root, n) : tree_next(root, n)) {
    if (n != except && (assigns(n) || n->kind == TREE_ADDRESS) && base_of(n->children[0]) == variable) {
      return true;
    }
  }
  return false;
}

/* Whether a name means something else, or nothing, in front of the body. */
static bool declared_in(const tree_node *body, const char *name) {
  for (const tree_node *n = body; n != NULL; n = tree_next(body, n)) {
    if (n->kind == TREE_VARIABLE && n->parent->parent->kind != TREE_FOR && strcmp(n->symbol->name, name) == 0) {
      return true;
    }
  }
  return false;
}

static bool reads_memory(const tree_node *root) {
  for (const tree_node *n = root; n != NULL; n = tree_next(root, n)) {
    if (n->kind == TREE_SUBSCRIPT || n->kind == TREE_DEREFERENCE || n->arrow) {
      return true;
    }
  }
  return false;
}

static bool is_variable(const tree_node *n) {
  return n->kind == TREE_NAME && (n->symbol->kind == TREE_SYMBOL_VARIABLE || n->symbol->kind == TREE_SYMBOL_PARAMETER);
}

/* Whether the body, its step apart, leaves alone all that an expression looks at. */
static bool body_leaves(const tree_node *loop, const tree_node *looked_at, const tree_node *step) {
  const tree_node *body = statement_body(loop);
  for (const tree_node *n = looked_at; n != NULL; n = tree_next(looked_at, n)) {
    if (is_variable(n) && (changed_in(body, step, n->symbol) || declared_in(body, n->symbol->name))) {
      return false;
    }
  }
  return !reads_memory(looked_at) || !has_impure(body);
}

/* --- the step ----------------------------------------------------------------------------------------------------- */

/* Whether a statement of the body changes a variable of the condition. */
static bool moves(const tree_node *statement, const tree_node *decides) {
  for (const tree_node *n = decides; n != NULL; n = tree_next(decides, n)) {
    if (is_variable(n) && changed_in(statement, NULL, n->symbol)) {
      return true;
    }
  }
  return false;
}

static const tree_node *loop_around(const tree_node *n) {
  do {
    n = n->parent;
  } while (!tree_is_loop(n->kind));
  return n;
}

static bool continues(const tree_node *loop) {
  for (const tree_node *n = loop; n != NULL; n = next_statement(loop, n)) {
    if (n->kind == TREE_CONTINUE && loop_around(n) == loop) {
      return true;
    }
  }
  return false;
}

/* The one statement at the top of the body that changes what the condition looks at, if it is an expression; else NULL.
 */
static const tree_node *step_in_body(const tree_node *loop, const tree_node *decides) {
  const tree_node *body = statement_body(loop);
  const bool block = body->kind == TREE_COMPOUND;
  for (uint32_t i = 0; i < (block ? body->child_count : 1); i++) {
    const tree_node *n = block ? body->children[i] : body;
    if ((n->kind == TREE_EXPRESSION || n->kind == TREE_DECLARE) && moves(n, decides)) {
      return n->kind == TREE_EXPRESSION ? n->children[0] : NULL;
    }
  }
  return NULL;
}

static bool has_labels(const statements *s, const tree_node *loop) {
  for (const tree_node *n = loop; n != NULL; n = next_statement(loop, n)) {
    if (n->kind == TREE_LABEL) {
      return true;
    }
  }
  return jumped_into(s, loop);
}

static bool changes_condition(const tree_node *decides, const look_ahead *l) {
  for (const tree_node *n = decides; n != NULL; n = tree_next(decides, n)) {
    for (size_t i = 0; i < l->count; i++) {
      if (n->kind == TREE_NAME && n->symbol == l->variables[i]) {
        return true;
      }
    }
  }
  return false;
}

bool find_look_ahead(const statements *s, const tree_node *loop, look_ahead *out) {
  *out = (look_ahead){.step = {1, 0}};
  const tree_node *decides = loop->kind == TREE_WHILE ? loop->children[0] : loop->children[1];
  const tree_node *step = loop->kind == TREE_FOR ? loop->children[2] : NULL;
  const tree_node *in_body = NULL;
  if (decides == NULL || has_labels(s, loop) || !collect_changes(decides, out)) {
    return false;
  }
  if (step == NULL && out->count == 0) {
    step = in_body = step_in_body(loop, decides);
    if (in_body == NULL || continues(loop)) {
      return false;
    }
  }
  if (step != NULL) {
    out->step = step->tokens;
  }
  return (step == NULL || (collect_changes(step, out) && body_leaves(loop, step, in_body))) &&
         changes_condition(decides, out) && body_leaves(loop, decides, in_body);
}

void look_ahead_free(look_ahead *l) {
  free(l->variables);
  *l = (look_ahead){0};
}
