/* Several conditions of which one holds, said without what chose between them: `a and c, or a and not c` is `a`. A work-item
 * after an `if` without a return is where it was before, whatever the condition depends on. */
#include "verify/join.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* Conditions that all hold. */
typedef struct conjunction {
  formula *items;
  size_t count, capacity;
} conjunction;

static bool has(const conjunction *of, formula f) {
  for (size_t i = 0; i < of->count; i++) {
    if (of->items[i] == f) {
      return true;
    }
  }
  return false;
}

static bool is_kind(const smt *s, formula f, Z3_decl_kind kind) {
  return Z3_get_ast_kind(s->z3, f) == Z3_APP_AST &&
         Z3_get_decl_kind(s->z3, Z3_get_app_decl(s->z3, Z3_to_app(s->z3, f))) == kind;
}

/* `and`, and `not` of an `or`, in each other. */
static void split(const smt *s, formula from, conjunction *out) {
  conjunction left = {0};
  *ARRAY_ADD(left.items, left.count, left.capacity) = from;
  while (left.count > 0) {
    const formula f = left.items[--left.count];
    const bool none_of = is_kind(s, f, Z3_OP_NOT) && is_kind(s, smt_not(s, f), Z3_OP_OR);
    if (!none_of && !is_kind(s, f, Z3_OP_AND)) {
      if (f != s->yes && !has(out, f)) {
        *ARRAY_ADD(out->items, out->count, out->capacity) = f;
      }
      continue;
    }
    const Z3_app parts = Z3_to_app(s->z3, none_of ? smt_not(s, f) : f);
    for (unsigned i = 0; i < Z3_get_app_num_args(s->z3, parts); i++) {
      const formula part = Z3_get_app_arg(s->z3, parts, i);
      *ARRAY_ADD(left.items, left.count, left.capacity) = none_of ? smt_not(s, part) : part;
    }
  }
  free(left.items);
}

/* The one that `of` has and `other` has not; NULL: there are none or several, as `*count` says. */
static formula only(const conjunction *of, const conjunction *other, size_t *count) {
  formula found = NULL;
  *count = 0;
  for (size_t i = 0; i < of->count; i++) {
    if (!has(other, of->items[i])) {
      found = of->items[i];
      ++*count;
    }
  }
  return *count == 1 ? found : NULL;
}

static void drop(conjunction *from, formula f) {
  for (size_t i = 0; i < from->count; i++) {
    if (from->items[i] == f) {
      from->items[i] = from->items[--from->count];
      return;
    }
  }
}

/* Makes `a` what `a` or `b` is, if that is one conjunction. */
static bool merge(const smt *s, conjunction *a, const conjunction *b) {
  size_t in_a = 0, in_b = 0;
  const formula x = only(a, b, &in_a), y = only(b, a, &in_b);
  if (in_a == 0) { /* `b` says more */
    return true;
  }
  if (in_b == 0) {
    a->count = 0;
    for (size_t i = 0; i < b->count; i++) {
      *ARRAY_ADD(a->items, a->count, a->capacity) = b->items[i];
    }
    return true;
  }
  if (x == NULL || y == NULL || (smt_not(s, x) != y && smt_not(s, y) != x)) {
    return false;
  }
  drop(a, x);
  return true;
}

/* Merges the last with those before it, as long as that goes. */
static size_t merge_last(const smt *s, conjunction *list, size_t count) {
  for (size_t i = 0; i + 1 < count; i++) {
    if (merge(s, &list[count - 1], &list[i])) {
      free(list[i].items);
      memmove(&list[i], &list[i + 1], (count - i - 1) * sizeof *list);
      list[count - 1] = (conjunction){0};
      return merge_last(s, list, count - 1);
    }
  }
  return count;
}

formula join(const smt *s, const formula *conditions, size_t count) {
  conjunction *list = mem_calloc(count + 1, sizeof *list);
  size_t left = 0;
  for (size_t i = 0; i < count; i++) {
    if (conditions[i] != s->no) {
      split(s, conditions[i], &list[left]);
      left = merge_last(s, list, left + 1);
    }
  }
  formula any = s->no;
  for (size_t i = 0; i < left; i++) {
    any = smt_or(s, any, list[i].count == 0 ? s->yes : smt_all(s, list[i].items, list[i].count));
    free(list[i].items);
  }
  free(list);
  return any;
}
