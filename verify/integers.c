/* Translating formulas of bit-vectors, from the leaves up.
 * Soundness: docs/verify.md, Why it is right, Integers. */
#include <stdlib.h>

#include "base/memory.h"
#include "verify/integer_terms.h"

entry *integers_room(integers *x, formula f) {
  const unsigned id = Z3_get_ast_id(x->smt->z3, f);
  if (id >= x->entry_count) {
    x->entries = mem_grow(x->entries, &x->entry_count, (size_t)id + 1, sizeof *x->entries);
  }
  return &x->entries[id];
}

integers *integers_open(smt *s, size_t most, const exact_number *exact, size_t exact_count, bool *assumed) {
  integers *x = mem_calloc(1, sizeof *x);
  x->smt = s;
  x->assumed = assumed;
  for (size_t i = exact_count; i-- > 0;) { /* as it is made, and as the simplifier makes it; the first counts */
    integers_room(x, exact[i].result)->when = exact[i].when;
    integers_room(x, smt_simplify(s, exact[i].result))->when = exact[i].when;
  }
  x->sort = Z3_mk_int_sort(s->z3);
  x->most = most;
  return x;
}

void integers_close(integers *x) {
  free(x->entries);
  free(x->facts);
  free(x->back);
  free(x);
}
/* --- all of it ---------------------------------------------------------------------------------------------------- */

/* What is known of a truth value without translating it: 1, 0, or -1: nothing. */
static int decided(integers *x, formula f, unsigned depth) {
  const Z3_context c = x->smt->z3;
  const formula made = integers_room(x, f)->made;
  if (made == x->smt->yes || made == x->smt->no) {
    return made == x->smt->yes ? 1 : 0;
  }
  if (made != NULL || depth == 0 || Z3_get_ast_kind(c, f) != Z3_APP_AST || smt_bits(x->smt, f) != 0) {
    return -1;
  }
  const Z3_app app = Z3_to_app(c, f);
  const Z3_decl_kind kind = Z3_get_decl_kind(c, Z3_get_app_decl(c, app));
  if (kind == Z3_OP_NOT) {
    const int inner = decided(x, Z3_get_app_arg(c, app, 0), depth - 1);
    return inner < 0 ? inner : 1 - inner;
  }
  const int decides = kind == Z3_OP_OR ? 1 : 0;
  const unsigned count = kind == Z3_OP_OR || kind == Z3_OP_AND ? Z3_get_app_num_args(c, app) : 0;
  int all = count == 0 ? -1 : 1 - decides;
  for (unsigned n = 0; n < count && all != decides; n++) {
    const int one = decided(x, Z3_get_app_arg(c, app, n), depth - 1);
    all = one == decides || one < 0 ? one : all;
  }
  return all;
}

void integers_know(integers *x, formula known, bool value) {
  *integers_room(x, known) = integers_truth(value ? x->smt->yes : x->smt->no);
}

/* The first of the parts that its translation needs: of a number with its sign above it only that. */
static unsigned first_part(const integers *x, Z3_app app) {
  const Z3_context c = x->smt->z3;
  const unsigned count = Z3_get_app_num_args(c, app);
  if (Z3_get_decl_kind(c, Z3_get_app_decl(c, app)) != Z3_OP_CONCAT) {
    return 0;
  }
  for (unsigned n = 0; n + 1 < count; n++) {
    if (!integers_is_sign_of(x, Z3_get_app_arg(c, app, n), Z3_get_app_arg(c, app, count - 1))) {
      return 0;
    }
  }
  return count - 1;
}

static bool is_made(integers *x, formula f) { return integers_room(x, f)->made != NULL; }

formula integers_made(integers *x, formula f) {
  enum { DEPTH = 4 };
  const Z3_context c = x->smt->z3;
  formula *todo = NULL;
  size_t count = 0, capacity = 0;
  *ARRAY_ADD(todo, count, capacity) = f;
  while (count > 0 && x->made < x->most) {
    const formula at = todo[count - 1];
    const size_t before = count;
    const bool app = Z3_get_ast_kind(c, at) == Z3_APP_AST;
    const unsigned parts = app ? Z3_get_app_num_args(c, Z3_to_app(c, at)) : 0;
    const int known = decided(x, at, DEPTH);
    if (known >= 0) {
      integers_know(x, at, known > 0);
    }
    for (unsigned n = parts == 0 ? 0 : first_part(x, Z3_to_app(c, at)); n < parts && !is_made(x, at); n++) {
      const formula p = Z3_get_app_arg(c, Z3_to_app(c, at), n);
      if (!is_made(x, p)) {
        *ARRAY_ADD(todo, count, capacity) = p;
      }
    }
    if (count == before && !is_made(x, at)) {
      const entry made = integers_translate(x, at);
      *integers_room(x, at) = made;
      x->made++;
    }
    count -= count == before ? 1 : 0;
  }
  const bool done = count == 0;
  free(todo);
  return done ? integers_room(x, f)->made : NULL;
}

formula integers_of(integers *x, formula f, Z3_solver to) {
  const formula made = integers_made(x, f);
  for (; x->told < x->fact_count && made != NULL; x->told++) {
    Z3_solver_assert(x->smt->z3, to, x->facts[x->told]);
  }
  return made;
}
