/* Products, quotients and remainders of two unknowns, as a solver of bit-vectors has no use for them: functions of which only
 * what proofs need is said. x * w and y * w with 0 <= x < y are at least w apart; a = (a / w) * w + a % w. This holds as long as
 * nothing overflows: signed numbers must not in C, of the others it is said.
 * Soundness: docs/verify.md, Why it is right, Products. */
#include "proofs/verify/products.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

typedef struct product {
  formula a, b, result;
  formula base; /* the unknown that the result is */
  unsigned bits;
} product;

static bool is_known(const proof *p, formula f) {
  uint64_t number = 0;
  return smt_is_number(&p->smt, f, &number);
}

static formula function(proof *p, const char *name, formula a, formula b) {
  const formula arguments[] = {a, b};
  return smt_apply(&p->smt, name, arguments, 2, smt_bits(&p->smt, a), false);
}

static formula find(const proof *p, formula a, formula b) {
  for (size_t i = 0; i < p->product_count; i++) {
    const product *x = &p->products[i];
    if ((x->a == a && x->b == b) || (x->a == b && x->b == a)) return x->result;
  }
  return NULL;
}

/* Bits that the number has beside what widens it; `*is_signed` is set where that is its sign. */
static unsigned width_of(const proof *p, formula f, bool *is_signed) {
  const Z3_context c = p->smt.z3;
  if (Z3_get_ast_kind(c, f) != Z3_APP_AST) return smt_bits(&p->smt, f);
  const Z3_app app = Z3_to_app(c, f);
  const Z3_decl_kind kind = Z3_get_decl_kind(c, Z3_get_app_decl(c, app));
  *is_signed = *is_signed || kind == Z3_OP_SIGN_EXT;
  return kind == Z3_OP_ZERO_EXT || kind == Z3_OP_SIGN_EXT ? smt_bits(&p->smt, Z3_get_app_arg(c, app, 0))
                                                          : smt_bits(&p->smt, f);
}

/* An unsigned argument that something is multiplied by is a size: its highest bit is not set. */
static void assume_size(proof *p, formula f) {
  const Z3_context c = p->smt.z3;
  const Z3_app app = Z3_get_ast_kind(c, f) == Z3_APP_AST ? Z3_to_app(c, f) : NULL;
  if (app == NULL || Z3_get_app_num_args(c, app) != 0) return;
  const Z3_symbol name = Z3_get_decl_name(c, Z3_get_app_decl(c, app));
  if (Z3_get_symbol_kind(c, name) == Z3_STRING_SYMBOL && strchr("?_", Z3_get_symbol_string(c, name)[0]) == NULL) {
    p->long_products = true;
    proof_fact(p, Z3_mk_bvsge(c, f, smt_number(&p->smt, 0, smt_bits(&p->smt, f))));
  }
}

formula product_of(proof *p, formula a, formula b, bool is_signed) {
  if (!p->abstract_products || is_known(p, a) || is_known(p, b)) return smt_multiply(&p->smt, a, b);
  const formula known = find(p, a, b);
  if (known != NULL) return known;
  bool widened = false;
  const unsigned bits = smt_bits(&p->smt, a);
  const unsigned needed = width_of(p, a, &widened) + width_of(p, b, &widened);
  const bool narrow = needed < bits && !widened;
  p->long_products = p->long_products || needed >= bits;
  if (!is_signed) {
    assume_size(p, a);
    assume_size(p, b);
  }
  const formula base = smt_fresh(&p->smt, narrow ? "product" : "long product", needed < bits ? needed : bits, false);
  const formula made = smt_resize(&p->smt, base, bits, widened);
  *ARRAY_ADD(p->products, p->product_count, p->product_capacity) = (product){a, b, made, base, bits};
  return made;
}

static formula at_least(const proof *p, formula x, uint64_t than) {
  return smt_simplify(&p->smt, Z3_mk_bvsge(p->smt.z3, x, smt_number(&p->smt, than, smt_bits(&p->smt, x))));
}

/* a / b or a % b, of which something is known where both are at least 0. */
static formula quotient_of(proof *p, formula a, formula b, bool is_signed, bool remainder) {
  const smt *s = &p->smt;
  const formula quotient = function(p, is_signed ? "quotient" : "unsigned quotient", a, b);
  const formula rest = function(p, is_signed ? "remainder" : "unsigned remainder", a, b);
  const formula usual = smt_and(s, at_least(p, a, 0), at_least(p, b, 1));
  const formula sum = smt_equal(s, a, smt_add(s, product_of(p, quotient, b, true), rest));
  const formula below = smt_and(s, at_least(p, rest, 0), Z3_mk_bvslt(s->z3, rest, b));
  const formula between = smt_and(s, at_least(p, quotient, 0), Z3_mk_bvsle(s->z3, quotient, a));
  proof_fact(p, smt_implies(s, usual, smt_and(s, sum, smt_and(s, below, between))));
  if (is_signed) { /* whatever the divisor's sign */
    const formula zero = smt_number(s, 0, smt_bits(s, a)),
                  divides = smt_and(s, at_least(p, a, 0), smt_differ(s, b, zero));
    const formula least = Z3_mk_bvsle(s->z3, smt_subtract(s, zero, a), quotient);
    proof_fact(p, smt_implies(s, divides, smt_and(s, least, Z3_mk_bvsle(s->z3, quotient, a))));
  }
  if (!is_signed) { /* of numbers that both take for the same it is the same */
    const formula same = smt_and(s, smt_equal(s, quotient, function(p, "quotient", a, b)),
                                 smt_equal(s, rest, function(p, "remainder", a, b)));
    proof_fact(p, smt_implies(s, usual, same));
  }
  return remainder ? rest : quotient;
}

/* --- what holds --------------------------------------------------------------------------------------------------- */

/* One product alone. */
static void add_one(proof *p, const product *x) {
  const smt *s = &p->smt;
  const formula factors[] = {x->a, x->b};
  const formula zero = smt_number(s, 0, x->bits), one = smt_number(s, 1, x->bits);
  proof_fact(p, smt_implies(s, smt_and(s, at_least(p, x->a, 0), at_least(p, x->b, 0)), at_least(p, x->result, 0)));
  const formula neither = smt_and(s, smt_differ(s, x->a, zero), smt_differ(s, x->b, zero));
  proof_fact(p, smt_implies(s, neither, smt_differ(s, x->result, zero)));
  for (unsigned i = 0; i < 2; i++) {
    const formula f = factors[i], other = factors[1 - i];
    proof_fact(p, smt_implies(s, smt_equal(s, f, zero), smt_equal(s, x->result, zero)));
    proof_fact(p, smt_implies(s, smt_equal(s, f, one), smt_equal(s, x->result, other)));
    proof_fact(
        p, smt_implies(s, smt_and(s, at_least(p, f, 1), at_least(p, other, 0)), Z3_mk_bvsge(s->z3, x->result, other)));
  }
}

/* `high` is at least `low` + w, without overflow. */
static formula apart(const smt *s, formula low, formula high, formula w) {
  const formula distance = smt_subtract(s, high, low);
  return smt_and(s, Z3_mk_bvsle(s->z3, low, high), Z3_mk_bvsle(s->z3, w, distance));
}

/* x * w and y * w. */
static void add_two(proof *p, formula x, formula first, formula y, formula second, formula w) {
  const smt *s = &p->smt;
  const formula positive = at_least(p, w, 1);
  const formula ascending = smt_and(s, smt_and(s, at_least(p, x, 0), Z3_mk_bvslt(s->z3, x, y)), positive);
  const formula descending = smt_and(s, smt_and(s, at_least(p, y, 0), Z3_mk_bvslt(s->z3, y, x)), positive);
  proof_fact(p, smt_implies(s, ascending, apart(s, first, second, w)));
  proof_fact(p, smt_implies(s, descending, apart(s, second, first, w)));
  /* next to each other */
  const formula one = smt_number(s, 1, smt_bits(s, x));
  proof_fact(p, smt_implies(s, smt_equal(s, y, smt_add(s, x, one)), smt_equal(s, second, smt_add(s, first, w))));
}

/* Those of which the parts are made, and those that these are made of. */
static void find_occurring(const proof *p, smt_parts *parts, bool *used) {
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t i = 0; i < p->product_count; i++) {
      if (!used[i] && smt_parts_have(&p->smt, parts, p->products[i].base)) {
        used[i] = changed = true;
        smt_parts_add(&p->smt, parts, p->products[i].a);
        smt_parts_add(&p->smt, parts, p->products[i].b);
      }
    }
  }
}

/* The products that what may go wrong depends on. */
static bool *find_used(proof *p) {
  bool *used = mem_calloc(p->product_count + 1, sizeof *used);
  smt_parts parts = {0};
  for (size_t i = 0; i < p->fact_count; i++) smt_parts_add(&p->smt, &parts, p->facts[i]);
  for (size_t i = 0; i < p->pair_count; i++) smt_parts_add(&p->smt, &parts, p->pairs[i].bare);
  for (size_t i = 0; i < p->mishap_count; i++) smt_parts_add(&p->smt, &parts, p->mishaps[i].condition);
  for (size_t i = 0; i < p->obligation_count; i++) smt_parts_add(&p->smt, &parts, p->obligations[i].broken);
  find_occurring(p, &parts, used);
  smt_parts_free(&parts);
  return used;
}

/* Two products with a factor in common. */
static void add_pair(proof *p, const product *x, const product *y) {
  const smt *s = &p->smt;
  const formula left[] = {x->a, x->b}, right[] = {y->a, y->b};
  for (unsigned n = 0; n < 4 && x->bits == y->bits; n++) {
    const formula w = left[n / 2], other = left[1 - n / 2], another = right[1 - n % 2];
    if (w != right[n % 2]) continue;
    proof_fact(p, smt_implies(s, smt_equal(s, other, another), smt_equal(s, x->result, y->result)));
    add_two(p, other, x->result, another, y->result, w);
  }
}

/* Facts about two products, or twice the same. */
struct law {
  size_t x, y, first, end;
};

static void note_law(proof *p, size_t x, size_t y, size_t first) {
  if (p->fact_count > first)
    *ARRAY_ADD(p->laws, p->law_count, p->law_capacity) = (struct law){x, y, first, p->fact_count};
}

void products_leave_out(const proof *p, smt_parts *parts, bool *keep) {
  bool *used = mem_calloc(p->product_count + 1, sizeof *used);
  find_occurring(p, parts, used);
  for (size_t i = 0; i < p->law_count; i++) {
    const struct law *l = &p->laws[i];
    for (size_t n = l->first; n < l->end && !(used[l->x] && used[l->y]); n++) keep[n] = false;
  }
  free(used);
}

void products_add(proof *p) {
  enum { MOST_PAIRS = 3000 };
  size_t pairs = 0;
  bool *used = find_used(p);
  p->first_law = p->fact_count;
  for (size_t i = 0; i < p->product_count; i++) {
    for (size_t j = i + 1; used[i] && j < p->product_count && pairs < MOST_PAIRS; j++) {
      if (used[j]) {
        const size_t before = p->fact_count;
        add_pair(p, &p->products[i], &p->products[j]);
        note_law(p, i, j, before);
        pairs++;
      }
    }
    if (used[i]) {
      const size_t before = p->fact_count;
      add_one(p, &p->products[i]);
      note_law(p, i, i, before);
    }
  }
  p->end_law = p->fact_count;
  free(used);
}

bool product_is(const proof *p, formula f) {
  for (size_t i = 0; i < p->product_count; i++)
    if (p->products[i].result == f) return true;
  return false;
}

/* --- division ----------------------------------------------------------------------------------------------------- */

/* Quotients and remainders. A number that is divided by 0 gives anything, and so does the least one by -1.
 * Soundness: docs/verify.md, Why it is right, Division. */

void exclude_execution(proof *p, formula enabled, formula holds, bool is_signed, bool divides) {
  size_t same = p->no_overflow_count;
  *ARRAY_ADD(p->no_overflow, p->no_overflow_count, p->no_overflow_capacity) = smt_implies(&p->smt, enabled, holds);
  *ARRAY_ADD(p->overflow_notes, same, p->overflow_note_capacity) =
      (overflow_note){p->chain, p->executing, is_signed, divides};
}

static smt_binary function_of(bool is_signed, bool remainder) {
  return remainder ? (is_signed ? Z3_mk_bvsrem : Z3_mk_bvurem) : is_signed ? Z3_mk_bvsdiv : Z3_mk_bvudiv;
}

static formula by_unknown(proof *p, formula a, formula b, bool is_signed, bool remainder, formula enabled) {
  const smt *s = &p->smt;
  const unsigned bits = smt_bits(s, a);
  const formula zero = smt_equal(s, b, smt_number(s, 0, bits)), least = smt_number(s, (uint64_t)1 << (bits - 1), bits);
  const formula whole = smt_and(s, smt_equal(s, a, least), smt_equal(s, b, smt_number(s, UINT64_MAX, bits)));
  if (enabled != s->no) {
    exclude_execution(p, enabled, smt_not(s, zero), true, true);
    if (is_signed) exclude_execution(p, enabled, smt_not(s, whole), true, false);
  }
  if (p->abstract_products) { /* there it is the same for both, also by 0: that is said */
    p->divides = true;
    return quotient_of(p, a, b, is_signed, remainder);
  }
  const formula any = smt_fresh(&p->smt, "divided by 0", bits, false);
  return smt_if(s, is_signed ? smt_or(s, zero, whole) : zero, any,
                smt_apply_binary(s, function_of(is_signed, remainder), a, b));
}

formula divided(proof *p, LLVMOpcode opcode, formula a, formula b, formula enabled) {
  uint64_t number = 0;
  const bool is_signed = opcode == LLVMSDiv || opcode == LLVMSRem;
  const bool remainder = opcode == LLVMURem || opcode == LLVMSRem;
  if (smt_is_number(&p->smt, b, &number) && number == 0)
    return smt_fresh(&p->smt, "divided by 0", smt_bits(&p->smt, a), false);
  const formula minus_one = smt_number(&p->smt, UINT64_MAX, smt_bits(&p->smt, a));
  if (!smt_is_number(&p->smt, b, &number) || (is_signed && b == minus_one))
    return by_unknown(p, a, b, is_signed, remainder, enabled);
  const formula quotient = smt_apply_binary(&p->smt, function_of(is_signed, false), a, b);
  const formula rest = smt_apply_binary(&p->smt, function_of(is_signed, true), a, b);
  return remainder ? rest : quotient;
}
