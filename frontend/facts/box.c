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

static bool numbers_compare(int64_t a, tree_operator op, int64_t b) {
  switch (op) {
    case TREE_LESS:
      return a < b;
    case TREE_LESS_EQUAL:
      return a <= b;
    case TREE_GREATER:
      return a > b;
    case TREE_GREATER_EQUAL:
      return a >= b;
    case TREE_EQUAL:
      return a == b;
    default:
      return a != b;
  }
}

/* Comparisons with a number that is not negative count: they mean the same whatever the signs of the types. */
static bool narrow_comparison(const linear_reader *r, const tree_node *n, bool holds, box *b) {
  const linear left = linear_of(r, n->children[0]), right = linear_of(r, n->children[1]);
  const tree_operator op = holds ? n->op : negated(n->op);
  const bool left_number = linear_is_number(&left) && left.plus >= 0;
  const bool right_number = linear_is_number(&right) && right.plus >= 0;
  if (negated(op) == TREE_NO_OPERATOR) {
    return false;
  }
  if (left_number && right_number) {
    b->high[0] = numbers_compare(left.plus, op, right.plus) ? b->high[0] : b->low[0] - 1;
    return true;
  }
  if (lone_id(&left) < 3 && right_number) {
    narrow_by(b, lone_id(&left), op, right.plus);
  } else if (lone_id(&right) < 3 && left_number) {
    narrow_by(b, lone_id(&right), mirrored(op), left.plus);
  } else {
    return false;
  }
  return op != TREE_NOT_EQUAL;
}

/* `condition` is known to be true (or false). False: that may leave out more work-items than these. */
static bool narrow(const linear_reader *r, const tree_node *condition, bool holds, box *b) {
  const tree_node *n = tree_plain(condition);
  *ARRAY_ADD(r->used->items, r->used->count, r->used->capacity) = condition->tokens;
  if (n->kind == TREE_LOGICAL && n->op == (holds ? TREE_LOGICAL_AND : TREE_LOGICAL_OR)) {
    const bool first = narrow(r, n->children[0], holds, b);
    return narrow(r, n->children[1], holds, b) && first;
  }
  return n->kind == TREE_BINARY && narrow_comparison(r, n, holds, b);
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
      (void)narrow(r, n->children[0], false, b);
    }
  }
}

box box_at(const linear_reader *r, const tree_node *at) {
  box b = box_of_launch(r->launch);
  for (const tree_node *n = at; n->parent != NULL && n != r->kernel; n = n->parent) {
    if (n->parent->kind == TREE_IF && n->index > 0) {
      (void)narrow(r, n->parent->children[0], n->index == 1, &b);
    }
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
      case TREE_STATEMENT_EXPRESSION:
        return true;
      default:
        break;
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
    if (n != NULL && n->kind == TREE_IF && leaves(n->children[1]) && n->children[2] == NULL) {
      exact = narrow(r, n->children[0], false, b);
    } else {
      exact = n == NULL || !may_leave(n);
    }
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
      negated(n->op) == TREE_NO_OPERATOR) {
    return false;
  }
  const tree_node *left = tree_plain(n->children[0]);
  const linear from = linear_of(r, made->children[0]), to = linear_of(r, n->children[1]);
  return left->kind == TREE_NAME && left->symbol == made->symbol && linear_is_number(&from) && linear_is_number(&to) &&
         from.plus >= 0 && to.plus >= 0 && numbers_compare(from.plus, n->op, to.plus);
}

/* One step up: whether `n` is executed whenever its parent is, but for what `b` leaves out. */
static bool reached_in_parent(const linear_reader *r, const tree_node *n, box *b) {
  const tree_node *up = n->parent;
  switch (up->kind) {
    case TREE_COMPOUND:
      return reached_in_block(r, n, b);
    case TREE_IF:
      return n->index == 0 || narrow(r, up->children[0], n->index == 1, b);
    case TREE_FOR:
      return n->index <= 1 || (n->index == 3 && first_turn_taken(r, up));
    case TREE_WHILE:
    case TREE_LOGICAL:
    case TREE_CONDITIONAL:
    case TREE_SWITCH:
    case TREE_DO:
      return n->index == 0;
    case TREE_CASE:
    case TREE_DEFAULT:
    case TREE_LABEL:
    case TREE_SIZEOF:
    case TREE_UNKNOWN_STATEMENT:
    case TREE_UNKNOWN_EXPRESSION:
    case TREE_STATEMENT_EXPRESSION:
      return false;
    default:
      return true;
  }
}

bool box_is_empty(const box *b) { return b->low[0] > b->high[0] || b->low[1] > b->high[1] || b->low[2] > b->high[2]; }

bool box_reached(const linear_reader *r, const tree_node *at, box *out) {
  *out = box_of_launch(r->launch);
  bool exact = !at->not_executed;
  for (const tree_node *n = at; exact && n->parent != NULL && n != r->kernel; n = n->parent) {
    exact = reached_in_parent(r, n, out);
  }
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
