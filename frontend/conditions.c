/* Conditions: what stands in `if`, `?:` and loops, and the operands of && and ||, read from libclang's tree. */
#include <stdlib.h>

#include "base/memory.h"
#include "frontend/frontend_internal.h"

enum { MAX_OPERANDS = 1000 };

/* --- reading ------------------------------------------------------------------------------------------------------ */

/* The operator of a && or || on scalars that stands in the text; NO_TOKEN for anything else. */
static uint32_t logical_operator(const walker *w, CXCursor cursor) {
  if (clang_getCursorKind(cursor) != CXCursor_BinaryOperator) {
    return NO_TOKEN;
  }
  enum CXBinaryOperatorKind kind = clang_getCursorBinaryOperatorKind(cursor);
  if ((kind != CXBinaryOperator_LAnd && kind != CXBinaryOperator_LOr) ||
      front_is_vector(clang_getCanonicalType(clang_getCursorType(cursor)))) {
    return NO_TOKEN;
  }
  span all = front_span(w, cursor);
  span right = front_span(w, front_last_child(cursor));
  bool inside = right.first > all.first + 1 && right.last <= all.last &&
                token_is(w->text, right.first - 1, kind == CXBinaryOperator_LAnd ? "&&" : "||");
  return inside ? right.first - 1 : NO_TOKEN;
}

static bool same(span a, span b) { return a.first == b.first && a.last == b.last; }

/* Goes one step into parentheses, a `!` or a conversion. Returns whether there was one. */
static bool unwrap(const walker *w, CXCursor *cursor, front_operand *o) {
  CXCursor child = front_first_child(*cursor);
  span s = o->inner;
  if (clang_Cursor_isNull(child)) {
    return false;
  }
  switch (clang_getCursorKind(*cursor)) {
    case CXCursor_UnexposedExpr:
      if (!same(front_span(w, child), s)) {
        return false;
      }
      break;
    case CXCursor_ParenExpr:
      if (!token_is(w->text, s.first, "(") || token_match(w->text, s.first) != s.last || s.last <= s.first + 1) {
        return false;
      }
      o->inner = (span){s.first + 1, s.last - 1};
      break;
    case CXCursor_UnaryOperator:
      if (clang_getCursorUnaryOperatorKind(*cursor) != CXUnaryOperator_LNot || !token_is(w->text, s.first, "!") ||
          s.first == s.last) {
        return false;
      }
      o->inner.first++;
      o->negated = !o->negated;
      break;
    default:
      return false;
  }
  *cursor = child;
  return true;
}

/* The token behind the first operand, which is the operator of `a < b`, `a[i]`, `a ? b : c`; else the first one. In a
 * macro's body that is the body's own, where the first operand may be an argument. */
static uint32_t own_token(const walker *w, CXCursor cursor, span s) {
  CXCursor child = front_first_child(cursor);
  if (clang_Cursor_isNull(child) || clang_getCursorKind(cursor) == CXCursor_CallExpr) {
    return s.first;
  }
  span operand = front_span(w, child);
  return operand.first == s.first && operand.last < s.last ? operand.last + 1 : s.first;
}

static front_operand read_operand(const walker *w, CXCursor cursor, span whole) {
  front_operand o = {.whole = whole, .inner = whole};
  while (unwrap(w, &cursor, &o)) {
  }
  o.logical = logical_operator(w, cursor);
  o.token = own_token(w, cursor, o.inner);
  return o;
}

void front_add_logical(walker *w, CXCursor cursor) {
  uint32_t operator_token = logical_operator(w, cursor);
  if (operator_token == NO_TOKEN) {
    return;
  }
  span all = front_span(w, cursor);
  front_logical l = {.operator_token = operator_token, .conjunction = token_is(w->text, operator_token, "&&")};
  l.left = read_operand(w, front_first_child(cursor), (span){all.first, operator_token - 1});
  l.right = read_operand(w, front_last_child(cursor), (span){operator_token + 1, all.last});
  *ARRAY_ADD(w->facts->logicals, w->facts->logical_count, w->facts->logical_capacity) = l;
}

void front_add_condition(walker *w, CXCursor cursor, span whole) {
  front_facts *f = w->facts;
  *ARRAY_ADD(f->conditions, f->condition_count, f->condition_capacity) = read_operand(w, cursor, whole);
}

static enum CXChildVisitResult add_head(CXCursor cursor, CXCursor parent, CXClientData data) {
  (void)parent;
  if (clang_isExpression(clang_getCursorKind(cursor))) {
    front_add_condition(data, cursor, front_span(data, cursor));
  }
  return CXChildVisit_Continue;
}

void front_add_heads(walker *w, CXCursor cursor) { (void)clang_visitChildren(cursor, add_head, w); }

/* --- finding ------------------------------------------------------------------------------------------------------ */

static int compare_numbers(uint32_t a, uint32_t b) { return (a > b) - (a < b); }

static int compare_logicals(const void *a, const void *b) {
  return compare_numbers(((const front_logical *)a)->operator_token, ((const front_logical *)b)->operator_token);
}

static int compare_operands(const void *a, const void *b) {
  const span left = ((const front_operand *)a)->whole;
  const span right = ((const front_operand *)b)->whole;
  return left.first != right.first ? compare_numbers(left.first, right.first) : compare_numbers(left.last, right.last);
}

static front_logical *find_logical(const front_facts *f, uint32_t operator_token) {
  front_logical key = {.operator_token = operator_token};
  return operator_token == NO_TOKEN || f->logical_count == 0
             ? NULL
             : bsearch(&key, f->logicals, f->logical_count, sizeof key, compare_logicals);
}

const front_logical *front_find_logical(const front_facts *f, uint32_t operator_token) {
  return find_logical(f, operator_token);
}

/* A && or || that was not listed is an atomic condition like any other. */
static void check_operand(const front_facts *f, front_operand *o) {
  if (find_logical(f, o->logical) == NULL) {
    o->logical = NO_TOKEN;
  }
}

static void mark_nested(const front_facts *f, const front_operand *o) {
  front_logical *l = find_logical(f, o->logical);
  if (l != NULL) {
    l->nested = true;
  }
}

void front_link_conditions(front_facts *f) {
  if (f->logical_count > 1) {
    qsort(f->logicals, f->logical_count, sizeof *f->logicals, compare_logicals);
  }
  if (f->condition_count > 1) {
    qsort(f->conditions, f->condition_count, sizeof *f->conditions, compare_operands);
  }
  for (size_t i = 0; i < f->condition_count; i++) {
    check_operand(f, &f->conditions[i]);
  }
  for (size_t i = 0; i < f->logical_count; i++) {
    front_operand *const operands[] = {&f->logicals[i].left, &f->logicals[i].right};
    for (size_t k = 0; k < 2; k++) {
      check_operand(f, operands[k]);
      mark_nested(f, operands[k]);
    }
  }
}

front_operand front_condition(const front_facts *f, span condition) {
  front_operand key = {.whole = condition, .inner = condition, .logical = NO_TOKEN, .token = condition.first};
  const front_operand *found = f->condition_count == 0 ? NULL
                                                       : bsearch(&key, f->conditions, f->condition_count,
                                                                 sizeof *f->conditions, compare_operands);
  return found == NULL ? key : *found;
}

/* Operands below it, itself included. */
static size_t operand_count(const front_facts *f, const front_logical *l) {
  const front_operand *const sides[] = {&l->left, &l->right};
  size_t count = 0;
  for (size_t i = 0; i < 2; i++) {
    const front_logical *nested = front_find_logical(f, sides[i]->logical);
    count += nested == NULL ? 1 : operand_count(f, nested);
  }
  return count;
}

int front_check_size(const front_facts *f, const pp_result *text, error *e) {
  for (size_t i = 0; i < f->logical_count; i++) {
    const front_logical *l = &f->logicals[i];
    const size_t count = l->nested ? 0 : operand_count(f, l);
    if (count > MAX_OPERANDS) {
      const pp_position *where = &text->tokens[l->operator_token].expanded;
      return error_set(e, EXIT_INTERNAL, "%s:%u: a decision of %zu conditions is more than the %d that are measured",
                       text->files[where->file].name, where->line, count, MAX_OPERANDS);
    }
  }
  return 0;
}
