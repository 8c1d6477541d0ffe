/* Whether two writes bring different values: equal ones do no harm.
 * Soundness: docs/verify.md, Same values. */
#include <stdio.h>
#include <string.h>

#include "verify/proof.h"

/* What an integer was that was made into a floating-point number. NULL: it is none. */
static formula converted(const proof *p, formula f) {
  const Z3_context c = p->smt.z3;
  if (Z3_get_ast_kind(c, f) != Z3_APP_AST || Z3_get_app_num_args(c, Z3_to_app(c, f)) != 1) {
    return NULL;
  }
  const Z3_symbol name = Z3_get_decl_name(c, Z3_get_app_decl(c, Z3_to_app(c, f)));
  char from_signed[32], from_unsigned[32];
  (void)snprintf(from_signed, sizeof from_signed, "?real%d.", (int)LLVMSIToFP);
  (void)snprintf(from_unsigned, sizeof from_unsigned, "?real%d.", (int)LLVMUIToFP);
  const char *text = Z3_get_symbol_kind(c, name) == Z3_STRING_SYMBOL ? Z3_get_symbol_string(c, name) : "";
  return strncmp(text, from_signed, strlen(from_signed)) == 0 ||
                 strncmp(text, from_unsigned, strlen(from_unsigned)) == 0
             ? Z3_get_app_arg(c, Z3_to_app(c, f), 0)
             : NULL;
}

/* They differ for certain: nothing abstract is in them, or they were small integers, which floating point tells apart. */
static formula differ_certainly(const proof *p, formula x, formula y) {
  const smt *s = &p->smt;
  const formula a = converted(p, x), b = converted(p, y), differ = smt_differ(s, x, y);
  if (a == NULL || b == NULL || smt_bits(s, a) != smt_bits(s, b) || smt_bits(s, a) < 8 || smt_is_abstract(s, a) ||
      smt_is_abstract(s, b)) {
    return smt_is_abstract(s, differ) ? s->no : differ;
  }
  const unsigned bits = smt_bits(s, a);
  const unsigned most = smt_bits(s, x) == 16 ? 11 : 24; /* bits of a half's or a float's numbers */
  if (bits <= most) {
    return smt_differ(s, a, b);
  }
  const formula limit = smt_number(s, UINT64_C(1) << most, bits);
  const formula small = smt_and(s, Z3_mk_bvult(s->z3, a, limit), Z3_mk_bvult(s->z3, b, limit));
  return smt_and(s, small, smt_differ(s, a, b));
}

/* A number is written over a part of a wider one that has other bytes there; for certain. */
static formula part_differs(const proof *p, const access *wide, const access *narrow) {
  const smt *s = &p->smt;
  const unsigned bits = (unsigned)narrow->bytes * 8;
  formula any = s->no;
  if (wide->value->kind != VALUE_NUMBER || narrow->value->kind != VALUE_NUMBER || wide->bytes > 8 ||
      smt_bits(s, wide->value->number) != wide->bytes * 8 || smt_bits(s, narrow->value->number) != bits ||
      smt_is_abstract(s, wide->value->number) || smt_is_abstract(s, narrow->value->number)) {
    return s->no;
  }
  const formula from = offset_number(&p->values, &wide->within, 1), to = offset_number(&p->values, &narrow->within, 1);
  for (unsigned at = 0; at + bits <= wide->bytes * 8; at += bits) {
    const formula here = smt_equal(s, to, smt_add(s, from, smt_number(s, at / 8, ADDRESS_BITS)));
    const formula part = smt_extract(s, wide->value->number, at + bits - 1, at);
    any = smt_or(s, any, smt_and(s, here, smt_differ(s, part, narrow->value->number)));
  }
  return any;
}

/* Sets whether the values differ, of two writes where equal ones do no harm: maybe, and for certain. */
void pair_compare_values(proof *p, pair *both) {
  enum { MOST = 64 };
  const smt *s = &p->smt;
  const access *a = both->first, *b = both->second;
  formula x[MOST], y[MOST], differ[MOST], certain[MOST];
  both->values = both->certain = s->yes;
  if (!p->request->benign || a->kind != ACCESS_WRITE || b->kind != ACCESS_WRITE) {
    return;
  }
  if (a->value == NULL || b->value == NULL) { /* nothing is known of what is written */
    both->certain = s->no;
    return;
  }
  if (a->bytes != b->bytes) { /* which bytes meet is not looked at */
    both->values = smt_fresh(&p->smt, "bytes differ", 0, true);
    both->certain = a->bytes > b->bytes ? part_differs(p, a, b) : part_differs(p, b, a);
    return;
  }
  const size_t count = value_numbers(&p->values, a->value, x, MOST);
  if (count > MOST || value_numbers(&p->values, b->value, y, MOST) != count) {
    return;
  }
  for (size_t i = 0; i < count; i++) {
    if (smt_bits(s, x[i]) != smt_bits(s, y[i])) {
      return;
    }
    differ[i] = smt_differ(s, x[i], y[i]);
    certain[i] = differ_certainly(p, x[i], y[i]);
  }
  both->values = smt_any(s, differ, count);
  both->certain = smt_any(s, certain, count);
  if (a->coordinates == NULL &&
      !(access_in_multiples(a, (int64_t)a->bytes) && access_in_multiples(b, (int64_t)b->bytes))) {
    /* they may begin at different places: then which bytes meet is not looked at */
    const formula apart =
        smt_differ(s, offset_number(&p->values, &a->within, 1), offset_number(&p->values, &b->within, 1));
    both->values = smt_if(s, apart, smt_fresh(&p->smt, "bytes differ", 0, true), both->values);
    both->certain = smt_and(s, smt_not(s, apart), both->certain);
  }
}
