/* The walk through expressions: their values. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "proofs/host/walk.h"

static bool is_integer(const host_type *type) { return type->kind == HOST_INTEGER; }

/* --- conversions -------------------------------------------------------------------------------------------------- */

static const host_term *to_integer(host_walk *w, const host_term *value, const host_type *to) {
  const unsigned bits = (unsigned)to->size * 8;
  if (to->is_bool && term_is_integer(value))
    return term_cast(&w->memory.terms, term_truth(&w->memory.terms, value), bits, to->is_signed);
  if (term_is_integer(value)) return term_cast(&w->memory.terms, value, bits, to->is_signed);
  if (value->kind == TERM_REAL && fabs(value->real) < 9e15) {
    const double lowest = to->is_signed ? -ldexp(1, (int)bits - 1) : 0;
    const double limit = ldexp(1, (int)bits - (to->is_signed ? 1 : 0));
    if (value->real >= lowest && value->real < limit)
      return term_number(&w->memory.terms, (int64_t)value->real, bits, to->is_signed);
  }
  if (value->real_number) return term_apply(&w->memory.terms, "truncate", value, NULL, to);
  return walk_lost(w, value, to);
}

static const host_term *to_real(host_walk *w, const host_term *value, const host_type *to) {
  const bool single = to->size == 4;
  if (to->size > 8) return walk_lost(w, value, to); /* `long double` has more bits on some machines */
  if (term_is_number(value)) {
    const double wide = value->is_signed ? (double)value->value : (double)(uint64_t)value->value;
    return term_real(&w->memory.terms, single ? (double)(float)wide : wide);
  }
  if (value->kind == TERM_REAL) return term_real(&w->memory.terms, single ? (double)(float)value->real : value->real);
  return term_apply(&w->memory.terms, single ? "float" : "double", value, NULL, to);
}

const host_term *walk_convert(host_walk *w, const host_term *value, const host_type *to) {
  switch (to->kind) {
    case HOST_INTEGER: return to_integer(w, value, to);
    case HOST_FLOAT: return to_real(w, value, to);
    case HOST_POINTER:
      if (term_is_integer(value)) return term_is(value, 0) ? term_null(&w->memory.terms) : walk_new(w, to);
      return value;
    default: return value;
  }
}

static const host_type *int_type(host_walk *w) { return host_integer_type(w->tree, 32, true); }

/* --- operators ---------------------------------------------------------------------------------------------------- */

static bool compute_reals(host_op op, double a, double b, double *result) {
  switch (op) {
    case HOST_ADD: *result = a + b; return true;
    case HOST_SUB: *result = a - b; return true;
    case HOST_MUL: *result = a * b; return true;
    case HOST_DIV: *result = b == 0 ? NAN : a / b; return b != 0;
    default: return false;
  }
}

/* Of two numbers that are not integers. */
static const host_term *walk_reals(host_walk *w, const host_node *n, host_op op, const host_term *a,
                                   const host_term *b) {
  static const char *const names[] = {
      [HOST_ADD] = "+", [HOST_SUB] = "-", [HOST_MUL] = "*", [HOST_DIV] = "/", [HOST_LT] = "<",
      [HOST_LE] = "<=", [HOST_GT] = ">",  [HOST_GE] = ">=", [HOST_EQ] = "==", [HOST_NE] = "!=",
  };
  double result = 0;
  const bool single = n->type->kind == HOST_FLOAT && n->type->size == 4;
  if (a->kind == TERM_REAL && b->kind == TERM_REAL && compute_reals(op, a->real, b->real, &result))
    return term_real(&w->memory.terms, single ? (double)(float)result : result);
  if (op >= sizeof names / sizeof names[0] || names[op] == NULL) return walk_new(w, n->type);
  return term_apply(&w->memory.terms, names[op], a, b, n->type);
}

static const host_term *compare_pointers(host_walk *w, const host_node *n, const host_term *a, const host_term *b) {
  if (term_is_null(a) && term_is_null(b) && (n->op == HOST_EQ || n->op == HOST_NE))
    return term_number(&w->memory.terms, n->op == HOST_EQ ? 1 : 0, 32, true);
  return walk_new(w, n->type);
}

static const host_term *binary(host_walk *w, const host_node *n, host_op op, const host_term *a, const host_term *b) {
  if (term_is_integer(a) && term_is_integer(b)) {
    const host_term *result = term_binary(&w->memory.terms, op, a, b);
    return is_integer(n->type) ? walk_convert(w, result, n->type) : result;
  }
  const host_type *left = n->children[0]->type;
  const host_type *right = n->children[1]->type;
  if (n->type->kind == HOST_POINTER && (op == HOST_ADD || op == HOST_SUB))
    return term_is_integer(b) ? walk_shifted(w, a, b, op) : walk_shifted(w, b, a, op);
  if (left->kind == HOST_POINTER || right->kind == HOST_POINTER) return compare_pointers(w, n, a, b);
  if (left->kind == HOST_FLOAT && right->kind == HOST_FLOAT) return walk_reals(w, n, op, a, b);
  return walk_new(w, n->type);
}

static const host_term *unary(host_walk *w, const host_node *n) {
  const host_term *a = walk_value(w, n->children[0]);
  if (n->op == HOST_ADD) return a;
  if (term_is_integer(a)) {
    const host_term *result = term_unary(&w->memory.terms, n->op, a);
    return is_integer(n->type) ? walk_convert(w, result, n->type) : result;
  }
  if (a->kind == TERM_REAL && n->op == HOST_NEG) return term_real(&w->memory.terms, -a->real);
  return a->real_number && n->op == HOST_NEG ? term_apply(&w->memory.terms, "negate", a, NULL, n->type)
                                             : walk_new(w, n->type);
}

const host_term *walk_truth(host_walk *w, const host_node *n) {
  const host_term *value = walk_value(w, n);
  return term_is_integer(value) ? term_truth(&w->memory.terms, value) : walk_new(w, int_type(w));
}

/* The second operand is evaluated in a state of its own. */
static const host_term *logical(host_walk *w, const host_node *n) {
  const bool and = n->op == HOST_LAND;
  const host_term *a = walk_truth(w, n->children[0]);
  host_state skipped = state_copy(&w->state);
  walk_assume(w, &skipped, a, !and, n->where, HOST_FACT_CONDITION);
  walk_assume(w, &w->state, a, and, n->where, HOST_FACT_CONDITION);
  const host_term *b = walk_truth(w, n->children[1]);
  memory_join(&w->memory, &w->state, &skipped, and? a : term_unary(&w->memory.terms, HOST_NOT, a));
  const host_term *result = term_binary(&w->memory.terms, n->op, a, b);
  return is_integer(n->type) ? walk_convert(w, result, n->type) : result;
}

static const host_term *conditional(host_walk *w, const host_node *n) {
  const host_term *condition = walk_truth(w, n->children[0]);
  host_state other = state_copy(&w->state);
  walk_assume(w, &other, condition, false, n->where, HOST_FACT_CONDITION);
  walk_assume(w, &w->state, condition, true, n->where, HOST_FACT_CONDITION);
  const host_term *yes = walk_value(w, n->children[1]);
  host_state after = w->state;
  w->state = other;
  const host_term *no = walk_value(w, n->children[2]);
  other = w->state;
  w->state = after;
  const bool only_yes = other.dead;
  const bool only_no = w->state.dead;
  memory_join(&w->memory, &w->state, &other, condition);
  if (only_yes || only_no) return only_yes ? yes : no;
  const host_term *chosen = term_choice(&w->memory.terms, condition, yes, no);
  if (chosen->kind == TERM_SYMBOL && chosen != yes && chosen != no) {
    memory_expose(&w->memory, &w->state, yes);
    memory_expose(&w->memory, &w->state, no);
    return walk_new(w, n->type);
  }
  return chosen;
}

/* --- changes ------------------------------------------------------------------------------------------------------ */

/* The type in which `object op= value` is computed. */
static const host_type *common_type(host_walk *w, const host_type *a, const host_type *b, host_op op) {
  const host_type *plain = int_type(w);
  const host_type *left = a->size < 4 ? plain : a;
  const host_type *right = b->size < 4 ? plain : b;
  if (op == HOST_SHL || op == HOST_SHR || left->size > right->size) return left;
  return right->size > left->size || !right->is_signed ? right : left;
}

static const host_term *update(host_walk *w, const host_node *n) {
  const host_node *object = n->children[0];
  const host_term **early = walk_early(w, (const host_node *const *)n->children, 2), *values[2];
  values[1] = walk_value(w, n->children[1]);
  host_lvalue l = walk_lvalue(w, object);
  values[0] = walk_load(w, l);
  walk_late(w, (const host_node *const *)n->children, 2, early, values);
  const host_term *old = values[0], *by = values[1];
  const host_term *new = NULL;
  if (term_is_integer(old) && term_is_integer(by) && object->type->kind == HOST_INTEGER &&
      n->children[1]->type->kind == HOST_INTEGER) {
    const host_type *type = common_type(w, object->type, n->children[1]->type, n->op);
    const host_type *right = n->op == HOST_SHL || n->op == HOST_SHR ? n->children[1]->type : type;
    new = term_binary(&w->memory.terms, n->op, walk_convert(w, old, type), walk_convert(w, by, right));
    new = walk_convert(w, new, object->type);
  } else if (object->type->kind == HOST_POINTER && term_is_integer(by)) {
    new = walk_shifted(w, old, by, n->op);
  } else {
    new = walk_new(w, object->type);
  }
  walk_store(w, l, new);
  return new;
}

static const host_term *step(host_walk *w, const host_node *n) {
  host_lvalue l = walk_lvalue(w, n->children[0]);
  const host_term *old = walk_load(w, l);
  const host_term *new = NULL;
  if (term_is_integer(old) && n->type->size >= 4)
    new = term_binary(&w->memory.terms, n->op, old, term_number(&w->memory.terms, 1, old->bits, old->is_signed));
  else if (n->type->kind == HOST_POINTER)
    new = walk_shifted(w, old, term_number(&w->memory.terms, 1, 32, true), n->op);
  else
    new = walk_new(w, n->type);
  walk_store(w, l, new);
  return n->postfix ? old : new;
}

static const host_term *assign(host_walk *w, const host_node *n) {
  if (n->type->kind == HOST_RECORD) {
    host_lvalue to = walk_lvalue(w, n->children[0]);
    const host_node *from = n->children[1];
    while (from->kind == HOST_CAST && from->count == 1) from = from->children[0];
    if (to.place != NULL && from->kind != HOST_LIST) /* a list may use what it replaces */
      walk_initialise(w, to.place, n->children[1]);
    else
      walk_store(w, to, walk_value(w, n->children[1]));
    return walk_new(w, n->type);
  }
  if (n->children[0]->kind == HOST_MEMBER && n->children[0]->decl->type->kind == HOST_REFERENCE)
    memory_expose(&w->memory, &w->state, walk_reference(w, n->children[1])); /* it may begin here */
  const host_term **early = walk_early(w, (const host_node *const *)n->children, 2);
  const bool elsewhere = early != NULL && early[0] != NULL;
  const host_lvalue first = elsewhere ? walk_lvalue(w, n->children[0]) : (host_lvalue){0};
  const host_term *value = walk_value(w, n->children[1]);
  host_lvalue l = walk_lvalue(w, n->children[0]);
  if (elsewhere && first.place != l.place && first.place != NULL && l.place != NULL) { /* which is not known */
    memory_expose(&w->memory, &w->state, term_address(&w->memory.terms, first.place));
    memory_expose(&w->memory, &w->state, term_address(&w->memory.terms, l.place));
    l.place = NULL;
  }
  free(early);
  walk_store(w, l, value);
  return value;
}

/* --- the rest ----------------------------------------------------------------------------------------------------- */

/* The value of an object: of an array, the address of its first element. */
static const host_term *object_value(host_walk *w, const host_node *n) {
  if (n->kind == HOST_NAME && n->decl->kind == HOST_FUNCTION) {
    n->decl->hidden_calls = true; /* its address is taken: it may be called from anywhere */
    walk_check_function(w, n, n->decl);
    return term_function(&w->memory.terms, n->decl);
  }
  host_lvalue l = walk_lvalue(w, n);
  if (n->type->kind == HOST_ARRAY) {
    if (l.place == NULL) {
      return walk_lost(w, l.within == NULL ? term_null(&w->memory.terms) : term_address(&w->memory.terms, l.within),
                       n->type);
    }
    return term_address(&w->memory.terms, memory_place(&w->memory, l.place, PLACE_ELEMENT, NULL, 0, n->type->target));
  }
  if (n->type->kind == HOST_RECORD && l.place != NULL) { /* who sees it sees the addresses in it */
    memory_expose(&w->memory, &w->state, term_address(&w->memory.terms, l.place));
    return walk_new(w, n->type);
  }
  return walk_load(w, l);
}

static const host_term *address(host_walk *w, const host_node *n) {
  const host_node *object = n->children[0];
  if (object->kind == HOST_NAME && object->decl->kind == HOST_FUNCTION) return object_value(w, object);
  host_lvalue l = walk_lvalue(w, object);
  if (l.place != NULL) return term_address(&w->memory.terms, l.place);
  return walk_lost(w, l.within == NULL ? term_null(&w->memory.terms) : term_address(&w->memory.terms, l.within),
                   n->type);
}

static const host_term *other(host_walk *w, const host_node *n) {
  (void)walk_hide_calls(n);
  walk_unknown_launches(w, n);
  if (n->count > 0) {
    host_tree_note(w->tree, "%s:%u:%u: not followed: all that is written here may change", n->where.file, n->where.line,
                   n->where.column);
    if (n->has_body) walk_release(w, n);
    walk_havoc_named(w, n);
    walk_havoc_world(w);
  }
  return walk_new(w, n->type);
}

static const host_term *block(host_walk *w, const host_node *n) {
  const host_node *body = n->children[0];
  walk_statement(w, body);
  return walk_new(w, n->type);
}

static const host_term *number(host_walk *w, const host_node *n) {
  if (n->type->kind == HOST_INTEGER)
    return term_number(&w->memory.terms, n->value, (unsigned)n->type->size * 8, n->type->is_signed);
  return n->type->kind == HOST_POINTER && n->value == 0 ? term_null(&w->memory.terms) : walk_new(w, n->type);
}

/* An address that is given may be where it is made. */
static const host_term *make_new(host_walk *w, const host_node *n) {
  bool placed = false;
  for (size_t i = 0; i < n->count; i++) {
    const host_term *value = walk_value(w, n->children[i]);
    placed = placed || (value->bits == 0 && value->kind != TERM_REAL && !value->real_number);
    memory_expose(&w->memory, &w->state, value);
    walk_havoc_target(w, value, NULL);
  }
  if (placed) return walk_new(w, n->type);
  const host_object *o = memory_object(&w->memory, OBJECT_HEAP, n, w->context, NULL);
  memory_forget_object(&w->memory, &w->state, o);
  memory_begin(&w->memory, &w->state, o, walk_new(w, NULL));
  return term_address(&w->memory.terms, o->place);
}

/* A list of values that fills nothing that we know. */
static const host_term *list(host_walk *w, const host_node *n) {
  if (n->count == 1 && n->type->kind != HOST_RECORD && n->type->kind != HOST_ARRAY)
    return walk_value(w, n->children[0]);
  for (size_t i = 0; i < n->count; i++) memory_expose(&w->memory, &w->state, walk_value(w, n->children[i]));
  if (n->type->kind == HOST_RECORD)
    walk_havoc_named(w, n); /* members may be references, and a destructor may use them */
  return walk_new(w, n->type);
}

/* What has operands, but for names of objects. */
static const host_term *compound_value(host_walk *w, const host_node *n) {
  switch (n->kind) {
    case HOST_ADDRESS: return address(w, n);
    case HOST_UNARY: return unary(w, n);
    case HOST_STEP: return step(w, n);
    case HOST_BINARY: {
      const host_term **early = walk_early(w, (const host_node *const *)n->children, 2), *values[2];
      values[0] = walk_value(w, n->children[0]);
      values[1] = walk_value(w, n->children[1]);
      walk_late(w, (const host_node *const *)n->children, 2, early, values);
      return binary(w, n, n->op, values[0], values[1]);
    }
    case HOST_LOGICAL: return logical(w, n);
    case HOST_COMMA: (void)walk_value(w, n->children[0]); return walk_value(w, n->children[1]);
    case HOST_ASSIGN: return assign(w, n);
    case HOST_UPDATE: return update(w, n);
    case HOST_CONDITIONAL: return conditional(w, n);
    case HOST_CALL: return walk_call(w, n);
    case HOST_CONSTRUCT: return walk_construct(w, n);
    case HOST_CAST: return walk_convert(w, walk_value(w, n->children[0]), n->type);
    case HOST_LIST: return list(w, n);
    case HOST_NEW: return make_new(w, n);
    case HOST_BLOCK: return block(w, n);
    case HOST_EFFECT: return walk_effect(w, n);
    default: return other(w, n);
  }
}

const host_term *walk_value(host_walk *w, const host_node *n) {
  w->steps++;
  if (w->state.dead) return walk_new(w, n->type);
  switch (n->kind) {
    case HOST_NUMBER: return number(w, n);
    case HOST_REAL: return to_real(w, term_real(&w->memory.terms, n->real), n->type);
    case HOST_STRING: return term_text(&w->memory.terms, n->text);
    case HOST_NAME:
    case HOST_MEMBER:
    case HOST_SUBSCRIPT:
    case HOST_DEREFERENCE: return object_value(w, n);
    case HOST_THIS:
      return w->frame->self == NULL ? walk_new(w, n->type) : term_address(&w->memory.terms, w->frame->self);
    case HOST_NOTHING: return walk_new(w, n->type);
    case HOST_THROW: w->state.dead = true; return walk_new(w, n->type);
    default: return compound_value(w, n);
  }
}
