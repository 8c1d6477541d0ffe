#include "frontend/facts/box.h"

#include "base/memory.h"

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

static tree_operator mirrored(tree_operator op) {
  return op == TREE_LESS            ? TREE_GREATER
         : op == TREE_GREATER       ? TREE_LESS
         : op == TREE_LESS_EQUAL    ? TREE_GREATER_EQUAL
         : op == TREE_GREATER_EQUAL ? TREE_LESS_EQUAL
                                    : op;
}

static tree_operator negated(tree_operator op) {
  switch (op) {
    case TREE_LESS:
      return TREE_GREATER_EQUAL;
    case TREE_GREATER:
      return TREE_LESS_EQUAL;
    case TREE_LESS_EQUAL:
      return TREE_GREATER;
    case TREE_GREATER_EQUAL:
      return TREE_LESS;
    case TREE_EQUAL:
      return TREE_NOT_EQUAL;
    case TREE_NOT_EQUAL:
      return TREE_EQUAL;
    default:
      return TREE_NO_OPERATOR;
  }
}

/* The dimension of which `x` is the global id, and nothing else; 3: of none. */
static uint32_t lone_id(const linear *x) {
  uint32_t found = 3;
  for (uint32_t d = 0; d < 3; d++) {
    found = x->by[d] == 1 ? d : found;
  }
  const int64_t others = x->by[0] | x->by[1] | x->by[2];
  return x->known && x->step == 0 && x->plus == 0 && others == 1 && x->by[0] + x->by[1] + x->by[2] == 1 ? found : 3;
}

static void narrow_by(box *b, uint32_t d, tree_operator op, int64_t bound) {
  if (op == TREE_LESS || op == TREE_LESS_EQUAL || op == TREE_EQUAL) {
    b->high[d] = least(b->high[d], op == TREE_LESS ? bound - 1 : bound);
  }
  if (op == TREE_GREATER || op == TREE_GREATER_EQUAL || op == TREE_EQUAL) {
    b->low[d] = most(b->low[d], op == TREE_GREATER ? bound + 1 : bound);
  }
}

/* `condition` is known to be true (or false). Comparisons of a global id with a number that is not negative count: they
 * mean the same whatever the signs of the types. */
static void narrow(const linear_reader *r, const tree_node *condition, bool holds, box *b) {
  const tree_node *n = condition;
  *ARRAY_ADD(r->used->items, r->used->count, r->used->capacity) = condition->tokens;
  while (n->kind == TREE_PARENTHESES || n->kind == TREE_CONVERT) {
    n = n->children[0];
  }
  if (n->kind == TREE_LOGICAL && n->op == (holds ? TREE_LOGICAL_AND : TREE_LOGICAL_OR)) {
    narrow(r, n->children[0], holds, b);
    narrow(r, n->children[1], holds, b);
    return;
  }
  if (n->kind != TREE_BINARY) {
    return;
  }
  const linear left = linear_of(r, n->children[0]), right = linear_of(r, n->children[1]);
  const tree_operator op = holds ? n->op : negated(n->op);
  if (lone_id(&left) < 3 && linear_is_number(&right) && right.plus >= 0) {
    narrow_by(b, lone_id(&left), op, right.plus);
  } else if (lone_id(&right) < 3 && linear_is_number(&left) && left.plus >= 0) {
    narrow_by(b, lone_id(&right), mirrored(op), left.plus);
  }
}

static bool leaves(const tree_node *n) {
  while (n != NULL && n->kind == TREE_COMPOUND && n->child_count == 1) {
    n = n->children[0];
  }
  return n != NULL && n->kind == TREE_RETURN;
}

/* What the statements in front of one of a block let through: `if (i >= n) return;` */
static void narrow_by_returns(const linear_reader *r, const tree_node *before, box *b) {
  const tree_node *block = before->parent;
  for (uint32_t i = 0; block->kind == TREE_COMPOUND && i < before->index; i++) {
    const tree_node *n = block->children[i];
    if (n != NULL && n->kind == TREE_IF && leaves(n->children[1]) && n->children[2] == NULL) {
      narrow(r, n->children[0], false, b);
    }
  }
}

box box_at(const linear_reader *r, const tree_node *at) {
  box b = box_of_launch(r->launch);
  for (const tree_node *n = at; n->parent != NULL && n != r->kernel; n = n->parent) {
    if (n->parent->kind == TREE_IF && n->index > 0) {
      narrow(r, n->parent->children[0], n->index == 1, &b);
    }
    narrow_by_returns(r, n, &b);
  }
  return b;
}

box box_around(const box *a, const box *b) {
  box all = *a;
  for (int d = 0; d < 3; d++) {
    all.low[d] = least(a->low[d], b->low[d]);
    all.high[d] = most(a->high[d], b->high[d]);
  }
  return all;
}
