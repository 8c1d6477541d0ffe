#include "frontend/facts/range.h"

#include "base/integer.h"
#include "frontend/facts/linear.h"

static int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }
static int64_t most(int64_t a, int64_t b) { return a > b ? a : b; }

/* --- making them --------------------------------------------------------------------------------------------------- */

range range_between(int64_t low, int64_t high) { return (range){low, high, low == high ? 0 : 1}; }

range range_number(int64_t value) { return (range){value, value, 0}; }

static bool is_integer(const tree_type *t) {
  return t != NULL && (t->kind == TREE_TYPE_INTEGER || t->kind == TREE_TYPE_ENUM);
}

range range_of_type(const tree_type *t) {
  if (t != NULL && t->kind == TREE_TYPE_BOOL) return range_between(0, 1);
  if (!is_integer(t) || t->size >= sizeof(int64_t))
    return range_between(is_integer(t) && t->is_unsigned ? 0 : RANGE_LEAST, RANGE_MOST);
  const int64_t half = (int64_t)1 << (t->size * 8 - 1);
  return t->is_unsigned ? range_between(0, 2 * half - 1) : range_between(-half, half - 1);
}

bool range_is_number(const range *r) { return r->step == 0; }

bool range_is_endless(const range *r) { return r->low == RANGE_LEAST || r->high == RANGE_MOST; }

bool range_equal(const range *a, const range *b) {
  return a->low == b->low && a->high == b->high && a->step == b->step;
}

bool range_keeps(const range *r, const tree_type *t) {
  const range all = range_of_type(t);
  return (is_integer(t) || (t != NULL && t->kind == TREE_TYPE_BOOL)) && !range_is_endless(r) && r->low >= all.low &&
         r->high <= all.high;
}

range range_as(range r, const tree_type *t) { return range_keeps(&r, t) ? r : range_of_type(t); }

/* --- sets ---------------------------------------------------------------------------------------------------------- */

/* The same numbers, or more, so that a step holds from the lowest on. */
static range stepped(int64_t low, int64_t high, uint64_t step) {
  if (low == high) return range_number(low);
  return (range){low, high, low == RANGE_LEAST || step == 0 ? 1 : step};
}

range range_join(range a, range b) {
  const uint64_t apart = a.low > b.low ? (uint64_t)a.low - (uint64_t)b.low : (uint64_t)b.low - (uint64_t)a.low;
  const bool open = a.low == RANGE_LEAST || b.low == RANGE_LEAST;
  return stepped(least(a.low, b.low), most(a.high, b.high),
                 open ? 1 : common_divisor(common_divisor(a.step, b.step), apart));
}

range range_widen(range before, range after, const tree_type *t, const range_ends *ends) {
  const range all = range_of_type(t);
  int64_t low = after.low < before.low ? all.low : after.low;
  int64_t high = after.high > before.high ? all.high : after.high;
  for (uint32_t i = 0; i < ends->count; i++) {
    const int64_t end = ends->items[i];
    low = after.low < before.low && end <= after.low ? most(low, end) : low;
    high = after.high > before.high && end >= after.high ? least(high, end) : high;
  }
  if (low != after.low || high == RANGE_MOST || after.step <= 1)
    return stepped(low, high, low == after.low ? after.step : 1);
  return stepped(low, high - (int64_t)(((uint64_t)high - (uint64_t)low) % after.step), after.step);
}

bool range_meet(range *r, int64_t low, int64_t high) {
  const uint64_t step = r->step;
  if (low > r->low) {
    const uint64_t over = step > 1 ? ((uint64_t)low - (uint64_t)r->low) % step : 0;
    if (over != 0 && (uint64_t)RANGE_MOST - (uint64_t)low <= step)
      low = high; /* further than any number here */
    else
      low = over != 0 ? low + (int64_t)(step - over) : low;
  } else {
    low = r->low;
  }
  if (high < r->high)
    high = step > 1 && high >= low ? high - (int64_t)(((uint64_t)high - (uint64_t)low) % step) : high;
  else
    high = r->high;
  if (low > high) return false;
  *r = stepped(low, high, step);
  return true;
}

/* --- arithmetic ---------------------------------------------------------------------------------------------------- */

static bool sum(range a, range b, range *out) {
  int64_t low = 0, high = 0;
  const bool fits = !__builtin_add_overflow(a.low, b.low, &low) && !__builtin_add_overflow(a.high, b.high, &high);
  *out = stepped(low, high, common_divisor(a.step, b.step));
  return fits;
}

static bool difference(range a, range b, range *out) {
  int64_t low = 0, high = 0;
  const bool fits = !__builtin_sub_overflow(a.low, b.high, &low) && !__builtin_sub_overflow(a.high, b.low, &high);
  *out = stepped(low, high, common_divisor(a.step, b.step));
  return fits;
}

/* From the least to the most of four. */
static range around(const int64_t *v) {
  return range_between(least(least(v[0], v[1]), least(v[2], v[3])), most(most(v[0], v[1]), most(v[2], v[3])));
}

static bool product(range a, range b, range *out) {
  int64_t v[4];
  const bool fits = !__builtin_mul_overflow(a.low, b.low, &v[0]) && !__builtin_mul_overflow(a.low, b.high, &v[1]) &&
                    !__builtin_mul_overflow(a.high, b.low, &v[2]) && !__builtin_mul_overflow(a.high, b.high, &v[3]);
  if (!fits) return false;
  *out = around(v);
  const int64_t by = range_is_number(&a) ? a.low : b.low;
  const uint64_t step = range_is_number(&a) ? b.step : a.step;
  int64_t all = 0;
  const bool scaled = (range_is_number(&a) || range_is_number(&b)) && by != 0 && step <= INT32_MAX &&
                      !__builtin_mul_overflow((int64_t)step, by < 0 ? -by : by, &all);
  *out = stepped(out->low, out->high, scaled ? (uint64_t)all : 1);
  return true;
}

static bool quotient(range a, range b, range *out) {
  if (b.low <= 0) return false;
  const int64_t v[4] = {a.low / b.low, a.low / b.high, a.high / b.low, a.high / b.high};
  *out = around(v);
  return true;
}

static bool rest(range a, range b, range *out) {
  if (b.low <= 0) return false;
  if (a.low >= 0 && a.high != RANGE_MOST && range_is_number(&b) && a.low / b.low == a.high / b.low) {
    *out = stepped(a.low % b.low, a.high % b.low, a.step);
    return true;
  }
  *out = range_between(a.low >= 0 ? 0 : most(a.low, 1 - b.high), a.high < 0 ? 0 : least(a.high, b.high - 1));
  return true;
}

static bool shifted(tree_operator op, range a, range b, const tree_type *t, range *out) {
  if (a.low < 0 || b.low < 0 || b.high >= (int64_t)t->size * 8 || b.high > 62) return false;
  if (op == TREE_SHIFT_LEFT) return product(a, stepped((int64_t)1 << b.low, (int64_t)1 << b.high, 1), out);
  *out = range_between(a.low >> b.high, a.high >> b.low);
  return true;
}

/* All ones from the highest bit on. */
static int64_t filled(int64_t x) {
  int64_t all = 0;
  while (all < x) all = all * 2 + 1;
  return all;
}

static bool by_bits(tree_operator op, range a, range b, range *out) {
  if (op == TREE_AND && (a.low >= 0 || b.low >= 0)) {
    *out = range_between(0, a.low < 0 ? b.high : b.low < 0 ? a.high : least(a.high, b.high));
    return true;
  }
  if (op == TREE_AND || a.low < 0 || b.low < 0 || range_is_endless(&a) || range_is_endless(&b)) return false;
  *out = range_between(op == TREE_OR ? most(a.low, b.low) : 0, filled(most(a.high, b.high)));
  return true;
}

static bool compute(tree_operator op, range a, range b, const tree_type *t, range *out) {
  switch (op) {
    case TREE_REMAINDER: return b.high != RANGE_MOST && a.low != RANGE_LEAST && rest(a, b, out);
    case TREE_AND:
    case TREE_OR:
    case TREE_XOR: return by_bits(op, a, b, out);
    default: break;
  }
  if (range_is_endless(&a) || range_is_endless(&b)) return false;
  switch (op) {
    case TREE_ADD: return sum(a, b, out);
    case TREE_SUBTRACT: return difference(a, b, out);
    case TREE_MULTIPLY: return product(a, b, out);
    case TREE_DIVIDE: return quotient(a, b, out);
    case TREE_SHIFT_LEFT:
    case TREE_SHIFT_RIGHT: return shifted(op, a, b, t, out);
    default: return false;
  }
}

/* 1 or 0 where it is always so, else -1. */
static int compare(tree_operator op, range a, range b) {
  switch (op) {
    case TREE_LESS: return a.high < b.low ? 1 : a.low >= b.high ? 0 : -1;
    case TREE_LESS_EQUAL: return a.high <= b.low ? 1 : a.low > b.high ? 0 : -1;
    case TREE_GREATER: return compare(TREE_LESS, b, a);
    case TREE_GREATER_EQUAL: return compare(TREE_LESS_EQUAL, b, a);
    case TREE_EQUAL: return range_is_number(&a) && range_equal(&a, &b) ? 1 : a.high < b.low || a.low > b.high ? 0 : -1;
    default: {
      const int same = compare(TREE_EQUAL, a, b);
      return same < 0 ? -1 : !same;
    }
  }
}

range range_compute(tree_operator op, range a, range b, const tree_type *t) {
  if (op >= TREE_LESS && op <= TREE_NOT_EQUAL) {
    const int known = range_is_endless(&a) || range_is_endless(&b) ? -1 : compare(op, a, b);
    return known < 0 ? range_between(0, 1) : range_number(known);
  }
  range out = {0};
  return compute(op, a, b, t, &out) ? range_as(out, t) : range_of_type(t);
}
