/* The first work-item of a group acts for all: `if (get_local_id(0) == 0) { … }`. In a proof about two groups each work-item
 * stands for any of its group, and so for those that the first one of it has served: where that comes to something by what all of
 * the group know, it has come there whichever work-item is looked at. */
#include "verify/leaders.h"

#include <string.h>

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

static formula as_leader(const proof *p, unsigned thread, formula f) {
  formula from[DIMENSIONS], to[DIMENSIONS];
  unsigned count = 0;
  for (unsigned d = 0; d < DIMENSIONS; d++) {
    const formula id = unknown_of(p, p->local_id[thread][d]);
    if (id != NULL) {
      from[count] = id;
      to[count++] = smt_number(&p->smt, 0, smt_bits(&p->smt, id));
    }
  }
  return smt_simplify(&p->smt, Z3_substitute(p->smt.z3, f, count, from, to));
}

formula leader_sees(const proof *p, unsigned thread, formula f) {
  const formula seen = as_leader(p, thread, f);
  return smt_mentions(&p->smt, seen, "_") || smt_mentions(&p->smt, seen, "?") ? NULL : seen;
}

/* Whether it is a function of places in the local memory of a group, as memory.c and smt.c name it: "?version 3 of 5 of first/32/64". */
static bool reads_local(const proof *p, Z3_app app) {
  static const char beginning[] = "?version ";
  const Z3_symbol name = Z3_get_decl_name(p->smt.z3, Z3_get_app_decl(p->smt.z3, app));
  const char *text =
      Z3_get_symbol_kind(p->smt.z3, name) == Z3_STRING_SYMBOL ? Z3_get_symbol_string(p->smt.z3, name) : "";
  const bool of_group = strstr(text, " of first/") != NULL || strstr(text, " of second/") != NULL;
  return of_group && strncmp(text, beginning, sizeof beginning - 1) == 0;
}

/* Whether all that is not modelled in it is read from there. `*left`: formulas that may still be looked at. */
static bool is_of_group(const proof *p, formula f, unsigned *left) {
  const Z3_context c = p->smt.z3;
  if (Z3_get_ast_kind(c, f) != Z3_APP_AST || *left == 0) {
    return Z3_get_ast_kind(c, f) == Z3_NUMERAL_AST;
  }
  --*left;
  const Z3_app app = Z3_to_app(c, f);
  const unsigned count = Z3_get_app_num_args(c, app);
  if (Z3_get_decl_kind(c, Z3_get_app_decl(c, app)) == Z3_OP_UNINTERPRETED && !(count > 0 && reads_local(p, app)) &&
      (smt_is_abstract(&p->smt, f) || smt_mentions(&p->smt, f, "_"))) {
    return false;
  }
  for (unsigned n = 0; n < count; n++) {
    if (!is_of_group(p, Z3_get_app_arg(c, app, n), left)) {
      return false;
    }
  }
  return true;
}

formula leader_reads(const proof *p, unsigned thread, formula f) {
  unsigned most = 300;
  const formula seen = as_leader(p, thread, f);
  return !p->same_group && is_of_group(p, seen, &most) ? seen : NULL;
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
