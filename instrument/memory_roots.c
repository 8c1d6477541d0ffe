/* From an lvalue to the variable that it is part of, or to the pointer that leads to it. */
#include "instrument/memory.h"

/* The array behind a pointer that is its first element; NULL: the pointer is another one. */
static const tree_node *decayed(const tree_node *pointer) {
  const tree_node *n = tree_bare(pointer);
  return n->kind == TREE_CONVERT && n->conversion == TREE_DECAY ? tree_bare(n->children[0]) : NULL;
}

static bool is_vector(const tree_node *n) { return n->type != NULL && n->type->kind == TREE_TYPE_VECTOR; }

/* One step outwards: `*n` becomes the lvalue around it, NULL at the end. */
static void step_out(const tree_node **n, memory_root *r) {
  const tree_node *at = *n, *base = at->child_count > 0 ? at->children[0] : NULL;
  *n = NULL;
  switch (at->kind) {
    case TREE_NAME:
      r->name = at;
      break;
    case TREE_PARENTHESES:
      *n = base;
      break;
    case TREE_SWIZZLE:
    case TREE_MEMBER:
      r->member = r->member || at->kind == TREE_MEMBER;
      r->pointer = at->arrow ? base : NULL;
      *n = at->arrow ? NULL : base;
      break;
    case TREE_SUBSCRIPT: {
      const tree_constant *index = &at->children[1]->constant;
      const tree_node *whole = is_vector(base) ? base : decayed(base);
      const uint64_t count = whole != NULL && whole->type != NULL ? whole->type->count : 0;
      r->fixed = r->fixed && index->kind == TREE_INTEGER_CONSTANT && (uint64_t)index->integer < count;
      r->pointer = whole == NULL ? base : NULL;
      *n = whole;
      break;
    }
    case TREE_DEREFERENCE: {
      const tree_node *whole = decayed(base);
      r->pointer = whole == NULL ? base : NULL;
      *n = whole;
      break;
    }
    default:
      break;
  }
}

memory_root root_of_lvalue(const tree_node *lvalue) {
  memory_root r = {.fixed = true};
  for (const tree_node *n = lvalue; n != NULL;) {
    step_out(&n, &r);
  }
  return r;
}

/* Of one node alone. */
static bool is_plain_node(const tree_node *n) {
  switch (n->kind) {
    case TREE_LITERAL:
    case TREE_MACRO:
    case TREE_NAME:
    case TREE_PARENTHESES:
    case TREE_UNARY:
    case TREE_SIZEOF:
    case TREE_CAST:
      return true;
    case TREE_BINARY:
      return n->op != TREE_DIVIDE && n->op != TREE_REMAINDER;
    case TREE_MEMBER:
    case TREE_SWIZZLE:
      return !n->arrow;
    case TREE_CONVERT:
      if (n->conversion == TREE_LOAD) {
        const memory_root r = root_of_lvalue(n->children[0]);
        const tree_space space = r.name != NULL && r.name->type != NULL ? r.name->type->space : TREE_SPACE_NONE;
        return r.name != NULL && r.fixed && (space == TREE_SPACE_NONE || space == TREE_SPACE_PRIVATE) &&
               !r.name->type->is_volatile;
      }
      return true;
    case TREE_CALL:
      return n->builtin != NULL && n->builtin->kind == TREE_WORK_ITEM;
    default:
      return false;
  }
}

bool is_plain_value(const tree_node *n) {
  for (const tree_node *at = n; at != NULL; at = tree_next(n, at)) {
    if (!is_plain_node(at)) {
      return false;
    }
  }
  return true;
}

uint32_t parameter_number(const tree_node *owner, const tree_symbol *s) {
  for (uint32_t i = 0; i + 1 < owner->child_count; i++) {
    if (owner->children[i]->symbol == s) {
      return i;
    }
  }
  return NONE;
}

/* Whether its address is taken, so that it can change in other ways. */
static bool is_exposed(const tree_node *body, const tree_symbol *s) {
  for (const tree_node *n = body; n != NULL; n = tree_next(body, n)) {
    if (n->kind == TREE_ADDRESS) {
      const memory_root r = root_of_lvalue(n->children[0]);
      if (r.name != NULL && r.name->symbol == s) {
        return true;
      }
    }
  }
  return false;
}

bool is_handled_type(const tree_type *t) {
  return t != NULL && (t->kind == TREE_TYPE_POINTER || t->kind == TREE_TYPE_IMAGE);
}

bool has_handle(const tree_node *owner, const tree_symbol *s) {
  if (s == NULL || !is_handled_type(s->type) || s->is_static || s->is_extern || s->type->is_volatile ||
      is_exposed(tree_body(owner), s)) {
    return false;
  }
  if (s->kind == TREE_SYMBOL_PARAMETER) {
    return parameter_number(owner, s) != NONE;
  }
  const tree_space space = s->type->space;
  return s->kind == TREE_SYMBOL_VARIABLE && (space == TREE_SPACE_NONE || space == TREE_SPACE_PRIVATE) &&
         s->declaration != NULL && tree_function_of(s->declaration) == owner;
}
