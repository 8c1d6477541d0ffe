/* Statements, and the kernel as a whole. */
#include <stdlib.h>
#include <string.h>

#include "frontend/facts/inside_internal.h"

enum { TURNS_TRIED = 24, TURNS_EXACT = 2, TURNS_TO_ENDS = 12 };

static const tree_node *child(const tree_node *n, uint32_t i) { return i < n->child_count ? n->children[i] : NULL; }

/* inside.c */
static void inside_statement(walker *w, const tree_node *n);

static void statement(walker *w, const tree_node *n) {
  if (n != NULL && !w->failed) inside_statement(w, n);
}

/* A part of a `for`. */
static void part(walker *w, const tree_node *n) {
  if (n != NULL && tree_is_expression(n->kind))
    (void)inside_expression(w, n);
  else
    statement(w, n);
}

/* The work-item goes on elsewhere. */
static void jump(walker *w, state *to) {
  w->failed = w->failed || to == NULL;
  if (to != NULL) inside_join(w, to, &w->now);
  w->now.reachable = false;
}

/* --- loops --------------------------------------------------------------------------------------------------------- */

typedef struct loop_parts {
  const tree_node *condition, *step, *body;
} loop_parts;

static loop_parts parts_of(const tree_node *n) {
  return n->kind == TREE_FOR  ? (loop_parts){child(n, 1), child(n, 2), child(n, 3)}
         : n->kind == TREE_DO ? (loop_parts){child(n, 1), NULL, child(n, 0)}
                              : (loop_parts){child(n, 0), NULL, child(n, 1)};
}

/* One turn, from w->now on: what the next one begins with, and what the loop is left with. */
static void turn(walker *w, const tree_node *n, state *again, state *left) {
  const loop_parts p = parts_of(n);
  state continues = {0}, no = {0};
  *left = *again = (state){0};
  state *const before[] = {w->breaks, w->continues};
  if (n->kind != TREE_DO) {
    state yes;
    inside_decide(w, p.condition, &yes, left);
    w->now = yes;
  }
  w->breaks = left;
  w->continues = &continues;
  statement(w, p.body);
  w->breaks = before[0];
  w->continues = before[1];
  inside_join(w, &w->now, &continues);
  if (n->kind == TREE_DO) {
    inside_decide(w, p.condition, again, &no);
    inside_join(w, left, &no);
    return;
  }
  if (p.step != NULL) part(w, p.step);
  *again = w->now;
}

/* What each turn may begin with. */
static state head_of(walker *w, const tree_node *n, const state *entry) {
  state head = *entry;
  bool stable = false;
  const range_ends none = {.count = 0};
  w->quiet++;
  for (int round = 0; !stable && !w->failed; round++) {
    state again, left, next = *entry;
    w->now = head;
    turn(w, n, &again, &left);
    inside_join(w, &next, &again);
    stable = inside_within(w, &next, &head);
    w->failed = w->failed || round == TURNS_TRIED;
    head = stable                ? head
           : round < TURNS_EXACT ? next
                                 : inside_widen(w, &head, &next, round < TURNS_TO_ENDS ? &w->ends : &none);
  }
  for (int round = 0; round < 2 && !w->failed; round++) {
    state again, left, next = *entry;
    w->now = head;
    turn(w, n, &again, &left);
    inside_join(w, &next, &again);
    if (!inside_within(w, &next, &head)) break;
    head = next;
  }
  w->quiet--;
  return head;
}

static void loop(walker *w, const tree_node *n) {
  if (n->kind == TREE_FOR && child(n, 0) != NULL) part(w, child(n, 0));
  const state entry = w->now;
  const state head = head_of(w, n, &entry);
  state again, left, next = entry;
  w->now = head;
  turn(w, n, &again, &left);
  inside_join(w, &next, &again);
  w->failed = w->failed || !inside_within(w, &next, &head);
  w->now = left;
}

/* --- switch -------------------------------------------------------------------------------------------------------- */

static bool has_default(const tree_node *body) {
  for (const tree_node *n = body; n != NULL;
       n = n->kind == TREE_SWITCH && n != body ? tree_next_beyond(body, n) : tree_next(body, n))
    if (n->kind == TREE_DEFAULT) return true;
  return false;
}

static void choose(walker *w, const tree_node *n) {
  (void)inside_expression(w, n->children[0]);
  state from = w->now, out = {0}, *const before[] = {w->cases, w->breaks};
  w->cases = &from;
  w->breaks = &out;
  w->now.reachable = false;
  statement(w, child(n, 1));
  w->cases = before[0];
  w->breaks = before[1];
  inside_join(w, &w->now, &out);
  if (!has_default(child(n, 1))) inside_join(w, &w->now, &from);
}

/* --- all ----------------------------------------------------------------------------------------------------------- */

static void decide_if(walker *w, const tree_node *n) {
  state yes, no;
  inside_decide(w, n->children[0], &yes, &no);
  w->now = yes;
  statement(w, child(n, 1));
  const state after = w->now;
  w->now = no;
  statement(w, child(n, 2));
  inside_join(w, &w->now, &after);
}

static void give_back(walker *w, const tree_node *n) {
  if (child(n, 0) != NULL) {
    const value v = inside_expression(w, n->children[0]);
    if (w->now.reachable) w->returned = w->returned.r.low > w->returned.r.high ? v : inside_either(w->returned, v);
  }
  jump(w, w->returns);
}

static void each_child(walker *w, const tree_node *n) {
  for (uint32_t i = 0; i < n->child_count; i++) statement(w, n->children[i]);
}

static void inside_statement(walker *w, const tree_node *n) {
  switch (n->kind) {
    case TREE_COMPOUND:
    case TREE_DECLARE: each_child(w, n); break;
    case TREE_VARIABLE: inside_declare(w, n); break;
    case TREE_EXPRESSION: (void)inside_expression(w, n->children[0]); break;
    case TREE_IF: decide_if(w, n); break;
    case TREE_FOR:
    case TREE_WHILE:
    case TREE_DO: loop(w, n); break;
    case TREE_SWITCH: choose(w, n); break;
    case TREE_CASE:
    case TREE_DEFAULT:
      w->failed = w->failed || w->cases == NULL;
      if (w->cases != NULL) inside_join(w, &w->now, w->cases);
      statement(w, child(n, n->kind == TREE_CASE ? 2 : 0));
      break;
    case TREE_BREAK: jump(w, w->breaks); break;
    case TREE_CONTINUE: jump(w, w->continues); break;
    case TREE_RETURN: give_back(w, n); break;
    case TREE_EMPTY:
    case TREE_PRAGMA:
    case TREE_TYPEDEF:
    case TREE_RECORD:
    case TREE_ENUM: break;
    default: /* goto, labels, what is not understood */ w->failed = true; break;
  }
}

/* --- the kernel ---------------------------------------------------------------------------------------------------- */

static void give_parameter(walker *w, const tree_node *parameter, const facts_argument *a) {
  const uint32_t variable = inside_variable_of(w, parameter->symbol);
  const tree_type *t = parameter->type;
  if (variable == NO_VARIABLE) return;
  value v = inside_anything(t);
  if (t != NULL && t->kind == TREE_TYPE_POINTER && w->object_count < INSIDE_OBJECTS) {
    w->objects[w->object_count] = (object){NULL, a->bytes, a->no_read, a->no_write};
    v = (value){w->object_count++, range_number(0)};
  } else if (a->known && t != NULL && t->kind == TREE_TYPE_INTEGER) {
    v.r = range_as(range_number(a->value), t);
  }
  inside_set(w, &w->now, variable, v);
}

bool launch_stays_inside(const tree_node *kernel, const facts_launch *l) {
  walker w = {.launch = l, .now = {.reachable = true}};
  w.failed = tree_body(kernel) == NULL || l->argument_count + 1 != kernel->child_count || l->dimensions > 3;
  for (uint32_t d = 0; d < l->dimensions && !w.failed; d++)
    w.failed = l->global[d] == 0 || l->global[d] > INT32_MAX || l->local[d] > INT32_MAX || l->offset[d] > INT32_MAX;
  for (uint32_t i = 0; i + 1 < kernel->child_count && !w.failed; i++)
    give_parameter(&w, kernel->children[i], &l->arguments[i]);
  state returns = {0};
  w.returns = &returns;
  if (!w.failed) inside_statement(&w, tree_body(kernel));
  return !w.failed;
}

/* Conditions: in which states they are true, and in which false. */

/* Functions of the language that give a value and nothing else. */
static bool is_pure(const tree_builtin *called) { return called != NULL && tree_builtin_is_pure(called); }

static const tree_type wide = {.kind = TREE_TYPE_INTEGER, .size = 8};

static int64_t plus(int64_t a, int64_t b) {
  int64_t out = 0;
  const bool endless = a == RANGE_LEAST || a == RANGE_MOST;
  if (endless) return a;
  return __builtin_add_overflow(a, b, &out) ? (b > 0 ? RANGE_MOST : RANGE_LEAST) : out;
}

/* What an expression without effects comes to in a state. */
static range value_in(walker *w, const state *s, const tree_node *n) {
  const state before = w->now;
  w->now = *s;
  w->quiet++;
  const range r = inside_expression(w, n).r;
  w->quiet--;
  w->now = before;
  return r;
}

static void restrict_to(walker *w, state *s, const tree_node *n, int64_t low, int64_t high);

/* a + b, a - b, a * number: each side follows from the other, where nothing wraps. */
static void restrict_sides(walker *w, state *s, const tree_node *n, int64_t low, int64_t high) {
  const tree_node *left = n->children[0], *right = n->children[1];
  if (!is_scalar(left->type) || !is_scalar(right->type)) return;
  const range a = value_in(w, s, left), b = value_in(w, s, right);
  const range exact = range_compute(n->op, a, b, &wide);
  if (!range_keeps(&exact, n->type) || range_is_endless(&a) || range_is_endless(&b)) return;
  if (n->op == OP_ADD) {
    restrict_to(w, s, left, plus(low, -b.high), plus(high, -b.low));
    restrict_to(w, s, right, plus(low, -a.high), plus(high, -a.low));
  } else if (n->op == OP_SUBTRACT) {
    restrict_to(w, s, left, plus(low, b.low), plus(high, b.high));
    restrict_to(w, s, right, high == RANGE_MOST ? RANGE_LEAST : plus(a.low, -high),
                low == RANGE_LEAST ? RANGE_MOST : plus(a.high, -low));
  } else if (n->op == OP_MULTIPLY && range_is_number(&b) && b.low > 0) {
    const int64_t by = b.low;
    const int64_t first = low == RANGE_LEAST ? low : low / by + (low > 0 && low % by != 0);
    const int64_t last = high == RANGE_MOST ? high : high / by - (high < 0 && high % by != 0);
    restrict_to(w, s, left, first, last);
  }
}

/* A conversion that changes no number; or one to unsigned, where negative numbers would become too large. */
static void restrict_converted(walker *w, state *s, const tree_node *n, int64_t low, int64_t high) {
  const tree_node *of = n->children[0];
  if (!is_scalar(of->type) || !is_scalar(n->type)) return;
  const range r = value_in(w, s, of), all = range_of_type(of->type);
  low = n->type->is_unsigned && low < 0 ? 0 : low;
  const bool small =
      n->type->is_unsigned && n->type->size >= of->type->size && low >= 0 && high <= all.high && high != RANGE_MOST;
  if (range_keeps(&r, n->type) || small) restrict_to(w, s, of, low, high);
}

static void note_end(walker *w, int64_t end) {
  const uint32_t most = sizeof w->ends.items / sizeof w->ends.items[0];
  for (uint32_t i = 0; i < w->ends.count; i++)
    if (w->ends.items[i] == end) return;
  if (end != RANGE_LEAST && end != RANGE_MOST && w->ends.count < most) w->ends.items[w->ends.count++] = end;
}

/* The expression, which has no effects, comes to a number from `low` to `high`. */
static void restrict_to(walker *w, state *s, const tree_node *n, int64_t low, int64_t high) {
  n = tree_bare(n);
  if (!s->reachable || (low == RANGE_LEAST && high == RANGE_MOST)) return;
  const uint32_t variable = inside_variable(w, n);
  if (variable != NO_VARIABLE) {
    value v = inside_get(w, s, variable);
    note_end(w, low);
    note_end(w, high);
    s->reachable = range_meet(&v.r, low, high);
    if (s->reachable && variable < s->count) s->values[variable] = v; /* orders hold as before */
  } else if ((n->kind == TREE_CONVERT || n->kind == TREE_CAST) && n->conversion == TREE_INTEGER_TO_INTEGER) {
    restrict_converted(w, s, n, low, high);
  } else if (n->kind == TREE_BINARY) {
    restrict_sides(w, s, n, low, high);
  }
}

/* It is not this number. */
static void exclude(walker *w, state *s, const tree_node *n, range r, int64_t number) {
  if (number == RANGE_LEAST || number == RANGE_MOST) return;
  if (r.low == number)
    restrict_to(w, s, n, plus(number, 1), RANGE_MOST);
  else if (r.high == number)
    restrict_to(w, s, n, RANGE_LEAST, plus(number, -1));
}

/* The comparison holds: `left` and `right` were these. */
static void inside_compared(walker *w, state *s, c_operator op, const tree_node *left, range a, const tree_node *right,
                            range b) {
  switch (op) {
    case OP_LESS:
    case OP_LESS_EQUAL: {
      const int64_t gap = op == OP_LESS ? 1 : 0;
      restrict_to(w, s, left, RANGE_LEAST, plus(b.high, -gap));
      restrict_to(w, s, right, plus(a.low, gap), RANGE_MOST);
      inside_order(s, inside_variable(w, right), inside_variable(w, left), gap);
      break;
    }
    case OP_GREATER: inside_compared(w, s, OP_LESS, right, b, left, a); break;
    case OP_GREATER_EQUAL: inside_compared(w, s, OP_LESS_EQUAL, right, b, left, a); break;
    case OP_EQUAL:
      restrict_to(w, s, left, b.low, b.high);
      restrict_to(w, s, right, a.low, a.high);
      break;
    default:
      if (range_is_number(&b)) exclude(w, s, left, a, b.low);
      if (range_is_number(&a)) exclude(w, s, right, b, a.low);
      break;
  }
}

/* --- decisions ----------------------------------------------------------------------------------------------------- */

static void decide_comparison(walker *w, const tree_node *n, state *yes, state *no) {
  const tree_node *left = n->children[0], *right = n->children[1];
  const range a = inside_expression(w, left).r, b = inside_expression(w, right).r;
  const range known = range_compute(n->op, a, b, left->type);
  *yes = *no = w->now;
  yes->reachable = yes->reachable && known.high > 0;
  no->reachable = no->reachable && known.low == 0;
  if (!tree_has_effects(n, is_pure)) {
    inside_compared(w, yes, n->op, left, a, right, b);
    inside_compared(w, no, c_operator_negated(n->op), left, a, right, b);
  }
}

static void decide_both(walker *w, const tree_node *n, state *yes, state *no) {
  state holds, fails;
  const bool both = n->op == OP_LOGICAL_AND;
  inside_decide(w, n->children[0], &holds, &fails);
  w->now = both ? holds : fails;
  inside_decide(w, n->children[1], yes, no);
  inside_join(w, both ? no : yes, both ? &fails : &holds);
}

static void decide_value(walker *w, const tree_node *n, state *yes, state *no) {
  const range r = is_scalar(n->type) ? inside_expression(w, n).r : (inside_expression(w, n), range_of_type(NULL));
  *yes = *no = w->now;
  no->reachable = no->reachable && r.low <= 0 && r.high >= 0;
  yes->reachable = yes->reachable && !(range_is_number(&r) && r.low == 0);
  if (is_scalar(n->type) && !tree_has_effects(n, is_pure)) {
    exclude(w, yes, n, r, 0);
    restrict_to(w, no, n, 0, 0);
  }
}

static bool is_comparison(const tree_node *n) {
  return n->kind == TREE_BINARY && n->op >= OP_LESS && n->op <= OP_NOT_EQUAL && is_scalar(n->children[0]->type) &&
         is_scalar(n->children[1]->type);
}

void inside_decide(walker *w, const tree_node *n, state *yes, state *no) {
  if (n == NULL) {
    *yes = w->now;
    *no = (state){0};
    return;
  }
  const tree_node *of = tree_bare(n);
  while ((of->kind == TREE_CONVERT || of->kind == TREE_CAST) && of->conversion == TREE_TO_BOOL)
    of = tree_bare(of->children[0]);
  if (of->constant.kind == TREE_INTEGER_CONSTANT)
    decide_value(w, of, yes, no);
  else if (of->kind == TREE_LOGICAL && is_scalar(of->type))
    decide_both(w, of, yes, no);
  else if (of->kind == TREE_UNARY && of->op == OP_NOT && is_scalar(of->type))
    inside_decide(w, of->children[0], no, yes);
  else if (is_comparison(of))
    decide_comparison(w, of, yes, no);
  else
    decide_value(w, of, yes, no);
}

/* Calls: what functions of the language give and access, and those of the program, which are gone through where they are
 * called. */

enum { DEEPEST = 16 };

static value number_of(const tree_node *n, range r) { return (value){NO_OBJECT, range_as(r, n->type)}; }

void inside_touch(walker *w, value at, uint64_t bytes, bool reads, bool writes) {
  if (w->quiet > 0 || !w->now.reachable) return;
  const object *o = at.object < w->object_count ? &w->objects[at.object] : NULL;
  const bool fits = o != NULL && bytes > 0 && bytes <= o->bytes && !range_is_endless(&at.r) && at.r.low >= 0 &&
                    (uint64_t)at.r.high <= o->bytes - bytes;
  w->failed = w->failed || !fits || (reads && o->no_read) || (writes && o->no_write);
}

/* --- the launch ---------------------------------------------------------------------------------------------------- */

/* Of a dimension that the launch has. */
static range size_of_launch(const facts_launch *l, uint64_t d, const char *name) {
  const int64_t global = (int64_t)l->global[d], local = (int64_t)l->local[d], offset = (int64_t)l->offset[d];
  const int64_t most = local == 0 ? global : local, whole = local == 0 ? 1 : (global + local - 1) / local;
  const bool even = local != 0 && global % local == 0;
  if (strcmp(name, "get_global_id") == 0) return range_between(offset, offset + global - 1);
  if (strcmp(name, "get_global_size") == 0) return range_number(global);
  if (strcmp(name, "get_global_offset") == 0) return range_number(offset);
  if (strcmp(name, "get_local_id") == 0) return range_between(0, most - 1);
  if (strcmp(name, "get_local_size") == 0) return even ? range_number(local) : range_between(1, most);
  if (strcmp(name, "get_enqueued_local_size") == 0) return local != 0 ? range_number(local) : range_between(1, most);
  if (strcmp(name, "get_group_id") == 0) return range_between(0, (local == 0 ? global : whole) - 1);
  return strcmp(name, "get_num_groups") == 0 ? (local == 0 ? range_between(1, global) : range_number(whole))
                                             : range_of_type(NULL);
}

static value ask_launch(walker *w, const tree_node *n) {
  const range d = n->child_count == 1 ? inside_expression(w, n->children[0]).r : range_of_type(NULL);
  if (!range_is_number(&d) || d.low < 0) return inside_anything(n->type);
  if ((uint64_t)d.low >= w->launch->dimensions) {
    const bool size = strstr(n->symbol->name, "size") != NULL || strcmp(n->symbol->name, "get_num_groups") == 0;
    return number_of(n, range_number(size ? 1 : 0));
  }
  return number_of(n, size_of_launch(w->launch, (uint64_t)d.low, n->symbol->name));
}

/* --- functions of numbers ------------------------------------------------------------------------------------------ */

static range least_of(range a, range b) {
  const int64_t low = a.low < b.low ? a.low : b.low, high = a.high < b.high ? a.high : b.high;
  return range_between(low, high);
}

static range most_of(range a, range b) {
  const int64_t low = a.low > b.low ? a.low : b.low, high = a.high > b.high ? a.high : b.high;
  return range_between(low, high);
}

static value of_numbers(walker *w, const tree_node *n) {
  range v[3] = {{0}, {0}, {0}};
  bool plain = n->type != NULL && n->type->kind == TREE_TYPE_INTEGER && n->child_count <= 3;
  for (uint32_t i = 0; i < n->child_count; i++) {
    const value x = inside_expression(w, n->children[i]);
    plain = plain && n->children[i]->type == n->type;
    v[i < 3 ? i : 2] = x.r;
  }
  const char *name = n->symbol->name;
  if (!plain) return inside_anything(n->type);
  if (n->child_count == 2 && strcmp(name, "min") == 0) return number_of(n, least_of(v[0], v[1]));
  if (n->child_count == 2 && strcmp(name, "max") == 0) return number_of(n, most_of(v[0], v[1]));
  if (n->child_count == 3 && strcmp(name, "clamp") == 0 && v[1].high <= v[2].low)
    return number_of(n, least_of(most_of(v[0], v[1]), v[2]));
  return inside_anything(n->type);
}

/* --- functions that access memory ---------------------------------------------------------------------------------- */

/* Through pointers, as far as memory.h has a check there. */
static value of_pointers(walker *w, const tree_node *n) {
  bool first = true;
  for (uint32_t i = 0; i < n->child_count; i++) {
    const tree_node *argument = n->children[i];
    const value v = inside_expression(w, argument);
    if (is_pointer(argument->type)) {
      const tree_effect effect = first ? n->builtin->first : n->builtin->others;
      const tree_type *to = argument->type->element;
      if (effect != TREE_EFFECT_NONE)
        inside_touch(w, v, to->size, effect != TREE_EFFECT_WRITE, effect != TREE_EFFECT_READ);
      first = false;
    }
  }
  return inside_anything(n->type);
}

/* vloadn, vstoren; those of halves are left out. */
static value of_vectors(walker *w, const tree_node *n) {
  const bool loads = n->builtin->kind == TREE_VECTOR_LOAD;
  const char *name = n->symbol->name + (loads ? 5 : 6);
  const uint64_t count = strtoul(name, NULL, 10);
  if (n->child_count != (loads ? 2u : 3u) || count < 2 || count > 16 || strstr(name, "half") != NULL) {
    w->failed = true;
    return inside_anything(n->type);
  }
  if (!loads) (void)inside_expression(w, n->children[0]);
  const value index = inside_expression(w, n->children[loads ? 0 : 1]);
  value at = inside_expression(w, n->children[loads ? 1 : 2]);
  const tree_type *t = n->children[loads ? 1 : 2]->type, all = {.kind = TREE_TYPE_INTEGER, .size = 8};
  const uint64_t bytes = is_pointer(t) ? count * t->element->size : 0;
  at.r = range_compute(OP_ADD, at.r, range_compute(OP_MULTIPLY, index.r, range_number((int64_t)bytes), &all), &all);
  inside_touch(w, at, bytes, loads, !loads);
  return inside_anything(n->type);
}

static value of_the_language(walker *w, const tree_node *n) {
  switch (n->builtin->kind) {
    case TREE_WORK_ITEM: return ask_launch(w, n);
    case TREE_INTEGER:
    case TREE_COMMON: return of_numbers(w, n);
    case TREE_VECTOR_LOAD:
    case TREE_VECTOR_STORE: return of_vectors(w, n);
    case TREE_ATOMIC_ANY:
    case TREE_ATOMIC_LOAD:
    case TREE_ATOMIC_STORE:
    case TREE_MATH: return of_pointers(w, n);
    case TREE_BARRIER:
    case TREE_FENCE:
    case TREE_IMAGE_QUERY:
    case TREE_PREFETCH:
    case TREE_GEOMETRIC:
    case TREE_RELATIONAL:
    case TREE_CONVERSION:
    case TREE_VECTOR_MISC:
    case TREE_GROUP:
    case TREE_SUB_GROUP:
    case TREE_PRINTF:
      for (uint32_t i = 0; i < n->child_count; i++) (void)inside_expression(w, n->children[i]);
      return inside_anything(n->type);
    default: /* images, copies, pipes, … */ w->failed = true; return inside_anything(n->type);
  }
}

/* --- functions of the program -------------------------------------------------------------------------------------- */

static void run_body(walker *w, const tree_node *function) {
  state returns = {0}, *const before[] = {w->returns, w->breaks, w->continues, w->cases};
  w->returns = &returns;
  w->breaks = w->continues = w->cases = NULL;
  inside_statement(w, tree_body(function));
  inside_join(w, &w->now, &returns);
  w->returns = before[0];
  w->breaks = before[1];
  w->continues = before[2];
  w->cases = before[3];
}

static value of_the_program(walker *w, const tree_node *n) {
  const tree_node *function = n->symbol != NULL ? n->symbol->declaration : NULL;
  const tree_node *body = function != NULL && function->kind == TREE_FUNCTION ? tree_body(function) : NULL;
  value given[32];
  if (body == NULL || n->child_count + 1 != function->child_count || n->child_count > 32 || w->depth == DEEPEST) {
    w->failed = true;
    return inside_anything(n->type);
  }
  for (uint32_t i = 0; i < n->child_count; i++) given[i] = inside_expression(w, n->children[i]);
  for (uint32_t i = 0; i < n->child_count && w->now.reachable; i++) {
    const uint32_t variable = inside_variable_of(w, function->children[i]->symbol);
    if (variable != NO_VARIABLE) inside_set(w, &w->now, variable, given[i]);
  }
  const value before = w->returned;
  w->returned = (value){.object = NO_OBJECT, .r = {1, 0, 0}}; /* none yet */
  w->depth++;
  run_body(w, function);
  w->depth--;
  const value out = w->returned.r.low > w->returned.r.high ? inside_anything(n->type) : w->returned;
  w->returned = before;
  return out;
}

value inside_call(walker *w, const tree_node *n) {
  if (n->builtin != NULL) return of_the_language(w, n);
  if (n->symbol == NULL || n->symbol->kind != TREE_SYMBOL_FUNCTION) {
    w->failed = true;
    return inside_anything(n->type);
  }
  return of_the_program(w, n);
}
