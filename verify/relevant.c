/* The facts without those that have nothing to do with what is asked: what was assumed on other ways than those that lead there, and
 * laws of products that do not occur in it. With many products most facts are laws of pairs of them.
 * Soundness: docs/verify.md, Why it is right, Fewer facts. */
#include "verify/relevant.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "verify/products.h"

static Z3_app app_of(const proof *p, formula f, Z3_decl_kind kind) {
  const Z3_context c = p->smt.z3;
  const Z3_app app = Z3_get_ast_kind(c, f) == Z3_APP_AST ? Z3_to_app(c, f) : NULL;
  return app != NULL && Z3_get_decl_kind(c, Z3_get_app_decl(c, app)) == kind ? app : NULL;
}

/* What stands for all that was assumed up to some place, if the fact says what that is (not it, or …); NULL: it does not. */
static formula link_of(const proof *p, formula fact) {
  const Z3_context c = p->smt.z3;
  const Z3_app either = app_of(p, fact, Z3_OP_OR);
  const Z3_app not_it = either == NULL ? NULL : app_of(p, Z3_get_app_arg(c, either, 0), Z3_OP_NOT);
  const formula first = not_it == NULL ? NULL : Z3_get_app_arg(c, not_it, 0);
  const Z3_app link = first == NULL ? NULL : app_of(p, first, Z3_OP_UNINTERPRETED);
  if (link == NULL || Z3_get_app_num_args(c, link) != 0) {
    return NULL;
  }
  const Z3_symbol name = Z3_get_decl_name(c, Z3_get_app_decl(c, link));
  const bool assumed =
      Z3_get_symbol_kind(c, name) == Z3_STRING_SYMBOL && strncmp(Z3_get_symbol_string(c, name), "_assumed!", 9) == 0;
  return assumed ? first : NULL;
}

bool *relevant_facts(const proof *p, const formula *asked, size_t count) {
  bool *keep = mem_calloc(p->fact_count + 1, sizeof *keep);
  smt_parts parts = {0};
  for (size_t i = 0; i < count; i++) {
    smt_parts_add(&p->smt, &parts, asked[i]);
  }
  for (size_t i = p->fact_count; i-- > 0;) { /* what is assumed later names what was assumed before */
    const bool law = i >= p->first_law && i < p->end_law;
    const formula link = law ? NULL : link_of(p, p->facts[i]);
    keep[i] = law || link == NULL || smt_parts_have(&p->smt, &parts, link);
    if (keep[i] && !law) {
      smt_parts_add(&p->smt, &parts, p->facts[i]);
    }
  }
  products_leave_out(p, &parts, keep);
  smt_parts_free(&parts);
  return keep;
}
