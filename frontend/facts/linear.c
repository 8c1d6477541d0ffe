#include "frontend/facts/linear.h"

#include <string.h>

#include "base/memory.h"

enum { DEEPEST = 64 }; /* variables made of variables */

/* --- arithmetic --------------------------------------------------------------------------------------------------- */

uint64_t common_divisor(uint64_t a, uint64_t b) {
  while (a != 0) {
    const uint64_t rest = b % a;
    b = a;
    a = rest;
  }
  return b;
}

static const linear anything = {.known = true, .step = 1};
static const linear too_large = {.known = false};

static linear number(int64_t value) { return (linear){.known = true, .plus = value}; }

bool linear_is_number(const linear *x) {
  return x->known && x->step == 0 && x->by[0] == 0 && x->by[1] == 0 && x->by[2] == 0;
}

static linear scaled(linear x, int64_t factor) {
  int64_t step = 0;
  bool fits = x.known && x.step <= INT64_MAX && factor > INT64_MIN &&
              !__builtin_mul_overflow((int64_t)x.step, factor < 0 ? -factor : factor, &step) &&
              !__builtin_mul_overflow(x.plus, factor, &x.plus);
  for (int d = 0; d < 3; d++) {
    fits = fits && !__builtin_mul_overflow(x.by[d], factor, &x.by[d]);
  }
  x.step = (uint64_t)step;
  return fits ? x : too_large;
}

/* sign: 1 or -1, of b */
static linear linear_sum(linear a, linear b, int sign) {
  const linear other = scaled(b, sign);
  bool fits = a.known && other.known && !__builtin_add_overflow(a.plus, other.plus, &a.plus);
  for (int d = 0; d < 3; d++) {
    fits = fits && !__builtin_add_overflow(a.by[d], other.by[d], &a.by[d]);
  }
  a.step = common_divisor(a.step, other.step);
  return fits ? a : too_large;
}

static linear product(linear a, linear b) {
  if (linear_is_number(&a)) {
    return scaled(b, a.plus);
  }
  return linear_is_number(&b) ? scaled(a, b.plus) : a.known && b.known ? anything : too_large;
}

static linear shifted(linear a, linear b) {
  return linear_is_number(&b) && b.plus >= 0 && b.plus < 32 ? scaled(a, (int64_t)1 << b.plus) : anything;
}

/* --- names -------------------------------------------------------------------------------------------------------- */

uint32_t parameter_index(const tree_node *kernel, const tree_symbol *symbol) {
  for (uint32_t i = 0; i < kernel->child_count; i++) {
    const tree_node *n = kernel->children[i];
    if (n != NULL && n->kind == TREE_PARAMETER && n->symbol == symbol) {
      return i;
    }
  }
  return UINT32_MAX;
}

/* Whether the name does nothing but have its value read. */
static bool is_loaded(const tree_node *name) {
  const tree_node *up = name->parent;
  while (up != NULL && up->kind == TREE_PARENTHESES) {
    up = up->parent;
  }
  return up != NULL && up->kind == TREE_CONVERT && up->conversion == TREE_LOAD;
}

/* Whether a variable or parameter keeps its first value. */
static bool is_constant(const tree_node *kernel, const tree_symbol *symbol) {
  for (const tree_node *n = kernel; n != NULL; n = tree_next(kernel, n)) {
    if (n->kind == TREE_NAME && n->symbol == symbol && !is_loaded(n)) {
      return false;
    }
  }
  return true;
}

static linear read(const linear_reader *r, const tree_node *n, unsigned depth);

static linear value_of_name(const linear_reader *r, const tree_node *n, unsigned depth) {
  const tree_symbol *s = n->symbol;
  if (s == NULL || depth == 0 || !is_constant(r->kernel, s)) {
    return anything;
  }
  if (s->kind == TREE_SYMBOL_PARAMETER) {
    const uint32_t index = parameter_index(r->kernel, s);
    const bool known = index < r->launch->argument_count && r->launch->arguments[index].known;
    return known && s->type->kind == TREE_TYPE_INTEGER ? number(r->launch->arguments[index].value) : anything;
  }
  const tree_node *made = s->kind == TREE_SYMBOL_VARIABLE ? s->declaration : NULL;
  const tree_node *first = made != NULL && made->child_count > 0 ? made->children[0] : NULL;
  if (first == NULL || s->is_static || s->is_extern) {
    return anything;
  }
  *ARRAY_ADD(r->used->items, r->used->count, r->used->capacity) = first->tokens;
  return read(r, first, depth - 1);
}

/* --- expressions -------------------------------------------------------------------------------------------------- */

static linear global_id(const facts_launch *l, uint64_t dimension) {
  if (dimension >= l->dimensions) {
    return number(0);
  }
  if (l->offset[dimension] > INT32_MAX || l->global[dimension] > INT32_MAX) {
    return too_large;
  }
  linear id = number(0);
  if (l->global[dimension] == 1) {
    id.plus = (int64_t)l->offset[dimension];
  } else {
    id.by[dimension] = 1;
  }
  return id;
}

static linear value_of_call(const linear_reader *r, const tree_node *n, unsigned depth) {
  const bool asks =
      n->symbol != NULL && n->builtin != NULL && n->builtin->kind == TREE_WORK_ITEM && n->child_count == 1;
  const linear dimension = asks ? read(r, n->children[0], depth) : anything;
  if (!asks || !linear_is_number(&dimension) || dimension.plus < 0) {
    return anything;
  }
  const uint64_t d = (uint64_t)dimension.plus;
  if (strcmp(n->symbol->name, "get_global_id") == 0) {
    return global_id(r->launch, d);
  }
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
    case TREE_ADD:
      return linear_sum(a, b, 1);
    case TREE_SUBTRACT:
      return linear_sum(a, b, -1);
    case TREE_MULTIPLY:
      return product(a, b);
    case TREE_SHIFT_LEFT:
      return shifted(a, b);
    default:
      return anything;
  }
}

static linear read(const linear_reader *r, const tree_node *n, unsigned depth) {
  if (n == NULL || n->type == NULL || n->type->kind != TREE_TYPE_INTEGER) {
    return anything;
  }
  if (n->constant.kind == TREE_INTEGER_CONSTANT) {
    return n->constant.integer >= INT32_MIN && n->constant.integer <= INT32_MAX ? number(n->constant.integer)
                                                                                : too_large;
  }
  switch (n->kind) {
    case TREE_PARENTHESES:
      return read(r, n->children[0], depth);
    case TREE_CAST:
    case TREE_CONVERT:
      return value_of_conversion(r, n, depth);
    case TREE_NAME:
      return value_of_name(r, n, depth);
    case TREE_CALL:
      return value_of_call(r, n, depth);
    case TREE_BINARY:
      return value_of_binary(r, n, depth);
    default:
      return anything;
  }
}

linear linear_of(const linear_reader *r, const tree_node *expression) {
  *ARRAY_ADD(r->used->items, r->used->count, r->used->capacity) = expression->tokens;
  return read(r, expression, DEEPEST);
}
