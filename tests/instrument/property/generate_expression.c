/* Scalar expressions: values, conditions, assignments. */
#include "generate.h"

static variable *pick_variable(generator *g, const scope *s, value_type type, bool to_assign) {
  variable *found = NULL;
  uint32_t seen = 0;
  for (size_t i = 0; i < s->visible_count; i++) {
    variable *v = s->visible[i];
    bool fits = v->type == type && v->length == 0 && !(to_assign && v->constant) && !(s->only_uniform && !v->uniform);
    if (fits && below(g, ++seen) == 0) {
      found = v;
    }
  }
  return found;
}

static expression *named_number(generator *g) {
  expression *e = make_number(g, 4);
  e->name = "LIMIT";
  return e;
}

static expression *leaf_id(generator *g, const scope *s) {
  function *f = s->function;
  if (s->only_uniform) {
    return f->local_known ? make_id(g, chance(g, 60) ? ID_GROUP : ID_LOCAL_SIZE, below(g, 2)) : make_number(g, 3);
  }
  f->reads_id = true;
  if (f->kernel && f->local_known && chance(g, 50)) {
    return make_id(g, (work_item_function)below(g, 5), below(g, 2));
  }
  return f->kernel && chance(g, 60) ? make_use(g, f->id) : make_id(g, ID_GLOBAL, below(g, 3));
}

static expression *leaf_uint(generator *g, const scope *s) {
  if (s->macro != NULL && s->macro->parameters > 0 && chance(g, 65)) {
    return make_parameter(g, below(g, (uint32_t)s->macro->parameters));
  }
  variable *v = pick_variable(g, s, TYPE_UINT, false);
  uint32_t way = below(g, 100);
  if (v != NULL && way < 50) {
    return make_use(g, v);
  }
  if (s->macro == NULL && way < 65) {
    return leaf_id(g, s);
  }
  if (s->macro == NULL && g->input && way < 75) {
    return make_element(g, STORE_INPUT, v != NULL ? make_use(g, v) : make_number(g, below(g, 64)), true);
  }
  if (way < 80) {
    return named_number(g);
  }
  return make_number(g, chance(g, 90) ? below(g, 12) : below(g, 1000000));
}

/* An element of the input or of the slice, or of an array of the function. */
static expression *element(generator *g, const scope *s, int depth) {
  if (s->macro != NULL || (!g->input && !g->slice)) {
    return leaf_uint(g, s);
  }
  bool input = g->input && (s->only_uniform || !g->slice || chance(g, 70));
  if (!input && s->only_uniform) {
    return leaf_uint(g, s);
  }
  scope inner = *s;
  inner.pure = true;
  s->function->reads_id = s->function->reads_id || !input;
  return make_element(g, input ? STORE_INPUT : STORE_SLICE, generate_uint(g, &inner, depth - 1), true);
}

static expression *arithmetic(generator *g, const scope *s, int depth) {
  static const operator_kind ops[] = {OP_ADD, OP_SUB, OP_MUL, OP_AND, OP_OR, OP_XOR, OP_ADD, OP_SUB};
  expression *a = generate_uint(g, s, depth - 1);
  expression *b = chance(g, 12) ? generate_int(g, s, 1) : generate_uint(g, s, depth - 1);
  uint32_t way = below(g, 10);
  if (way == 0) {
    return make_binary(g, chance(g, 50) ? OP_SHL : OP_SHR, a, make_small(g, b, 7));
  }
  if (way == 1) {
    return make_binary(g, chance(g, 50) ? OP_DIV : OP_REM, a, make_binary(g, OP_OR, b, make_number(g, 1)));
  }
  return make_binary(g, ops[below(g, 8)], a, b);
}

static expression *comma(generator *g, const scope *s, int depth) {
  expression *first = s->pure || s->only_uniform ? generate_uint(g, s, 1) : generate_effect(g, s);
  return make_pair(g, EXPRESSION_COMMA, first == NULL ? generate_uint(g, s, 1) : first, generate_uint(g, s, depth - 1));
}

static expression *component(generator *g, const scope *s, int depth) {
  variable *v = pick_variable(g, s, TYPE_UINT4, false);
  if (v == NULL) {
    return arithmetic(g, s, depth);
  }
  expression *e = make_cast(g, EXPRESSION_COMPONENT, TYPE_UINT, make_use(g, v));
  e->number = below(g, 4);
  return e;
}

/* A value that is not a comma or assignment, of operands that may be evaluated in any order. */
static expression *compound_uint(generator *g, const scope *s, int depth) {
  expression *e = NULL;
  switch (below(g, 16)) {
    case 0:
      return make_unary(g, chance(g, 50) ? OP_NEG : OP_NOT, generate_uint(g, s, depth - 1));
    case 1:
      return make_cast(g, EXPRESSION_CAST, TYPE_UINT, make_unary(g, OP_LNOT, generate_condition(g, s, depth - 1)));
    case 2:
      return make_cast(g, EXPRESSION_CAST, TYPE_UINT, generate_int(g, s, depth - 1));
    case 3:
      return component(g, s, depth);
    case 4:
    case 5:
      return element(g, s, depth);
    case 6:
    case 7:
      e = generate_call(g, s, depth);
      break;
    case 8:
    case 9:
      e = generate_macro_value(g, s, depth);
      e = e != NULL && e->type == TYPE_INT ? make_cast(g, EXPRESSION_CAST, TYPE_UINT, e) : e;
      break;
    default:
      break;
  }
  return e != NULL ? e : arithmetic(g, s, depth);
}

expression *generate_uint(generator *g, const scope *s, int depth) {
  if (depth <= 0 || chance(g, 12)) {
    return leaf_uint(g, s);
  }
  uint32_t way = below(g, 100);
  if (way < 16) {
    expression *c = generate_condition(g, s, depth - 1);
    expression *a = generate_uint(g, s, depth - 1);
    return make_conditional(g, c, a, chance(g, 85) ? generate_uint(g, s, depth - 1) : generate_int(g, s, 1));
  }
  if (way < 19) {
    return comma(g, s, depth);
  }
  scope inner = *s;
  inner.pure = true;
  return compound_uint(g, &inner, depth);
}

static expression *leaf_int(generator *g, const scope *s) {
  variable *v = pick_variable(g, s, TYPE_INT, false);
  if (v != NULL && chance(g, 60)) {
    return make_use(g, v);
  }
  if (chance(g, 50)) {
    expression *e = make_cast(g, EXPRESSION_CAST, TYPE_INT, make_small(g, leaf_uint(g, s), 15));
    e->bound = 15;
    return e;
  }
  return make_int(g, below(g, 8));
}

expression *generate_int(generator *g, const scope *s, int depth) {
  if (depth <= 0 || chance(g, 30)) {
    return leaf_int(g, s);
  }
  scope inner = *s;
  inner.pure = true;
  expression *a = generate_int(g, &inner, depth - 1);
  expression *b = generate_int(g, &inner, depth - 1);
  switch (below(g, 5)) {
    case 0:
      return make_conditional(g, generate_condition(g, &inner, depth - 1), a, b);
    case 1:
      return make_unary(g, OP_NEG, a);
    case 2:
      return a->bound * b->bound < 1 << 20 ? make_binary(g, OP_MUL, a, b) : a;
    default:
      return a->bound + b->bound < 1 << 20 ? make_binary(g, chance(g, 50) ? OP_ADD : OP_SUB, a, b) : b;
  }
}

static expression *relation(generator *g, const scope *s, int depth) {
  scope inner = *s;
  inner.pure = true;
  operator_kind op = (operator_kind)(OP_LT + (int)below(g, 6));
  if (chance(g, 20)) {
    expression *a = generate_int(g, &inner, depth);
    return make_binary(g, op, a, generate_int(g, &inner, 1));
  }
  expression *a = generate_uint(g, &inner, depth);
  uint32_t mask = chance(g, 50) ? 7 : 3;
  if (chance(g, 70)) {
    return make_binary(g, op, make_small(g, a, mask), make_number(g, below(g, mask + 2)));
  }
  return make_binary(g, op, a, generate_uint(g, &inner, depth - 1));
}

/* Truth values that are lost when they are cut down to 32 bits or to an integer. */
static expression *odd_truth(generator *g, const scope *s, int depth) {
  scope inner = *s;
  inner.pure = true;
  expression *e = make_small(g, generate_uint(g, &inner, depth), 3);
  bool wide = !GENERATE_FLOAT_CONDITIONS || chance(g, 50);
  return make_cast(g, wide ? EXPRESSION_WIDE : EXPRESSION_FRACTION, TYPE_INT, e);
}

static expression *composed_condition(generator *g, const scope *s, int depth) {
  expression *a = NULL;
  switch (below(g, 8)) {
    case 0:
    case 1:
      a = generate_condition(g, s, depth - 1);
      return make_pair(g, EXPRESSION_AND, a, generate_condition(g, s, depth - 1));
    case 2:
    case 3:
      a = generate_condition(g, s, depth - 1);
      return make_pair(g, EXPRESSION_OR, a, generate_condition(g, s, depth - 1));
    case 4:
      return make_unary(g, OP_LNOT, generate_condition(g, s, depth - 1));
    case 5:
      a = generate_condition(g, s, depth - 1);
      return make_conditional(g, a, relation(g, s, depth - 1), relation(g, s, depth - 1));
    case 6:
      a = s->pure || s->only_uniform ? NULL : generate_effect(g, s);
      return a == NULL ? relation(g, s, depth) : make_pair(g, EXPRESSION_COMMA, a, generate_condition(g, s, depth - 1));
    default:
      return generate_macro_value(g, s, depth);
  }
}

expression *generate_condition(generator *g, const scope *s, int depth) {
  uint32_t way = below(g, 100);
  if (depth > 0 && way < 40) {
    expression *e = composed_condition(g, s, depth);
    if (e != NULL) {
      return e;
    }
  }
  if (way < 46) {
    return odd_truth(g, s, depth - 1);
  }
  if (way < 55) {
    scope inner = *s;
    inner.pure = true;
    return make_small(g, generate_uint(g, &inner, depth - 1), 3);
  }
  return way == 99 ? make_int(g, below(g, 2)) : relation(g, s, depth - 1);
}

expression *generate_target(generator *g, const scope *s) {
  if (s->macro != NULL) {
    return s->macro->effect ? make_parameter(g, 0) : NULL;
  }
  variable *v = pick_variable(g, s, TYPE_UINT, true);
  if (v == NULL || (g->slice && chance(g, 20))) {
    if (!g->slice) {
      return NULL;
    }
    return make_element(g, STORE_SLICE, chance(g, 50) ? make_number(g, below(g, 8)) : leaf_uint(g, s), true);
  }
  return make_use(g, v);
}

expression *generate_effect(generator *g, const scope *s) {
  static const operator_kind ops[] = {OP_NONE, OP_ADD, OP_SUB, OP_XOR, OP_MUL, OP_OR, OP_ADD, OP_NONE};
  scope inner = *s;
  inner.pure = true;
  inner.only_uniform = false;
  variable *v = s->macro == NULL ? pick_variable(g, s, TYPE_UINT4, true) : NULL;
  if (v != NULL && chance(g, 25)) {
    operator_kind op = ops[below(g, 5)];
    if (chance(g, 70)) {
      return make_assign(g, op, make_use(g, v), generate_vector(g, &inner, 2));
    }
    expression *part = make_cast(g, EXPRESSION_COMPONENT, TYPE_UINT, make_use(g, v));
    part->number = below(g, 4);
    return make_assign(g, op, part, generate_uint(g, &inner, 2));
  }
  expression *to = generate_target(g, s);
  if (to == NULL) {
    return NULL;
  }
  if (chance(g, 20)) {
    return make_step(g, chance(g, 50) ? OP_INC : OP_DEC, to, chance(g, 50));
  }
  return make_assign(g, ops[below(g, 8)], to, generate_uint(g, &inner, 3));
}
