/* Linear forms: sums of ids with factors, and the box of ids over which they range. */
#include "frontend/facts/linear.h"

#include <string.h>

#include "base/integer.h"

enum { DEEPEST = 64 }; /* variables made of variables */

/* --- arithmetic --------------------------------------------------------------------------------------------------- */

static const linear anything = {.known = true, .step = 1};
static const linear too_large = {.known = false};

static linear number(int64_t value) { return (linear){.known = true, .plus = value}; }

static bool linear_is_number(const linear *x) {
  return x->known && x->step == 0 && x->by[0] == 0 && x->by[1] == 0 && x->by[2] == 0;
}

static linear scaled(linear x, int64_t factor) {
  int64_t step = 0;
  bool fits = x.known && x.step <= INT64_MAX && factor > INT64_MIN &&
              !__builtin_mul_overflow((int64_t)x.step, factor < 0 ? -factor : factor, &step) &&
              !__builtin_mul_overflow(x.plus, factor, &x.plus);
  for (int d = 0; d < 3; d++) fits = fits && !__builtin_mul_overflow(x.by[d], factor, &x.by[d]);
  x.step = (uint64_t)step;
  return fits ? x : too_large;
}

/* sign: 1 or -1, of b */
static linear linear_sum(linear a, linear b, int sign) {
  const linear other = scaled(b, sign);
  bool fits = a.known && other.known && !__builtin_add_overflow(a.plus, other.plus, &a.plus);
  for (int d = 0; d < 3; d++) fits = fits && !__builtin_add_overflow(a.by[d], other.by[d], &a.by[d]);
  a.step = common_divisor(a.step, other.step);
  return fits ? a : too_large;
}

static linear product(linear a, linear b) {
  if (linear_is_number(&a)) return scaled(b, a.plus);
  return linear_is_number(&b) ? scaled(a, b.plus) : a.known && b.known ? anything : too_large;
}

/* --- names -------------------------------------------------------------------------------------------------------- */

uint32_t parameter_index(const tree_node *kernel, const tree_symbol *symbol) {
  for (uint32_t i = 0; i < kernel->child_count; i++) {
    const tree_node *n = kernel->children[i];
    if (n != NULL && n->kind == TREE_PARAMETER && n->symbol == symbol) return i;
  }
  return UINT32_MAX;
}

/* Whether the name does nothing but have its value read. */
static bool is_loaded(const tree_node *name) {
  const tree_node *up = name->parent;
  while (up != NULL && up->kind == TREE_PARENTHESES) up = up->parent;
  return up != NULL && up->kind == TREE_CONVERT && up->conversion == TREE_LOAD;
}

/* Whether a variable or parameter keeps its first value. */
static bool is_constant(const tree_node *kernel, const tree_symbol *symbol) {
  for (const tree_node *n = kernel; n != NULL; n = tree_next(kernel, n))
    if (n->kind == TREE_NAME && n->symbol == symbol && !is_loaded(n)) return false;
  return true;
}

static linear read(const linear_reader *r, const tree_node *n, unsigned depth);

static linear value_of_name(const linear_reader *r, const tree_node *n, unsigned depth) {
  const tree_symbol *s = n->symbol;
  if (s == NULL || depth == 0 || !is_constant(r->kernel, s)) return anything;
  if (s->kind == TREE_SYMBOL_PARAMETER) {
    const uint32_t index = parameter_index(r->kernel, s);
    const bool known = index < r->launch->argument_count && r->launch->arguments[index].known;
    return known && s->type->kind == TREE_TYPE_INTEGER ? number(r->launch->arguments[index].value) : anything;
  }
  const tree_node *made = s->kind == TREE_SYMBOL_VARIABLE ? s->declaration : NULL;
  const tree_node *first = made != NULL && made->child_count > 0 ? made->children[0] : NULL;
  if (first == NULL || s->is_static || s->is_extern) return anything;
  *ARRAY_ADD(r->used->items, r->used->count, r->used->capacity) = first->tokens;
  return read(r, first, depth - 1);
}

/* --- expressions -------------------------------------------------------------------------------------------------- */

static linear global_id(const facts_launch *l, uint64_t dimension) {
  if (dimension >= l->dimensions) return number(0);
  if (l->offset[dimension] > INT32_MAX || l->global[dimension] > INT32_MAX) return too_large;
  linear id = number(0);
  if (l->global[dimension] == 1)
    id.plus = (int64_t)l->offset[dimension];
  else
    id.by[dimension] = 1;
  return id;
}

static linear value_of_call(const linear_reader *r, const tree_node *n, unsigned depth) {
  const bool asks =
      n->symbol != NULL && n->builtin != NULL && n->builtin->kind == TREE_WORK_ITEM && n->child_count == 1;
  const linear dimension = asks ? read(r, n->children[0], depth) : anything;
  if (!asks || !linear_is_number(&dimension) || dimension.plus < 0) return anything;
  const uint64_t d = (uint64_t)dimension.plus;
  if (strcmp(n->symbol->name, "get_global_id") == 0) return global_id(r->launch, d);
  if (strcmp(n->symbol->name, "get_global_size") == 0) {
    const uint64_t size = d < r->launch->dimensions ? r->launch->global[d] : 1;
    return size <= INT32_MAX ? number((int64_t)size) : too_large;
  }
  return anything;
}

/* A conversion keeps the value if the type can hold what indices come to: 32 bits. */
static linear value_of_conversion(const linear_reader *r, const tree_node *n, unsigned depth) {
  const bool keeps = n->conversion == TREE_LOAD || n->conversion == TREE_INTEGER_TO_INTEGER;
  const bool integer = n->type != NULL && n->type->kind == TREE_TYPE_INTEGER && n->type->size >= 4;
  return keeps && integer ? read(r, n->children[0], depth) : anything;
}

static linear value_of_binary(const linear_reader *r, const tree_node *n, unsigned depth) {
  const linear a = read(r, n->children[0], depth), b = read(r, n->children[1], depth);
  switch (n->op) {
    case OP_ADD: return linear_sum(a, b, 1);
    case OP_SUBTRACT: return linear_sum(a, b, -1);
    case OP_MULTIPLY: return product(a, b);
    case OP_SHIFT_LEFT:
      return linear_is_number(&b) && b.plus >= 0 && b.plus < 32 ? scaled(a, (int64_t)1 << b.plus) : anything;
    default: return anything;
  }
}

static linear read(const linear_reader *r, const tree_node *n, unsigned depth) {
  if (n == NULL || n->type == NULL || n->type->kind != TREE_TYPE_INTEGER) return anything;
  if (n->constant.kind == TREE_INTEGER_CONSTANT) {
    return n->constant.integer >= INT32_MIN && n->constant.integer <= INT32_MAX ? number(n->constant.integer)
                                                                                : too_large;
  }
  switch (n->kind) {
    case TREE_PARENTHESES: return read(r, n->children[0], depth);
    case TREE_CAST:
    case TREE_CONVERT: return value_of_conversion(r, n, depth);
    case TREE_NAME: return value_of_name(r, n, depth);
    case TREE_CALL: return value_of_call(r, n, depth);
    case TREE_BINARY: return value_of_binary(r, n, depth);
    default: return anything;
  }
}

linear linear_of(const linear_reader *r, const tree_node *expression) {
  *ARRAY_ADD(r->used->items, r->used->count, r->used->capacity) = expression->tokens;
  return read(r, expression, DEEPEST);
}

box box_of_launch(const facts_launch *l) {
  box b = {{0}, {0}};
  for (uint32_t d = 0; d < l->dimensions; d++) {
    b.low[d] = (int64_t)l->offset[d];
    b.high[d] = (int64_t)(l->offset[d] + l->global[d]) - 1;
  }
  return b;
}

static int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }
static int64_t most(int64_t a, int64_t b) { return a > b ? a : b; }

/* The dimension of which `x` is the global id, and nothing else; 3: of none. */
static uint32_t lone_id(const linear *x) {
  uint32_t found = 3;
  for (uint32_t d = 0; d < 3; d++) found = x->by[d] == 1 ? d : found;
  const int64_t others = x->by[0] | x->by[1] | x->by[2];
  return x->known && x->step == 0 && x->plus == 0 && others == 1 && x->by[0] + x->by[1] + x->by[2] == 1 ? found : 3;
}

static void narrow_by(box *b, uint32_t d, c_operator op, int64_t bound) {
  if (op == OP_LESS || op == OP_LESS_EQUAL || op == OP_EQUAL)
    b->high[d] = least(b->high[d], op == OP_LESS ? bound - 1 : bound);
  if (op == OP_GREATER || op == OP_GREATER_EQUAL || op == OP_EQUAL)
    b->low[d] = most(b->low[d], op == OP_GREATER ? bound + 1 : bound);
}

static bool numbers_compare(int64_t a, c_operator op, int64_t b) {
  int64_t holds = 0;
  (void)integer_compute(op, a, b, (integer_type){64, false}, &holds);
  return holds != 0;
}

/* Comparisons with a number that is not negative count: they mean the same whatever the signs of the types. */
static bool narrow_comparison(const linear_reader *r, const tree_node *n, bool holds, box *b) {
  const linear left = linear_of(r, n->children[0]), right = linear_of(r, n->children[1]);
  const c_operator op = holds ? n->op : c_operator_negated(n->op);
  const bool left_number = linear_is_number(&left) && left.plus >= 0;
  const bool right_number = linear_is_number(&right) && right.plus >= 0;
  if (c_operator_negated(op) == OP_NONE) return false;
  if (left_number && right_number) {
    b->high[0] = numbers_compare(left.plus, op, right.plus) ? b->high[0] : b->low[0] - 1;
    return true;
  }
  if (lone_id(&left) < 3 && right_number)
    narrow_by(b, lone_id(&left), op, right.plus);
  else if (lone_id(&right) < 3 && left_number)
    narrow_by(b, lone_id(&right), c_operator_mirrored(op), left.plus);
  else
    return false;
  return op != OP_NOT_EQUAL;
}

/* `condition` is known to be true (or false). False: that may leave out more work-items than these. */
static bool narrow(const linear_reader *r, const tree_node *condition, bool holds, box *b) {
  const tree_node *n = tree_plain(condition);
  *ARRAY_ADD(r->used->items, r->used->count, r->used->capacity) = condition->tokens;
  if (n->kind == TREE_LOGICAL && n->op == (holds ? OP_LOGICAL_AND : OP_LOGICAL_OR)) {
    const bool first = narrow(r, n->children[0], holds, b);
    return narrow(r, n->children[1], holds, b) && first;
  }
  return n->kind == TREE_BINARY && narrow_comparison(r, n, holds, b);
}

static bool leaves(const tree_node *n) {
  while (n != NULL && n->kind == TREE_COMPOUND && n->child_count == 1) n = n->children[0];
  return n != NULL && n->kind == TREE_RETURN;
}

/* What the statements in front of one of a block let through: `if (i >= n) return;` */
static void narrow_by_returns(const linear_reader *r, const tree_node *before, box *b) {
  const tree_node *block = before->parent;
  for (uint32_t i = 0; block->kind == TREE_COMPOUND && i < before->index; i++) {
    const tree_node *n = block->children[i];
    if (n != NULL && n->kind == TREE_IF && leaves(n->children[1]) && n->children[2] == NULL)
      (void)narrow(r, n->children[0], false, b);
  }
}

box box_at(const linear_reader *r, const tree_node *at) {
  box b = box_of_launch(r->launch);
  for (const tree_node *n = at; n->parent != NULL && n != r->kernel; n = n->parent) {
    if (n->parent->kind == TREE_IF && n->index > 0) (void)narrow(r, n->parent->children[0], n->index == 1, &b);
    narrow_by_returns(r, n, &b);
  }
  return b;
}

/* --- who comes there for certain ---------------------------------------------------------------------------------- */

/* Whether a work-item may end in a statement, or go on elsewhere than after it. */
static bool may_leave(const tree_node *whole) {
  for (const tree_node *n = whole; n != NULL; n = tree_next(whole, n)) {
    switch (n->kind) {
      case TREE_RETURN:
      case TREE_GOTO:
      case TREE_BREAK:
      case TREE_CONTINUE:
      case TREE_LABEL:
      case TREE_UNKNOWN_STATEMENT:
      case TREE_UNKNOWN_EXPRESSION:
      case TREE_STATEMENT_EXPRESSION: return true;
      default: break;
    }
  }
  return false;
}

/* All statements of a block in front of one let work-items through, or leave out some that are known. */
static bool reached_in_block(const linear_reader *r, const tree_node *before, box *b) {
  const tree_node *block = before->parent;
  bool exact = true;
  for (uint32_t i = 0; i < before->index && exact; i++) {
    const tree_node *n = block->children[i];
    if (n != NULL && n->kind == TREE_IF && leaves(n->children[1]) && n->children[2] == NULL)
      exact = narrow(r, n->children[0], false, b);
    else
      exact = n == NULL || !may_leave(n);
  }
  return exact;
}

/* `for (int i = 0; i < 4; …)`: the body is executed. */
static bool first_turn_taken(const linear_reader *r, const tree_node *loop) {
  const tree_node *first = loop->children[0], *condition = loop->children[1];
  const tree_node *made =
      first != NULL && first->kind == TREE_DECLARE && first->child_count == 1 ? first->children[0] : NULL;
  const tree_node *n = tree_plain(condition);
  if (made == NULL || made->child_count == 0 || made->children[0] == NULL || n == NULL || n->kind != TREE_BINARY ||
      c_operator_negated(n->op) == OP_NONE)
    return false;
  const tree_node *left = tree_plain(n->children[0]);
  const linear from = linear_of(r, made->children[0]), to = linear_of(r, n->children[1]);
  return left->kind == TREE_NAME && left->symbol == made->symbol && linear_is_number(&from) && linear_is_number(&to) &&
         from.plus >= 0 && to.plus >= 0 && numbers_compare(from.plus, n->op, to.plus);
}

/* One step up: whether `n` is executed whenever its parent is, but for what `b` leaves out. */
static bool reached_in_parent(const linear_reader *r, const tree_node *n, box *b) {
  const tree_node *up = n->parent;
  switch (up->kind) {
    case TREE_COMPOUND: return reached_in_block(r, n, b);
    case TREE_IF: return n->index == 0 || narrow(r, up->children[0], n->index == 1, b);
    case TREE_FOR: return n->index <= 1 || (n->index == 3 && first_turn_taken(r, up));
    case TREE_WHILE:
    case TREE_LOGICAL:
    case TREE_CONDITIONAL:
    case TREE_SWITCH:
    case TREE_DO: return n->index == 0;
    case TREE_CASE:
    case TREE_DEFAULT:
    case TREE_LABEL:
    case TREE_SIZEOF:
    case TREE_UNKNOWN_STATEMENT:
    case TREE_UNKNOWN_EXPRESSION:
    case TREE_STATEMENT_EXPRESSION: return false;
    default: return true;
  }
}

bool box_is_empty(const box *b) { return b->low[0] > b->high[0] || b->low[1] > b->high[1] || b->low[2] > b->high[2]; }

bool box_reached(const linear_reader *r, const tree_node *at, box *out) {
  *out = box_of_launch(r->launch);
  bool exact = !at->not_executed;
  for (const tree_node *n = at; exact && n->parent != NULL && n != r->kernel; n = n->parent)
    exact = reached_in_parent(r, n, out);
  return exact;
}

box box_around(const box *a, const box *b) {
  box all = *a;
  for (int d = 0; d < 3; d++) {
    all.low[d] = least(a->low[d], b->low[d]);
    all.high[d] = most(a->high[d], b->high[d]);
  }
  return all;
}
