/* States: what variables may hold, joined where ways meet. */
#include "frontend/facts/inside_internal.h"

/* --- variables and objects ----------------------------------------------------------------------------------------- */

/* The name at the root of an lvalue that is a part of a variable; NULL: a pointer leads to it. */
static const tree_node *root_name(const tree_node *n) {
  for (n = tree_bare(n); n->kind != TREE_NAME; n = tree_bare(n->children[0])) {
    const bool part = (n->kind == TREE_MEMBER && !n->arrow) || (n->kind == TREE_SWIZZLE && !n->arrow) ||
                      n->kind == TREE_SUBSCRIPT || (n->kind == TREE_CONVERT && n->conversion == TREE_DECAY);
    if (!part || n->child_count == 0) {
      return NULL;
    }
  }
  return n;
}

/* Whether it can change in other ways than by its name. */
static bool is_exposed(const tree_symbol *s) {
  const tree_node *function = tree_function_of(s->declaration);
  for (const tree_node *n = function; n != NULL; n = tree_next(function, n)) {
    const tree_node *name = n->kind == TREE_ADDRESS ? root_name(n->children[0]) : NULL;
    if (name != NULL && name->symbol == s) {
      return true;
    }
  }
  return function == NULL;
}

static bool is_followed(const tree_symbol *s) {
  const tree_type *t = s->type;
  return (s->kind == TREE_SYMBOL_VARIABLE || s->kind == TREE_SYMBOL_PARAMETER) && t != NULL && s->declaration != NULL &&
         (t->kind == TREE_TYPE_INTEGER || t->kind == TREE_TYPE_BOOL || t->kind == TREE_TYPE_POINTER) &&
         (t->space == TREE_SPACE_NONE || t->space == TREE_SPACE_PRIVATE) && !t->is_volatile && !s->is_static &&
         !s->is_extern && !is_exposed(s);
}

uint32_t inside_variable_of(walker *w, const tree_symbol *s) {
  for (uint32_t i = 0; i < w->variable_count; i++) {
    if (w->variables[i] == s) {
      return i;
    }
  }
  if (w->variable_count == INSIDE_VARIABLES || s == NULL || !is_followed(s)) {
    return NO_VARIABLE;
  }
  w->variables[w->variable_count] = s;
  return w->variable_count++;
}

uint32_t inside_object_of(walker *w, const tree_symbol *s) {
  if (s == NULL) {
    return UNKNOWN_OBJECT;
  }
  for (uint32_t i = 0; i < w->object_count; i++) {
    if (w->objects[i].symbol == s) {
      return i;
    }
  }
  const bool known = (s->kind == TREE_SYMBOL_VARIABLE || s->kind == TREE_SYMBOL_PARAMETER) && s->type != NULL &&
                     s->type->size > 0 && s->type->size <= INT32_MAX;
  if (!known || w->object_count == INSIDE_OBJECTS) {
    return UNKNOWN_OBJECT;
  }
  w->objects[w->object_count] = (object){.symbol = s, .bytes = s->type->size};
  return w->object_count++;
}

/* --- values -------------------------------------------------------------------------------------------------------- */

value inside_anything(const tree_type *t) {
  const bool pointer = t != NULL && t->kind == TREE_TYPE_POINTER;
  return (value){pointer ? UNKNOWN_OBJECT : NO_OBJECT, range_of_type(t)};
}

value inside_either(value a, value b) {
  return (value){a.object == b.object ? a.object : UNKNOWN_OBJECT, range_join(a.r, b.r)};
}

static bool value_equal(const value *a, const value *b) { return a->object == b->object && range_equal(&a->r, &b->r); }

value inside_get(const walker *w, const state *s, uint32_t variable) {
  return variable < s->count ? s->values[variable] : inside_anything(w->variables[variable]->type);
}

void inside_set(walker *w, state *s, uint32_t variable, value v) {
  while (s->count <= variable) {
    s->values[s->count] = inside_anything(w->variables[s->count]->type);
    s->count++;
  }
  s->values[variable] = v;
  uint32_t kept = 0;
  for (uint32_t i = 0; i < s->order_count; i++) {
    if (s->orders[i].high != variable && s->orders[i].low != variable) {
      s->orders[kept++] = s->orders[i];
    }
  }
  s->order_count = kept;
}

/* --- orders -------------------------------------------------------------------------------------------------------- */

int64_t inside_gap(const state *s, uint32_t high, uint32_t low) {
  int64_t gap = RANGE_LEAST;
  for (uint32_t i = 0; i < s->order_count; i++) {
    const order *o = &s->orders[i];
    gap = o->high == high && o->low == low && o->gap > gap ? o->gap : gap;
  }
  return gap;
}

void inside_order(state *s, uint32_t high, uint32_t low, int64_t gap) {
  if (high != NO_VARIABLE && low != NO_VARIABLE && s->order_count < INSIDE_ORDERS && inside_gap(s, high, low) < gap) {
    s->orders[s->order_count++] = (order){high, low, gap};
  }
}

/* Those that both have. */
static void join_orders(state *into, const state *from) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < into->order_count; i++) {
    order o = into->orders[i];
    const int64_t other = inside_gap(from, o.high, o.low);
    o.gap = other < o.gap ? other : o.gap;
    if (o.gap != RANGE_LEAST) {
      into->orders[kept++] = o;
    }
  }
  into->order_count = kept;
}

/* --- states -------------------------------------------------------------------------------------------------------- */

void inside_join(const walker *w, state *into, const state *from) {
  (void)w;
  if (!from->reachable) {
    return;
  }
  if (!into->reachable) {
    *into = *from;
    return;
  }
  into->count = from->count < into->count ? from->count : into->count;
  for (uint32_t i = 0; i < into->count; i++) {
    into->values[i] = inside_either(into->values[i], from->values[i]);
  }
  join_orders(into, from);
}

bool inside_within(const walker *w, const state *a, const state *b) {
  if (!a->reachable || !b->reachable) {
    return !a->reachable;
  }
  for (uint32_t i = 0; i < b->count; i++) {
    const value all = inside_either(inside_get(w, a, i), b->values[i]);
    if (!value_equal(&all, &b->values[i])) {
      return false;
    }
  }
  for (uint32_t i = 0; i < b->order_count; i++) {
    if (inside_gap(a, b->orders[i].high, b->orders[i].low) < b->orders[i].gap) {
      return false;
    }
  }
  return true;
}

state inside_widen(const walker *w, const state *before, const state *after, const range_ends *ends) {
  state out = *after;
  for (uint32_t i = 0; i < out.count; i++) {
    const tree_type *t = w->variables[i]->type;
    const value old = inside_get(w, before, i), all = inside_either(old, out.values[i]);
    out.values[i] = (value){all.object, range_widen(old.r, all.r, t, ends)};
  }
  out.order_count = 0;
  return out;
}
