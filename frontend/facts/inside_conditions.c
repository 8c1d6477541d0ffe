/* Conditions: in which states they are true, and in which false. */
#include "frontend/facts/inside_internal.h"

static bool is_scalar(const tree_type *t) {
  return t != NULL && (t->kind == TREE_TYPE_INTEGER || t->kind == TREE_TYPE_BOOL || t->kind == TREE_TYPE_ENUM);
}

/* Functions of the language that give a value and nothing else. */
static bool is_pure(const tree_builtin *called) { return called != NULL && tree_builtin_is_pure(called); }

static const tree_type whole = {.kind = TREE_TYPE_INTEGER, .size = 8};

static int64_t plus(int64_t a, int64_t b) {
  int64_t out = 0;
  const bool endless = a == RANGE_LEAST || a == RANGE_MOST;
  if (endless) {
    return a;
  }
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
  if (!is_scalar(left->type) || !is_scalar(right->type)) {
    return;
  }
  const range a = value_in(w, s, left), b = value_in(w, s, right);
  const range exact = range_compute(n->op, a, b, &whole);
  if (!range_keeps(&exact, n->type) || range_is_endless(&a) || range_is_endless(&b)) {
    return;
  }
  if (n->op == TREE_ADD) {
    restrict_to(w, s, left, plus(low, -b.high), plus(high, -b.low));
    restrict_to(w, s, right, plus(low, -a.high), plus(high, -a.low));
  } else if (n->op == TREE_SUBTRACT) {
    restrict_to(w, s, left, plus(low, b.low), plus(high, b.high));
    restrict_to(w, s, right, high == RANGE_MOST ? RANGE_LEAST : plus(a.low, -high),
                low == RANGE_LEAST ? RANGE_MOST : plus(a.high, -low));
  } else if (n->op == TREE_MULTIPLY && range_is_number(&b) && b.low > 0) {
    const int64_t by = b.low;
    const int64_t first = low == RANGE_LEAST ? low : low / by + (low > 0 && low % by != 0);
    const int64_t last = high == RANGE_MOST ? high : high / by - (high < 0 && high % by != 0);
    restrict_to(w, s, left, first, last);
  }
}

/* A conversion that changes no number; or one to unsigned, where negative numbers would become too large. */
static void restrict_converted(walker *w, state *s, const tree_node *n, int64_t low, int64_t high) {
  const tree_node *of = n->children[0];
  if (!is_scalar(of->type) || !is_scalar(n->type)) {
    return;
  }
  const range r = value_in(w, s, of), all = range_of_type(of->type);
  low = n->type->is_unsigned && low < 0 ? 0 : low;
  const bool small =
      n->type->is_unsigned && n->type->size >= of->type->size && low >= 0 && high <= all.high && high != RANGE_MOST;
  if (range_keeps(&r, n->type) || small) {
    restrict_to(w, s, of, low, high);
  }
}

static void note_end(walker *w, int64_t end) {
  const uint32_t most = sizeof w->ends.items / sizeof w->ends.items[0];
  for (uint32_t i = 0; i < w->ends.count; i++) {
    if (w->ends.items[i] == end) {
      return;
    }
  }
  if (end != RANGE_LEAST && end != RANGE_MOST && w->ends.count < most) {
    w->ends.items[w->ends.count++] = end;
  }
}

/* The expression, which has no effects, comes to a number from `low` to `high`. */
static void restrict_to(walker *w, state *s, const tree_node *n, int64_t low, int64_t high) {
  n = tree_bare(n);
  if (!s->reachable || (low == RANGE_LEAST && high == RANGE_MOST)) {
    return;
  }
  const uint32_t variable = inside_variable(w, n);
  if (variable != NO_VARIABLE) {
    value v = inside_get(w, s, variable);
    note_end(w, low);
    note_end(w, high);
    s->reachable = range_meet(&v.r, low, high);
    if (s->reachable && variable < s->count) {
      s->values[variable] = v; /* orders hold as before */
    }
  } else if ((n->kind == TREE_CONVERT || n->kind == TREE_CAST) && n->conversion == TREE_INTEGER_TO_INTEGER) {
    restrict_converted(w, s, n, low, high);
  } else if (n->kind == TREE_BINARY) {
    restrict_sides(w, s, n, low, high);
  }
}

static tree_operator negated(tree_operator op) {
  static const tree_operator other[] = {
      [TREE_LESS] = TREE_GREATER_EQUAL, [TREE_GREATER_EQUAL] = TREE_LESS, [TREE_GREATER] = TREE_LESS_EQUAL,
      [TREE_LESS_EQUAL] = TREE_GREATER, [TREE_EQUAL] = TREE_NOT_EQUAL,    [TREE_NOT_EQUAL] = TREE_EQUAL};
  return other[op];
}

/* It is not this number. */
static void exclude(walker *w, state *s, const tree_node *n, range r, int64_t number) {
  if (number == RANGE_LEAST || number == RANGE_MOST) {
    return;
  }
  if (r.low == number) {
    restrict_to(w, s, n, plus(number, 1), RANGE_MOST);
  } else if (r.high == number) {
    restrict_to(w, s, n, RANGE_LEAST, plus(number, -1));
  }
}

/* The comparison holds: `left` and `right` were these. */
static void inside_compared(walker *w, state *s, tree_operator op, const tree_node *left, range a,
                            const tree_node *right, range b) {
  switch (op) {
    case TREE_LESS:
    case TREE_LESS_EQUAL: {
      const int64_t gap = op == TREE_LESS ? 1 : 0;
      restrict_to(w, s, left, RANGE_LEAST, plus(b.high, -gap));
      restrict_to(w, s, right, plus(a.low, gap), RANGE_MOST);
      inside_order(s, inside_variable(w, right), inside_variable(w, left), gap);
      break;
    }
    case TREE_GREATER:
      inside_compared(w, s, TREE_LESS, right, b, left, a);
      break;
    case TREE_GREATER_EQUAL:
      inside_compared(w, s, TREE_LESS_EQUAL, right, b, left, a);
      break;
    case TREE_EQUAL:
      restrict_to(w, s, left, b.low, b.high);
      restrict_to(w, s, right, a.low, a.high);
      break;
    default:
      if (range_is_number(&b)) {
        exclude(w, s, left, a, b.low);
      }
      if (range_is_number(&a)) {
        exclude(w, s, right, b, a.low);
      }
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
    inside_compared(w, no, negated(n->op), left, a, right, b);
  }
}

static void decide_both(walker *w, const tree_node *n, state *yes, state *no) {
  state holds, fails;
  const bool both = n->op == TREE_LOGICAL_AND;
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
  return n->kind == TREE_BINARY && n->op >= TREE_LESS && n->op <= TREE_NOT_EQUAL && is_scalar(n->children[0]->type) &&
         is_scalar(n->children[1]->type);
}

void inside_decide(walker *w, const tree_node *n, state *yes, state *no) {
  if (n == NULL) {
    *yes = w->now;
    *no = (state){0};
    return;
  }
  const tree_node *of = tree_bare(n);
  while ((of->kind == TREE_CONVERT || of->kind == TREE_CAST) && of->conversion == TREE_TO_BOOL) {
    of = tree_bare(of->children[0]);
  }
  if (of->constant.kind == TREE_INTEGER_CONSTANT) {
    decide_value(w, of, yes, no);
  } else if (of->kind == TREE_LOGICAL && is_scalar(of->type)) {
    decide_both(w, of, yes, no);
  } else if (of->kind == TREE_UNARY && of->op == TREE_NOT && is_scalar(of->type)) {
    inside_decide(w, of->children[0], no, yes);
  } else if (is_comparison(of)) {
    decide_comparison(w, of, yes, no);
  } else {
    decide_value(w, of, yes, no);
  }
}
