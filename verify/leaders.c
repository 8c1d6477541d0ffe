/* The first work-item of a group acts for all: `if (get_local_id(0) == 0) { … }`. In a proof about two groups each work-item
 * stands for any of its group, and so for those that the first one of it has served: where that comes to something by what all of
 * the group know, it has come there whichever work-item is looked at. */
#include "verify/leaders.h"

/* The unknown that an id is; NULL: it is known. */
static formula unknown_of(const proof *p, formula id) {
  const Z3_context c = p->smt.z3;
  if (Z3_get_ast_kind(c, id) != Z3_APP_AST) {
    return NULL;
  }
  const Z3_app app = Z3_to_app(c, id);
  return Z3_get_app_num_args(c, app) == 1 ? Z3_get_app_arg(c, app, 0) : id;
}

/* Whether `part` is one of the conditions that `when` joins. */
static bool has_part(const smt *s, formula when, formula part) {
  if (when == part) {
    return true;
  }
  if (Z3_get_ast_kind(s->z3, when) != Z3_APP_AST) {
    return false;
  }
  Z3_app app = Z3_to_app(s->z3, when);
  const Z3_decl_kind kind = Z3_get_decl_kind(s->z3, Z3_get_app_decl(s->z3, app));
  bool negated = false;
  if (kind == Z3_OP_NOT) { /* not (a or b) */
    const formula inner = Z3_get_app_arg(s->z3, app, 0);
    if (Z3_get_ast_kind(s->z3, inner) != Z3_APP_AST) {
      return false;
    }
    app = Z3_to_app(s->z3, inner);
    negated = Z3_get_decl_kind(s->z3, Z3_get_app_decl(s->z3, app)) == Z3_OP_OR;
  }
  for (unsigned n = 0; (kind == Z3_OP_AND || negated) && n < Z3_get_app_num_args(s->z3, app); n++) {
    const formula one = Z3_get_app_arg(s->z3, app, n);
    if (has_part(s, negated ? smt_not(s, one) : one, part)) {
      return true;
    }
  }
  return false;
}

formula leader_sees(const proof *p, unsigned thread, formula f) {
  formula from[DIMENSIONS], to[DIMENSIONS];
  unsigned count = 0;
  for (unsigned d = 0; d < DIMENSIONS; d++) {
    const formula id = unknown_of(p, p->local_id[thread][d]);
    if (id != NULL) {
      from[count] = id;
      to[count++] = smt_number(&p->smt, 0, smt_bits(&p->smt, id));
    }
  }
  const formula seen = smt_simplify(&p->smt, Z3_substitute(p->smt.z3, f, count, from, to));
  return smt_mentions(&p->smt, seen, "_") || smt_mentions(&p->smt, seen, "?") ? NULL : seen;
}

bool leader_only(const proof *p, unsigned thread, formula when) {
  for (unsigned d = 0; d < DIMENSIONS; d++) {
    const formula id = p->local_id[thread][d], zero = smt_number(&p->smt, 0, ADDRESS_BITS);
    if (unknown_of(p, id) != NULL && !has_part(&p->smt, when, smt_simplify(&p->smt, smt_equal(&p->smt, id, zero)))) {
      return false;
    }
  }
  return leader_sees(p, thread, when) != NULL;
}
