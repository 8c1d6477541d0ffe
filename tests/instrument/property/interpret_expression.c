/* Values of expressions, and which way their conditional operators and barriers go. */
#include "interpret.h"

static const value zero = {{0}};

static value scalar(uint32_t n) { return (value){{n, 0, 0, 0}}; }

static value spread(uint32_t n) { return (value){{n, n, n, n}}; }

static uint32_t operate(operator_kind op, uint32_t a, uint32_t b, bool is_signed) {
  int32_t x = (int32_t)a;
  int32_t y = (int32_t)b;
  switch (op) {
    case OP_ADD:
      return a + b;
    case OP_SUB:
      return a - b;
    case OP_MUL:
      return a * b;
    case OP_DIV:
      return a / b;
    case OP_REM:
      return a % b;
    case OP_AND:
      return a & b;
    case OP_OR:
      return a | b;
    case OP_XOR:
      return a ^ b;
    case OP_SHL:
      return a << (b & 31);
    case OP_SHR:
      return a >> (b & 31);
    case OP_LT:
      return is_signed ? x < y : a < b;
    case OP_GT:
      return is_signed ? x > y : a > b;
    case OP_LE:
      return is_signed ? x <= y : a <= b;
    case OP_GE:
      return is_signed ? x >= y : a >= b;
    case OP_EQ:
      return a == b;
    case OP_NE:
      return a != b;
    case OP_LAND:
      return a != 0 && b != 0;
    case OP_LOR:
      return a != 0 || b != 0;
    case OP_NEG:
      return 0u - a;
    case OP_NOT:
      return ~a;
    default:
      return a == 0;
  }
}

static bool is_relation(operator_kind op) {
  return (op >= OP_LT && op <= OP_NE) || op == OP_LAND || op == OP_LOR || op == OP_LNOT;
}

/* Relations of vectors give 0 or -1 a component; a scalar beside a vector is widened. */
static value apply(const expression *e, const expression *left, value a, const expression *right, value b) {
  bool wide = is_vector(left->type) || is_vector(right->type);
  if (!wide) {
    bool is_signed = left->type == TYPE_INT && right->type == TYPE_INT;
    return scalar(operate(e->op, a.at[0], b.at[0], is_signed));
  }
  a = is_vector(left->type) ? a : spread(a.at[0]);
  b = is_vector(right->type) ? b : spread(b.at[0]);
  bool is_signed = left->type == TYPE_INT4 || right->type == TYPE_INT4;
  value result = zero;
  for (int i = 0; i < 4; i++) {
    result.at[i] = operate(e->op, a.at[i], b.at[i], is_signed);
    if (is_relation(e->op)) {
      result.at[i] = 0u - result.at[i];
    }
  }
  return result;
}

/* An element of memory: words, not values. */
static uint32_t *word_of(work_item *w, expansion *x, const expression *e) {
  uint32_t index = evaluate(w, x, e->operands[0]).at[0];
  if (e->masked) {
    index &= e->variable->length - 1;
  }
  switch (e->variable->storage) {
    case STORE_INPUT:
      return (uint32_t *)&w->p->input[index % INPUT_LENGTH];
    case STORE_SLICE:
      return &w->slice[index % SLICE_LENGTH];
    case STORE_LOCAL:
      return &w->group->local[index % LOCAL_LENGTH];
    default:
      return &w->frame->cells[e->variable->cell + index % e->variable->length].at[0];
  }
}

static value *variable_value(work_item *w, expansion *x, const variable *v) {
  switch (v->storage) {
    case STORE_MACRO:
      return &x->cells[v->cell];
    case STORE_POINTER:
      return w->frame->pointers[v->cell];
    default:
      return &w->frame->cells[v->cell];
  }
}

/* Where an lvalue's words are. */
static uint32_t *words_of(work_item *w, expansion *x, const expression *e) {
  switch (e->kind) {
    case EXPRESSION_PARAMETER:
      return words_of(w, x->outer, x->arguments[e->number]);
    case EXPRESSION_ELEMENT:
      return word_of(w, x, e);
    case EXPRESSION_COMPONENT:
      return &words_of(w, x, e->operands[0])[e->number];
    default:
      return variable_value(w, x, e->variable)->at;
  }
}

static value conditional(work_item *w, expansion *x, const expression *e) {
  if (!is_vector(e->operands[0]->type)) {
    bool yes = condition_truth(w, x, e->operands[0]);
    take(w, e->site, yes ? OUTCOME_TRUE : OUTCOME_FALSE);
    return evaluate(w, x, e->operands[yes ? 1 : 2]);
  }
  value c = evaluate(w, x, e->operands[0]);
  value a = evaluate(w, x, e->operands[1]);
  value b = evaluate(w, x, e->operands[2]);
  for (int i = 0; i < 4; i++) {
    bool yes = (c.at[i] >> 31) != 0;
    take(w, e->site, yes ? OUTCOME_TRUE : OUTCOME_FALSE);
    a.at[i] = yes ? a.at[i] : b.at[i];
  }
  return a;
}

static value assign(work_item *w, expansion *x, const expression *e) {
  const expression *target = e->operands[0];
  value right = evaluate(w, x, e->operands[1]);
  uint32_t *to = words_of(w, x, target);
  if (!is_vector(e->type)) {
    to[0] = e->op == OP_NONE ? right.at[0] : operate(e->op, to[0], right.at[0], false);
    return scalar(to[0]);
  }
  value left = {{to[0], to[1], to[2], to[3]}};
  right = is_vector(e->operands[1]->type) ? right : spread(right.at[0]);
  for (int i = 0; i < 4; i++) {
    left.at[i] = to[i] = e->op == OP_NONE ? right.at[i] : operate(e->op, left.at[i], right.at[i], false);
  }
  return left;
}

static value step(work_item *w, expansion *x, const expression *e) {
  uint32_t *to = words_of(w, x, e->operands[0]);
  uint32_t old = to[0];
  to[0] = e->op == OP_INC ? old + 1 : old - 1;
  return scalar(e->number == 1 ? old : to[0]);
}

static value id_of(const work_item *w, const expression *e) {
  const launch *l = w->launch;
  uint32_t d = e->number;
  switch ((work_item_function)e->op) {
    case ID_GLOBAL:
      return scalar((uint32_t)w->global_id[d]);
    case ID_LOCAL:
      return scalar((uint32_t)w->local_id[d]);
    case ID_GROUP:
      return scalar((uint32_t)w->group_id[d]);
    case ID_LOCAL_SIZE:
      return scalar((uint32_t)l->local[d]);
    default:
      return scalar((uint32_t)(l->global[d] / l->local[d]));
  }
}

static value barrier_here(work_item *w, const expression *e) {
  w->barriers[e->site->number]++;
  if (w->scheduler != NULL && !w->exhausted) {
    (void)swapcontext(&w->context, w->scheduler);
  }
  return zero;
}

static value vector(work_item *w, expansion *x, const expression *e) {
  value v = zero;
  for (size_t i = 0; i < 4; i++) {
    v.at[i] = evaluate(w, x, e->operands[i]).at[0];
  }
  return v;
}

static value expand(work_item *w, expansion *x, const expression *e) {
  expansion inner = {.arguments = e->operands, .outer = x};
  return evaluate(w, &inner, e->macro->value);
}

static value read_words(work_item *w, expansion *x, const expression *e) {
  const uint32_t *from = words_of(w, x, e);
  return is_vector(e->type) ? (value){{from[0], from[1], from[2], from[3]}} : scalar(from[0]);
}

static value simple(work_item *w, expansion *x, const expression *e) {
  switch (e->kind) {
    case EXPRESSION_CONSTANT:
      return scalar(e->number);
    case EXPRESSION_VARIABLE:
    case EXPRESSION_ELEMENT:
      return read_words(w, x, e);
    case EXPRESSION_COMPONENT:
      return scalar(evaluate(w, x, e->operands[0]).at[e->number]);
    case EXPRESSION_PARAMETER:
      return evaluate(w, x->outer, x->arguments[e->number]);
    case EXPRESSION_ID:
      return id_of(w, e);
    case EXPRESSION_CALL:
      return call_function(w, x, e);
    case EXPRESSION_CAST:
      return is_vector(e->type) ? spread(evaluate(w, x, e->operands[0]).at[0]) : evaluate(w, x, e->operands[0]);
    case EXPRESSION_AS:
    case EXPRESSION_WIDE:
      return evaluate(w, x, e->operands[0]);
    case EXPRESSION_FRACTION:
      return scalar(evaluate(w, x, e->operands[0]).at[0] & 1);
    case EXPRESSION_VECTOR:
      return vector(w, x, e);
    default:
      return zero;
  }
}

value evaluate(work_item *w, expansion *x, const expression *e) {
  w->steps++;
  switch (e->kind) {
    case EXPRESSION_UNARY: {
      value a = evaluate(w, x, e->operands[0]);
      return apply(e, e->operands[0], a, e->operands[0], zero);
    }
    case EXPRESSION_BINARY: {
      value a = evaluate(w, x, e->operands[0]);
      return apply(e, e->operands[0], a, e->operands[1], evaluate(w, x, e->operands[1]));
    }
    case EXPRESSION_AND:
    case EXPRESSION_OR:
      return scalar(decide(w, x, e) ? 1 : 0);
    case EXPRESSION_CONDITIONAL:
      return conditional(w, x, e);
    case EXPRESSION_COMMA:
      (void)evaluate(w, x, e->operands[0]);
      return evaluate(w, x, e->operands[1]);
    case EXPRESSION_ASSIGN:
      return assign(w, x, e);
    case EXPRESSION_STEP:
      return step(w, x, e);
    case EXPRESSION_MACRO:
      return expand(w, x, e);
    case EXPRESSION_BARRIER:
      return barrier_here(w, e);
    default:
      return simple(w, x, e);
  }
}
