/* Ranges of integers, and expressions: what they come to, and the accesses in them. */
#include "base/integer.h"
#include "frontend/facts/inside_internal.h"
#include "frontend/facts/linear.h"

/* --- ranges ------------------------------------------------------------------------------------------------------- */

static int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }
static int64_t most(int64_t a, int64_t b) { return a > b ? a : b; }

/* --- making them --------------------------------------------------------------------------------------------------- */

range range_between(int64_t low, int64_t high) { return (range){low, high, low == high ? 0 : 1}; }

range range_number(int64_t n) { return (range){n, n, 0}; }

static bool is_integer(const tree_type *t) {
  return t != NULL && (t->kind == TREE_TYPE_INTEGER || t->kind == TREE_TYPE_ENUM);
}

range range_of_type(const tree_type *t) {
  if (t != NULL && t->kind == TREE_TYPE_BOOL) return range_between(0, 1);
  if (!is_integer(t) || t->size >= sizeof(int64_t))
    return range_between(is_integer(t) && t->is_unsigned ? 0 : RANGE_LEAST, RANGE_MOST);
  const int64_t half = (int64_t)1 << (t->size * 8 - 1);
  return t->is_unsigned ? range_between(0, 2 * half - 1) : range_between(-half, half - 1);
}

bool range_is_number(const range *r) { return r->step == 0; }

bool range_is_endless(const range *r) { return r->low == RANGE_LEAST || r->high == RANGE_MOST; }

static bool range_equal(const range *a, const range *b) {
  return a->low == b->low && a->high == b->high && a->step == b->step;
}

bool range_keeps(const range *r, const tree_type *t) {
  const range all = range_of_type(t);
  return (is_integer(t) || (t != NULL && t->kind == TREE_TYPE_BOOL)) && !range_is_endless(r) && r->low >= all.low &&
         r->high <= all.high;
}

range range_as(range r, const tree_type *t) { return range_keeps(&r, t) ? r : range_of_type(t); }

/* --- sets ---------------------------------------------------------------------------------------------------------- */

/* The same numbers, or more, so that a step holds from the lowest on. */
static range stepped(int64_t low, int64_t high, uint64_t step) {
  if (low == high) return range_number(low);
  return (range){low, high, low == RANGE_LEAST || step == 0 ? 1 : step};
}

/* What either may be. */
static range range_join(range a, range b) {
  const uint64_t apart = a.low > b.low ? (uint64_t)a.low - (uint64_t)b.low : (uint64_t)b.low - (uint64_t)a.low;
  const bool open = a.low == RANGE_LEAST || b.low == RANGE_LEAST;
  return stepped(least(a.low, b.low), most(a.high, b.high),
                 open ? 1 : common_divisor(common_divisor(a.step, b.step), apart));
}

/* `after` has in it what `before` has; where it has more on a side, that side goes to the next of `ends`, else to the
 * type's. */
static range range_widen(range before, range after, const tree_type *t, const range_ends *ends) {
  const range all = range_of_type(t);
  int64_t low = after.low < before.low ? all.low : after.low;
  int64_t high = after.high > before.high ? all.high : after.high;
  for (uint32_t i = 0; i < ends->count; i++) {
    const int64_t end = ends->items[i];
    low = after.low < before.low && end <= after.low ? most(low, end) : low;
    high = after.high > before.high && end >= after.high ? least(high, end) : high;
  }
  if (low != after.low || high == RANGE_MOST || after.step <= 1)
    return stepped(low, high, low == after.low ? after.step : 1);
  return stepped(low, high - (int64_t)(((uint64_t)high - (uint64_t)low) % after.step), after.step);
}

bool range_meet(range *r, int64_t low, int64_t high) {
  const uint64_t step = r->step;
  if (low > r->low) {
    const uint64_t over = step > 1 ? ((uint64_t)low - (uint64_t)r->low) % step : 0;
    if (over != 0 && (uint64_t)RANGE_MOST - (uint64_t)low <= step)
      low = high; /* further than any number here */
    else
      low = over != 0 ? low + (int64_t)(step - over) : low;
  } else {
    low = r->low;
  }
  if (high < r->high)
    high = step > 1 && high >= low ? high - (int64_t)(((uint64_t)high - (uint64_t)low) % step) : high;
  else
    high = r->high;
  if (low > high) return false;
  *r = stepped(low, high, step);
  return true;
}

/* --- arithmetic ---------------------------------------------------------------------------------------------------- */

static bool sum(range a, range b, range *out) {
  int64_t low = 0, high = 0;
  const bool fits = !__builtin_add_overflow(a.low, b.low, &low) && !__builtin_add_overflow(a.high, b.high, &high);
  *out = stepped(low, high, common_divisor(a.step, b.step));
  return fits;
}

static bool difference(range a, range b, range *out) {
  int64_t low = 0, high = 0;
  const bool fits = !__builtin_sub_overflow(a.low, b.high, &low) && !__builtin_sub_overflow(a.high, b.low, &high);
  *out = stepped(low, high, common_divisor(a.step, b.step));
  return fits;
}

/* From the least to the most of four. */
static range around(const int64_t *v) {
  return range_between(least(least(v[0], v[1]), least(v[2], v[3])), most(most(v[0], v[1]), most(v[2], v[3])));
}

static bool product(range a, range b, range *out) {
  int64_t v[4];
  const bool fits = !__builtin_mul_overflow(a.low, b.low, &v[0]) && !__builtin_mul_overflow(a.low, b.high, &v[1]) &&
                    !__builtin_mul_overflow(a.high, b.low, &v[2]) && !__builtin_mul_overflow(a.high, b.high, &v[3]);
  if (!fits) return false;
  *out = around(v);
  const int64_t by = range_is_number(&a) ? a.low : b.low;
  const uint64_t step = range_is_number(&a) ? b.step : a.step;
  int64_t all = 0;
  const bool scaled = (range_is_number(&a) || range_is_number(&b)) && by != 0 && step <= INT32_MAX &&
                      !__builtin_mul_overflow((int64_t)step, by < 0 ? -by : by, &all);
  *out = stepped(out->low, out->high, scaled ? (uint64_t)all : 1);
  return true;
}

static bool quotient(range a, range b, range *out) {
  if (b.low <= 0) return false;
  const int64_t v[4] = {a.low / b.low, a.low / b.high, a.high / b.low, a.high / b.high};
  *out = around(v);
  return true;
}

static bool rest(range a, range b, range *out) {
  if (b.low <= 0) return false;
  if (a.low >= 0 && a.high != RANGE_MOST && range_is_number(&b) && a.low / b.low == a.high / b.low) {
    *out = stepped(a.low % b.low, a.high % b.low, a.step);
    return true;
  }
  *out = range_between(a.low >= 0 ? 0 : most(a.low, 1 - b.high), a.high < 0 ? 0 : least(a.high, b.high - 1));
  return true;
}

static bool shifted(c_operator op, range a, range b, const tree_type *t, range *out) {
  if (a.low < 0 || b.low < 0 || b.high >= (int64_t)t->size * 8 || b.high > 62) return false;
  if (op == OP_SHIFT_LEFT) return product(a, stepped((int64_t)1 << b.low, (int64_t)1 << b.high, 1), out);
  *out = range_between(a.low >> b.high, a.high >> b.low);
  return true;
}

/* All ones from the highest bit on. */
static int64_t filled(int64_t x) {
  int64_t all = 0;
  while (all < x) all = all * 2 + 1;
  return all;
}

static bool by_bits(c_operator op, range a, range b, range *out) {
  if (op == OP_AND && (a.low >= 0 || b.low >= 0)) {
    *out = range_between(0, a.low < 0 ? b.high : b.low < 0 ? a.high : least(a.high, b.high));
    return true;
  }
  if (op == OP_AND || a.low < 0 || b.low < 0 || range_is_endless(&a) || range_is_endless(&b)) return false;
  *out = range_between(op == OP_OR ? most(a.low, b.low) : 0, filled(most(a.high, b.high)));
  return true;
}

static bool compute(c_operator op, range a, range b, const tree_type *t, range *out) {
  switch (op) {
    case OP_REMAINDER: return b.high != RANGE_MOST && a.low != RANGE_LEAST && rest(a, b, out);
    case OP_AND:
    case OP_OR:
    case OP_XOR: return by_bits(op, a, b, out);
    default: break;
  }
  if (range_is_endless(&a) || range_is_endless(&b)) return false;
  switch (op) {
    case OP_ADD: return sum(a, b, out);
    case OP_SUBTRACT: return difference(a, b, out);
    case OP_MULTIPLY: return product(a, b, out);
    case OP_DIVIDE: return quotient(a, b, out);
    case OP_SHIFT_LEFT:
    case OP_SHIFT_RIGHT: return shifted(op, a, b, t, out);
    default: return false;
  }
}

/* 1 or 0 where it is always so, else -1. */
static int compare(c_operator op, range a, range b) {
  switch (op) {
    case OP_LESS: return a.high < b.low ? 1 : a.low >= b.high ? 0 : -1;
    case OP_LESS_EQUAL: return a.high <= b.low ? 1 : a.low > b.high ? 0 : -1;
    case OP_GREATER: return compare(OP_LESS, b, a);
    case OP_GREATER_EQUAL: return compare(OP_LESS_EQUAL, b, a);
    case OP_EQUAL: return range_is_number(&a) && range_equal(&a, &b) ? 1 : a.high < b.low || a.low > b.high ? 0 : -1;
    default: {
      const int same = compare(OP_EQUAL, a, b);
      return same < 0 ? -1 : !same;
    }
  }
}

range range_compute(c_operator op, range a, range b, const tree_type *t) {
  if (op >= OP_LESS && op <= OP_NOT_EQUAL) {
    const int known = range_is_endless(&a) || range_is_endless(&b) ? -1 : compare(op, a, b);
    return known < 0 ? range_between(0, 1) : range_number(known);
  }
  range out = {0};
  return compute(op, a, b, t, &out) ? range_as(out, t) : range_of_type(t);
}

/* --- variables and expressions ------------------------------------------------------------------------------------ */

#define UNKNOWN_OBJECT (UINT32_MAX - 1) /* a pointer to what is not known */

/* States: what variables may hold, joined where ways meet. */

/* --- variables and objects ----------------------------------------------------------------------------------------- */

/* The name at the root of an lvalue that is a part of a variable; NULL: a pointer leads to it. */
static const tree_node *root_name(const tree_node *n) {
  for (n = tree_bare(n); n->kind != TREE_NAME; n = tree_bare(n->children[0])) {
    const bool part = (n->kind == TREE_MEMBER && !n->arrow) || (n->kind == TREE_SWIZZLE && !n->arrow) ||
                      n->kind == TREE_SUBSCRIPT || (n->kind == TREE_CONVERT && n->conversion == TREE_DECAY);
    if (!part || n->child_count == 0) return NULL;
  }
  return n;
}

/* Whether it can change in other ways than by its name. */
static bool is_exposed(const tree_symbol *s) {
  const tree_node *function = tree_function_of(s->declaration);
  for (const tree_node *n = function; n != NULL; n = tree_next(function, n)) {
    const tree_node *name = n->kind == TREE_ADDRESS ? root_name(n->children[0]) : NULL;
    if (name != NULL && name->symbol == s) return true;
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
  for (uint32_t i = 0; i < w->variable_count; i++)
    if (w->variables[i] == s) return i;
  if (w->variable_count == INSIDE_VARIABLES || s == NULL || !is_followed(s)) return NO_VARIABLE;
  w->variables[w->variable_count] = s;
  return w->variable_count++;
}

static uint32_t inside_object_of(walker *w, const tree_symbol *s) {
  if (s == NULL) return UNKNOWN_OBJECT;
  for (uint32_t i = 0; i < w->object_count; i++)
    if (w->objects[i].symbol == s) return i;
  const bool known = (s->kind == TREE_SYMBOL_VARIABLE || s->kind == TREE_SYMBOL_PARAMETER) && s->type != NULL &&
                     s->type->size > 0 && s->type->size <= INT32_MAX;
  if (!known || w->object_count == INSIDE_OBJECTS) return UNKNOWN_OBJECT;
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
  for (uint32_t i = 0; i < s->order_count; i++)
    if (s->orders[i].high != variable && s->orders[i].low != variable) s->orders[kept++] = s->orders[i];
  s->order_count = kept;
}

/* --- orders -------------------------------------------------------------------------------------------------------- */

/* What is known of high - low; RANGE_LEAST: nothing. */
static int64_t inside_gap(const state *s, uint32_t high, uint32_t low) {
  int64_t gap = RANGE_LEAST;
  for (uint32_t i = 0; i < s->order_count; i++) {
    const order *o = &s->orders[i];
    gap = o->high == high && o->low == low && o->gap > gap ? o->gap : gap;
  }
  return gap;
}

void inside_order(state *s, uint32_t high, uint32_t low, int64_t gap) {
  if (high != NO_VARIABLE && low != NO_VARIABLE && s->order_count < INSIDE_ORDERS && inside_gap(s, high, low) < gap)
    s->orders[s->order_count++] = (order){high, low, gap};
}

/* Those that both have. */
static void join_orders(state *into, const state *from) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < into->order_count; i++) {
    order o = into->orders[i];
    const int64_t other = inside_gap(from, o.high, o.low);
    o.gap = other < o.gap ? other : o.gap;
    if (o.gap != RANGE_LEAST) into->orders[kept++] = o;
  }
  into->order_count = kept;
}

/* --- states -------------------------------------------------------------------------------------------------------- */

void inside_join(const walker *w, state *into, const state *from) {
  (void)w;
  if (!from->reachable) return;
  if (!into->reachable) {
    *into = *from;
    return;
  }
  into->count = from->count < into->count ? from->count : into->count;
  for (uint32_t i = 0; i < into->count; i++) into->values[i] = inside_either(into->values[i], from->values[i]);
  join_orders(into, from);
}

bool inside_within(const walker *w, const state *a, const state *b) {
  if (!a->reachable || !b->reachable) return !a->reachable;
  for (uint32_t i = 0; i < b->count; i++) {
    const value all = inside_either(inside_get(w, a, i), b->values[i]);
    if (!(all.object == b->values[i].object && range_equal(&all.r, &b->values[i].r))) return false;
  }
  for (uint32_t i = 0; i < b->order_count; i++)
    if (inside_gap(a, b->orders[i].high, b->orders[i].low) < b->orders[i].gap) return false;
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

enum { MOST_VISITS = 1 << 20 };

/* What an lvalue names. */
typedef struct place {
  uint32_t variable; /* of ours; else NO_VARIABLE */
  bool temporary;    /* it is no memory */
  value at;
} place;

static const tree_type bytes_type = {.kind = TREE_TYPE_INTEGER, .size = 8};

static range add(range a, range b) { return range_compute(OP_ADD, a, b, &bytes_type); }

static range scaled(range a, uint64_t size) {
  return range_compute(OP_MULTIPLY, a, range_number((int64_t)size), &bytes_type);
}

/* Whether a pointer to the one may need less alignment than one to the other. */
static bool inside_is_widened(const tree_type *from, const tree_type *to) {
  if (!is_pointer(from) || !is_pointer(to)) return true;
  const tree_type *a = from->element, *b = to->element;
  return a->plain != b->plain &&
         (a->size == 0 || a->kind == TREE_TYPE_RECORD || a->kind == TREE_TYPE_ARRAY || b->size > a->size);
}

/* --- places -------------------------------------------------------------------------------------------------------- */

static place place_of(walker *w, const tree_node *lvalue);

static place nowhere(void) { return (place){NO_VARIABLE, false, {UNKNOWN_OBJECT, range_of_type(NULL)}}; }

/* A part of an object that lies anywhere in it. */
static place part_of(place whole, const tree_type *of, const tree_type *part) {
  if (of == NULL || part == NULL || part->size == 0 || part->size == TREE_UNSIZED || of->size < part->size)
    return nowhere();
  whole.variable = NO_VARIABLE;
  whole.at.r = add(whole.at.r, range_between(0, (int64_t)(of->size - part->size)));
  return whole;
}

static place pointed(walker *w, const tree_node *pointer) {
  const value at = inside_expression(w, pointer);
  return (place){NO_VARIABLE, false, at};
}

static place place_of_name(walker *w, const tree_node *n) {
  const uint32_t variable = inside_variable_of(w, n->symbol);
  if (variable != NO_VARIABLE) return (place){variable, false, {UNKNOWN_OBJECT, range_of_type(NULL)}};
  return (place){NO_VARIABLE, false, {inside_object_of(w, n->symbol), range_number(0)}};
}

static place place_of_element(walker *w, const tree_node *n) {
  const tree_node *base = n->children[0];
  place p = is_pointer(base->type) ? pointed(w, base) : place_of(w, base);
  const value index = inside_expression(w, n->children[1]);
  const bool sized = n->type != NULL && n->type->size > 0 && n->type->size <= INT32_MAX;
  p.variable = NO_VARIABLE;
  p.at.r = sized ? add(p.at.r, scaled(index.r, n->type->size)) : range_of_type(NULL);
  return p;
}

static place place_of(walker *w, const tree_node *lvalue) {
  const tree_node *n = tree_bare(lvalue);
  const tree_node *base = n->child_count > 0 ? n->children[0] : NULL;
  switch (n->kind) {
    case TREE_NAME: return place_of_name(w, n);
    case TREE_SUBSCRIPT: return place_of_element(w, n);
    case TREE_DEREFERENCE: return pointed(w, base);
    case TREE_MEMBER:
    case TREE_SWIZZLE: {
      const tree_type *of = n->arrow && is_pointer(base->type) ? base->type->element : base->type;
      const tree_type *part = n->kind == TREE_SWIZZLE ? tree_component(n->type) : n->type;
      const place whole = n->arrow ? pointed(w, base) : place_of(w, base);
      if (n->kind == TREE_SWIZZLE) return whole; /* an access is one of the whole vector */
      return whole.temporary ? whole : part_of(whole, of, part);
    }
    default: {
      const value v = inside_expression(w, n);
      (void)v;
      return (place){NO_VARIABLE, !n->lvalue, {UNKNOWN_OBJECT, range_of_type(NULL)}};
    }
  }
}

/* Bytes that an access to an lvalue may touch. */
static uint64_t size_of(const tree_node *lvalue) {
  const tree_node *n = tree_bare(lvalue);
  const tree_type *t = n->type;
  if (n->kind == TREE_SWIZZLE) {
    const tree_type *base = n->children[0]->type;
    t = n->arrow && is_pointer(base) ? base->element : base;
  }
  return t == NULL ? 0 : t->size;
}

static void touch_place(walker *w, const place *p, const tree_node *lvalue, bool reads, bool writes) {
  if (p->variable == NO_VARIABLE && !p->temporary) inside_touch(w, p->at, size_of(lvalue), reads, writes);
}

static value value_at(const walker *w, const place *p, const tree_type *t) {
  return p->variable != NO_VARIABLE ? inside_get(w, &w->now, p->variable) : inside_anything(t);
}

/* As the variable holds it. */
static void store(walker *w, const place *p, value v) {
  if (p->variable != NO_VARIABLE && w->now.reachable) {
    const tree_type *t = w->variables[p->variable]->type;
    if (is_pointer(t) != (v.object != NO_OBJECT)) v = inside_anything(t);
    v.r = is_pointer(t) ? v.r : range_as(v.r, t);
    inside_set(w, &w->now, p->variable, v);
  }
}

/* --- operators ----------------------------------------------------------------------------------------------------- */

static value moved(value pointer, c_operator op, range by, const tree_type *t) {
  const uint64_t size = is_pointer(t) ? t->element->size : 0;
  const bool known = pointer.object < UNKNOWN_OBJECT && size > 0 && size <= INT32_MAX;
  pointer.r = known ? range_compute(op, pointer.r, scaled(by, size), &bytes_type) : range_of_type(NULL);
  return pointer;
}

uint32_t inside_variable(walker *w, const tree_node *n) {
  n = tree_bare(n);
  while ((n->kind == TREE_CONVERT || n->kind == TREE_CAST) && n->conversion == TREE_INTEGER_TO_INTEGER) {
    const tree_type *from = n->children[0]->type, *to = n->type;
    const bool plain =
        is_scalar(from) && is_scalar(to) && from->size <= to->size && from->is_unsigned == to->is_unsigned;
    if (!plain) return NO_VARIABLE;
    n = tree_bare(n->children[0]);
  }
  if (n->kind != TREE_CONVERT || n->conversion != TREE_LOAD || !is_scalar(n->type)) return NO_VARIABLE;
  n = tree_bare(n->children[0]);
  return n->kind == TREE_NAME ? inside_variable_of(w, n->symbol) : NO_VARIABLE;
}

static value pointer_difference(walker *w, const tree_node *n, range a, range b) {
  const uint32_t high = inside_variable(w, n->children[0]), low = inside_variable(w, n->children[1]);
  const int64_t gap = high == NO_VARIABLE || low == NO_VARIABLE ? RANGE_LEAST : inside_gap(&w->now, high, low);
  range r = range_compute(OP_SUBTRACT, a, b, &bytes_type);
  if (gap != RANGE_LEAST) (void)range_meet(&r, gap, RANGE_MOST);
  return (value){NO_OBJECT, range_as(r, n->type)};
}

static value binary(walker *w, const tree_node *n) {
  const value a = inside_expression(w, n->children[0]), b = inside_expression(w, n->children[1]);
  const tree_type *left = n->children[0]->type, *right = n->children[1]->type;
  if (is_pointer(n->type)) return is_pointer(left) ? moved(a, n->op, b.r, left) : moved(b, n->op, a.r, right);
  if (!is_scalar(left) || !is_scalar(right)) return inside_anything(n->type);
  if (n->op == OP_SUBTRACT) return pointer_difference(w, n, a.r, b.r);
  return (value){NO_OBJECT, range_compute(n->op, a.r, b.r, left)};
}

static value unary(walker *w, const tree_node *n) {
  const value x = inside_expression(w, n->children[0]);
  if (!is_scalar(n->type) || !is_scalar(n->children[0]->type)) return inside_anything(n->type);
  switch (n->op) {
    case OP_ADD: return x;
    case OP_SUBTRACT: return (value){NO_OBJECT, range_compute(OP_SUBTRACT, range_number(0), x.r, n->type)};
    case OP_COMPLEMENT:
      return n->type->is_unsigned ? inside_anything(n->type)
                                  : (value){NO_OBJECT, range_compute(OP_SUBTRACT, range_number(-1), x.r, n->type)};
    default: return (value){NO_OBJECT, range_between(0, 1)};
  }
}

/* Both ways go on. */
static value logical(walker *w, const tree_node *n) {
  if (!is_scalar(n->type)) {
    (void)inside_expression(w, n->children[0]);
    (void)inside_expression(w, n->children[1]);
    return inside_anything(n->type);
  }
  state yes, no;
  inside_decide(w, n, &yes, &no);
  const range r = range_between(no.reachable ? 0 : 1, yes.reachable ? 1 : 0);
  w->now = yes;
  inside_join(w, &w->now, &no);
  return (value){NO_OBJECT, r.low <= r.high ? r : range_between(0, 1)};
}

static value choice(walker *w, const tree_node *n) {
  const tree_type *t = n->children[0]->type;
  if (n->children[1] == NULL || t == NULL || t->kind == TREE_TYPE_VECTOR) {
    for (uint32_t i = 0; i < n->child_count; i++)
      if (n->children[i] != NULL) (void)inside_expression(w, n->children[i]);
    return inside_anything(n->type);
  }
  state yes, no;
  inside_decide(w, n->children[0], &yes, &no);
  const bool first = yes.reachable, second = no.reachable;
  w->now = yes;
  const value a = inside_expression(w, n->children[1]);
  const state after = w->now;
  w->now = no;
  const value b = inside_expression(w, n->children[2]);
  inside_join(w, &w->now, &after);
  return first && second ? inside_either(a, b) : first ? a : b;
}

static value assignment(walker *w, const tree_node *n) {
  const place p = place_of(w, n->children[0]);
  const value v = inside_expression(w, n->children[1]);
  touch_place(w, &p, n->children[0], false, true);
  store(w, &p, v);
  return v;
}

static value compound(walker *w, const tree_node *n) {
  const tree_type *t = n->children[0]->type, *in = n->computed != NULL ? n->computed : t;
  const place p = place_of(w, n->children[0]);
  const value by = inside_expression(w, n->children[1]);
  touch_place(w, &p, n->children[0], true, true);
  const value old = value_at(w, &p, t);
  value v = inside_anything(t);
  if (is_pointer(t))
    v = moved(old, n->op, by.r, t);
  else if (is_scalar(t) && is_scalar(in) && is_scalar(n->children[1]->type))
    v.r = range_as(range_compute(n->op, range_as(old.r, in), by.r, in), t);
  store(w, &p, v);
  return v;
}

static value step(walker *w, const tree_node *n) {
  const tree_type *t = n->children[0]->type;
  const place p = place_of(w, n->children[0]);
  touch_place(w, &p, n->children[0], true, true);
  const value old = value_at(w, &p, t);
  value v = inside_anything(t);
  if (is_pointer(t))
    v = moved(old, n->op, range_number(1), t);
  else if (is_scalar(t))
    v.r = range_compute(n->op, old.r, range_number(1), t);
  store(w, &p, v);
  return n->postfix ? old : v;
}

/* --- conversions --------------------------------------------------------------------------------------------------- */

static value load(walker *w, const tree_node *n) {
  const place p = place_of(w, n->children[0]);
  touch_place(w, &p, n->children[0], true, false);
  return value_at(w, &p, n->type);
}

static value converted(walker *w, const tree_node *n) {
  const tree_node *of = n->children[0];
  switch (n->conversion) {
    case TREE_LOAD: return load(w, n);
    case TREE_DECAY: {
      const place p = place_of(w, of);
      return p.variable == NO_VARIABLE && !p.temporary ? p.at : inside_anything(n->type);
    }
    case TREE_INTEGER_TO_INTEGER: {
      const value v = inside_expression(w, of);
      return is_scalar(of->type) && is_scalar(n->type) ? (value){NO_OBJECT, range_as(v.r, n->type)}
                                                       : inside_anything(n->type);
    }
    case TREE_TO_BOOL: {
      const value v = inside_expression(w, of);
      const range r = is_scalar(of->type) ? v.r : range_of_type(NULL);
      return (value){NO_OBJECT, range_compute(OP_NOT_EQUAL, r, range_number(0), n->type)};
    }
    case TREE_POINTER_TO_POINTER: {
      const value v = inside_expression(w, of);
      return inside_is_widened(of->type, n->type) ? inside_anything(n->type) : v;
    }
    default: (void)inside_expression(w, of); return inside_anything(n->type);
  }
}

/* --- all ----------------------------------------------------------------------------------------------------------- */

static value by_kind(walker *w, const tree_node *n) {
  switch (n->kind) {
    case TREE_LITERAL:
    case TREE_STRING:
    case TREE_MACRO:
    case TREE_SIZEOF: return inside_anything(n->type);
    case TREE_PARENTHESES: return inside_expression(w, n->children[0]);
    case TREE_CAST:
    case TREE_CONVERT: return converted(w, n);
    case TREE_NAME:
    case TREE_MEMBER:
    case TREE_SWIZZLE:
    case TREE_SUBSCRIPT:
    case TREE_DEREFERENCE:
      (void)place_of(w, n); /* nothing is read */
      return inside_anything(n->type);
    case TREE_ADDRESS: {
      const place p = place_of(w, n->children[0]);
      return p.variable == NO_VARIABLE && !p.temporary ? p.at : inside_anything(n->type);
    }
    case TREE_UNARY: return unary(w, n);
    case TREE_STEP: return step(w, n);
    case TREE_BINARY: return binary(w, n);
    case TREE_LOGICAL: return logical(w, n);
    case TREE_COMMA: (void)inside_expression(w, n->children[0]); return inside_expression(w, n->children[1]);
    case TREE_ASSIGN: return assignment(w, n);
    case TREE_COMPOUND_ASSIGN: return compound(w, n);
    case TREE_CONDITIONAL: return choice(w, n);
    case TREE_CALL: return inside_call(w, n);
    case TREE_VECTOR:
    case TREE_COMPOUND_LITERAL:
    case TREE_INITIALIZER:
    case TREE_DESIGNATED:
    case TREE_REINTERPRET:
    case TREE_SHUFFLE:
      for (uint32_t i = 0; i < n->child_count; i++) (void)inside_expression(w, n->children[i]);
      return inside_anything(n->type);
    default: w->failed = true; return inside_anything(n->type);
  }
}

value inside_expression(walker *w, const tree_node *n) {
  w->failed = w->failed || n == NULL || ++w->visits > MOST_VISITS;
  if (w->failed || !w->now.reachable) return inside_anything(n != NULL ? n->type : NULL);
  if (n->constant.kind == TREE_INTEGER_CONSTANT && is_scalar(n->type)) {
    const bool large = n->type->is_unsigned && n->constant.integer < 0;
    return (value){NO_OBJECT, large ? range_of_type(n->type) : range_number(n->constant.integer)};
  }
  return by_kind(w, n);
}

void inside_declare(walker *w, const tree_node *variable) {
  const tree_node *first = variable->child_count > 0 ? variable->children[0] : NULL;
  const value v = first != NULL && !first->not_executed ? inside_expression(w, first) : inside_anything(variable->type);
  const uint32_t number = inside_variable_of(w, variable->symbol);
  if (number != NO_VARIABLE) {
    const place p = {.variable = number};
    store(w, &p, v);
  }
}
