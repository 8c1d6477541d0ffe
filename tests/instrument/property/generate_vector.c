/* Expressions of four components: uint4 values and int4 masks. */
#include "generate.h"

static expression *leaf_vector(generator *g, const scope *s) {
  expression *e = NULL;
  for (size_t i = 0; i < s->visible_count; i++) {
    variable *v = s->visible[i];
    if (v->type == TYPE_UINT4 && !(s->only_uniform && !v->uniform) && (e == NULL || chance(g, 50))) {
      e = make_use(g, v);
    }
  }
  if (e != NULL && chance(g, 70)) {
    return e;
  }
  if (chance(g, 40)) {
    return make_cast(g, EXPRESSION_CAST, TYPE_UINT4, generate_uint(g, s, 1));
  }
  e = tree_expression(g->p, EXPRESSION_VECTOR, TYPE_UINT4);
  for (int i = 0; i < 4; i++) {
    e->operands[e->operand_count++] = generate_uint(g, s, 0);
  }
  return e;
}

expression *generate_vector(generator *g, const scope *s, int depth) {
  static const operator_kind ops[] = {OP_ADD, OP_SUB, OP_MUL, OP_AND, OP_XOR};
  if (depth <= 0 || chance(g, 20)) {
    return leaf_vector(g, s);
  }
  uint32_t way = below(g, 100);
  expression *a = generate_vector(g, s, depth - 1);
  if (way < 40) {
    expression *mask = generate_mask(g, s, depth - 1);
    return make_conditional(g, mask, a, generate_vector(g, s, depth - 1));
  }
  if (way < 50) {
    expression *c = generate_condition(g, s, depth - 1);
    return make_conditional(g, c, a, generate_vector(g, s, depth - 1));
  }
  if (way < 55) {
    return make_unary(g, OP_NOT, a);
  }
  return make_binary(g, ops[below(g, 5)], a, chance(g, 25) ? generate_uint(g, s, 1) : generate_vector(g, s, depth - 1));
}

expression *generate_mask(generator *g, const scope *s, int depth) {
  uint32_t way = below(g, 100);
  if (depth > 0 && way < 30) {
    static const operator_kind ops[] = {OP_AND, OP_OR, OP_XOR, OP_LAND, OP_LOR};
    expression *a = generate_mask(g, s, depth - 1);
    return make_binary(g, ops[below(g, 5)], a, generate_mask(g, s, depth - 1));
  }
  if (depth > 0 && way < 38) {
    return make_unary(g, chance(g, 50) ? OP_NOT : OP_LNOT, generate_mask(g, s, depth - 1));
  }
  if (way < 45) {
    return make_cast(g, EXPRESSION_AS, TYPE_INT4, generate_vector(g, s, depth - 1));
  }
  expression *a = make_binary(g, OP_AND, generate_vector(g, s, depth - 1), make_number(g, 7));
  expression *b = chance(g, 70) ? make_number(g, below(g, 8)) : generate_vector(g, s, depth - 1);
  return make_binary(g, (operator_kind)(OP_LT + (int)below(g, 6)), a, b);
}
