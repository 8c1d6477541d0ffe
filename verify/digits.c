/* Numbers that `/` and `%` take apart, put together again: (a / b) * b + a % b is a, for any b but 0, and (a / b) / c is
 * a / (b * c). A sum is read as a polynomial of what its factors are; the sums in which such a pair is found are equal to what
 * they come to. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "verify/products.h"

enum { MOST_ATOMS = 8, MOST_TERMS = 24 };

/* A product: a number times formulas, which are sorted. */
typedef struct monomial {
  uint64_t by;
  size_t count;
  formula atoms[MOST_ATOMS];
} monomial;

typedef struct polynomial {
  bool too_long;
  size_t count;
  monomial terms[MOST_TERMS];
} polynomial;

/* a / b and a % b. */
struct division {
  formula a, b, quotient, rest;
  bool is_signed;
  formula base;    /* what all of it is divided by `factors` of */
  monomial before; /* what `a` is the base divided by */
  monomial by;     /* and b */
};

/* --- monomials ---------------------------------------------------------------------------------------------------------- */

static bool append(monomial *m, formula atom) {
  if (m->count == MOST_ATOMS) {
    return false;
  }
  size_t at = m->count++;
  for (; at > 0 && m->atoms[at - 1] > atom; at--) {
    m->atoms[at] = m->atoms[at - 1];
  }
  m->atoms[at] = atom;
  return true;
}

static bool multiply(const monomial *a, const monomial *b, monomial *out) {
  *out = *a;
  out->by *= b->by;
  bool fits = true;
  for (size_t i = 0; i < b->count; i++) {
    fits = fits && append(out, b->atoms[i]);
  }
  return fits;
}

static bool same_atoms(const monomial *a, const monomial *b) {
  return a->count == b->count && memcmp(a->atoms, b->atoms, a->count * sizeof *a->atoms) == 0;
}

/* Takes one of the atoms away; false: there is none. */
static bool take_away(monomial *m, formula atom) {
  for (size_t i = 0; i < m->count; i++) {
    if (m->atoms[i] == atom) {
      m->count--;
      memmove(&m->atoms[i], &m->atoms[i + 1], (m->count - i) * sizeof *m->atoms);
      return true;
    }
  }
  return false;
}

static void add_term(polynomial *to, const monomial *m, unsigned bits) {
  const uint64_t mask = bits >= 64 ? UINT64_MAX : ((uint64_t)1 << bits) - 1;
  size_t at = 0;
  while (at < to->count && !same_atoms(&to->terms[at], m)) {
    at++;
  }
  if (at == MOST_TERMS) {
    to->too_long = true;
    return;
  }
  if (at == to->count) {
    to->terms[to->count++] = *m;
  } else {
    to->terms[at].by += m->by;
  }
  to->terms[at].by &= mask;
  if (to->terms[at].by == 0) {
    to->terms[at] = to->terms[--to->count];
  }
}

/* --- polynomials -------------------------------------------------------------------------------------------------------- */

static const struct division *division_of(const proof *p, formula f, bool rest) {
  for (size_t i = 0; i < p->division_count; i++) {
    if ((rest ? p->divisions[i].rest : p->divisions[i].quotient) == f) {
      return &p->divisions[i];
    }
  }
  return NULL;
}

/* The product of two divisors, where the numbers in it do not come round: (a / b) / c is a / (b * c) only then. */
static bool divide_by(const proof *p, formula b, const monomial *first, const monomial *second, monomial *out) {
  const unsigned bits = smt_bits(&p->smt, b);
  uint64_t number = 0;
  return !__builtin_mul_overflow(first->by, second->by, &number) && (bits >= 64 || number >> bits == 0) &&
         multiply(first, second, out);
}

static bool same_division(const proof *p, const struct division *a, const struct division *b) {
  monomial x, y;
  return a->base == b->base && a->is_signed == b->is_signed && divide_by(p, a->b, &a->before, &a->by, &x) &&
         divide_by(p, b->b, &b->before, &b->by, &y) && x.by == y.by && same_atoms(&x, &y);
}

/* Of quotients that are the same the first; `used`: of which divisions it was said. */
static formula first_of(const proof *p, formula f, bool *used) {
  const struct division *d = division_of(p, f, false);
  for (size_t i = 0; d != NULL && i < p->division_count; i++) {
    if (same_division(p, &p->divisions[i], d)) {
      used[i] = used[i] || &p->divisions[i] != d;
      used[d - p->divisions] = used[d - p->divisions] || &p->divisions[i] != d;
      return p->divisions[i].quotient;
    }
  }
  return f;
}

static void expand(const proof *p, formula f, const monomial *times, polynomial *to, bool *used, unsigned depth);

static void expand_product(const proof *p, formula a, formula b, const monomial *times, polynomial *to, bool *used,
                           unsigned depth) {
  polynomial *left = mem_calloc(1, sizeof *left);
  expand(p, a, &(monomial){1, 0, {NULL}}, left, used, depth + 1);
  for (size_t i = 0; i < left->count; i++) {
    monomial both;
    if (multiply(times, &left->terms[i], &both)) {
      expand(p, b, &both, to, used, depth + 1);
    } else {
      to->too_long = true;
    }
  }
  to->too_long = to->too_long || left->too_long;
  free(left);
}

/* Adds the formula times the monomial. */
static void expand(const proof *p, formula f, const monomial *times, polynomial *to, bool *used, unsigned depth) {
  enum { DEPTH = 24 };
  const Z3_context c = p->smt.z3;
  const unsigned bits = smt_bits(&p->smt, f);
  monomial m = *times;
  uint64_t number = 0;
  formula a = NULL, b = NULL;
  to->too_long = to->too_long || depth > DEPTH;
  if (to->too_long) {
    return;
  }
  if (smt_is_number(&p->smt, f, &number)) {
    m.by *= number;
    add_term(to, &m, bits);
    return;
  }
  if (product_factors(p, f, &a, &b)) {
    expand_product(p, a, b, times, to, used, depth);
    return;
  }
  const Z3_app app = Z3_to_app(c, f);
  const Z3_decl_kind kind = Z3_get_decl_kind(c, Z3_get_app_decl(c, app));
  const unsigned count = Z3_get_app_num_args(c, app);
  if (kind == Z3_OP_BADD || kind == Z3_OP_BSUB) {
    for (unsigned n = 0; n < count; n++) {
      m.by = kind == Z3_OP_BSUB && n > 0 ? (uint64_t)0 - times->by : times->by;
      expand(p, Z3_get_app_arg(c, app, n), &m, to, used, depth + 1);
    }
  } else if (kind == Z3_OP_BMUL && count == 2) {
    expand_product(p, Z3_get_app_arg(c, app, 0), Z3_get_app_arg(c, app, 1), times, to, used, depth);
  } else if (append(&m, first_of(p, f, used))) {
    add_term(to, &m, bits);
  } else {
    to->too_long = true;
  }
}

/* --- putting together --------------------------------------------------------------------------------------------------- */

/* Whether `high` has the quotient that belongs to the remainder in `low`: k * (a / b) * b * R of k * (a % b) * R. */
static bool belongs(const proof *p, const struct division *d, const monomial *low, const monomial *high, bool *used,
                    monomial *rest) {
  *rest = *low;
  if (!take_away(rest, d->rest)) {
    return false;
  }
  for (size_t i = 0; i < p->division_count; i++) {
    monomial whole = *rest, expected, with;
    expected = d->by;
    if (!same_division(p, &p->divisions[i], d) || !append(&whole, p->divisions[i].quotient) ||
        !multiply(&whole, &expected, &with) || with.by != high->by || !same_atoms(&with, high)) {
      continue;
    }
    used[i] = used[d - p->divisions] = true;
    return true;
  }
  return false;
}

/* Puts one pair together; false: there is none. */
static bool join_pair(const proof *p, polynomial *f, unsigned bits, bool *used) {
  for (size_t low = 0; low < f->count; low++) {
    for (size_t n = 0; n < f->terms[low].count; n++) {
      const struct division *d = division_of(p, f->terms[low].atoms[n], true);
      for (size_t high = 0; d != NULL && high < f->count; high++) {
        monomial rest;
        if (high == low || !belongs(p, d, &f->terms[low], &f->terms[high], used, &rest)) {
          continue;
        }
        polynomial *made = mem_calloc(1, sizeof *made);
        for (size_t i = 0; i < f->count; i++) {
          if (i != low && i != high) {
            add_term(made, &f->terms[i], bits);
          }
        }
        expand(p, d->a, &rest, made, used, 0);
        *f = *made;
        free(made);
        return true;
      }
    }
  }
  return false;
}

static formula number_of(proof *p, const polynomial *f, unsigned bits) {
  formula sum = smt_number(&p->smt, 0, bits);
  for (size_t i = 0; i < f->count; i++) {
    formula whole = smt_number(&p->smt, f->terms[i].by, bits);
    for (size_t n = 0; n < f->terms[i].count; n++) {
      whole = product_of(p, whole, f->terms[i].atoms[n], true);
    }
    sum = smt_add(&p->smt, sum, whole);
  }
  return sum;
}

/* The divisor is not 0, and the quotient fits; so of what it divides, too. */
static formula is_defined(const proof *p, const struct division *d) {
  const smt *s = &p->smt;
  formula all = s->yes;
  for (; d != NULL; d = division_of(p, d->a, false)) {
    const unsigned bits = smt_bits(s, d->b);
    const formula least = smt_number(s, (uint64_t)1 << (bits - 1), bits), minus = smt_number(s, UINT64_MAX, bits);
    const formula fits = smt_or(s, smt_differ(s, d->b, minus), smt_differ(s, d->a, least));
    all = smt_and(s, all, smt_differ(s, d->b, smt_number(s, 0, bits)));
    all = d->is_signed ? smt_and(s, all, fits) : all;
  }
  return all;
}

void digits_note_sum(proof *p, formula sum) {
  const unsigned bits = smt_bits(&p->smt, sum);
  if (p->division_count == 0 || bits == 0) {
    return;
  }
  polynomial *f = mem_calloc(1, sizeof *f);
  bool *used = mem_calloc(p->division_count, sizeof *used);
  bool joined = false;
  expand(p, sum, &(monomial){1, 0, {NULL}}, f, used, 0);
  while (!f->too_long && join_pair(p, f, bits, used)) {
    joined = true;
  }
  if (joined && !f->too_long) {
    formula divided = p->smt.yes;
    for (size_t i = 0; i < p->division_count; i++) {
      divided = used[i] ? smt_and(&p->smt, divided, is_defined(p, &p->divisions[i])) : divided;
    }
    proof_fact(p, smt_implies(&p->smt, divided, smt_equal(&p->smt, sum, number_of(p, f, bits))));
  }
  free(used);
  free(f);
}

/* --- common factors ----------------------------------------------------------------------------------------------------- */

/* What all terms can be divided by, one of the atoms of the first: NULL: nothing. */
static formula common_atom(const polynomial *f) {
  for (size_t n = 0; f->count > 1 && n < f->terms[0].count; n++) {
    bool everywhere = true;
    for (size_t i = 1; i < f->count && everywhere; i++) {
      monomial rest = f->terms[i];
      everywhere = take_away(&rest, f->terms[0].atoms[n]);
    }
    if (everywhere) {
      return f->terms[0].atoms[n];
    }
  }
  return NULL;
}

/* None of the terms is below 0. */
static formula terms_not_negative(proof *p, const polynomial *f, unsigned bits) {
  const smt *s = &p->smt;
  const formula zero = smt_number(s, 0, bits);
  formula all = s->yes;
  for (size_t i = 0; i < f->count; i++) {
    polynomial one = {.count = 1};
    one.terms[0] = f->terms[i];
    all = smt_and(s, all, smt_simplify(s, Z3_mk_bvsge(s->z3, number_of(p, &one, bits), zero)));
  }
  return all;
}

/* a * w + b * w is (a + b) * w, whatever overflows. What it says besides, that a + b is not negative where a and b are not and w is
 * positive, holds as long as the product does not overflow, as all laws of products.c do: a + b is not above it. */
void digits_note_common(proof *p, formula sum) {
  const smt *s = &p->smt;
  const unsigned bits = smt_bits(s, sum);
  polynomial *f = mem_calloc(1, sizeof *f);
  bool *used = mem_calloc(p->division_count + 1, sizeof *used);
  bool renamed = false;
  expand(p, sum, &(monomial){1, 0, {NULL}}, f, used, 0);
  for (size_t i = 0; i < p->division_count; i++) {
    renamed = renamed || used[i];
  }
  const formula w = f->too_long || renamed ? NULL : common_atom(f);
  if (w != NULL) {
    for (size_t i = 0; i < f->count; i++) {
      (void)take_away(&f->terms[i], w);
    }
    const formula rest = number_of(p, f, bits), zero = smt_number(s, 0, bits);
    proof_fact(p, smt_equal(s, sum, product_of(p, rest, w, true)));
    const formula usual = smt_and(s, Z3_mk_bvsgt(s->z3, w, zero), terms_not_negative(p, f, bits));
    proof_fact(p, smt_implies(s, usual, Z3_mk_bvsge(s->z3, rest, zero)));
  }
  free(used);
  free(f);
}

/* --- divisions ---------------------------------------------------------------------------------------------------------- */

void digits_note_division(proof *p, formula a, formula b, formula quotient, formula rest, bool is_signed) {
  enum { MOST = 32 };
  if (division_of(p, quotient, false) != NULL || p->division_count >= MOST) {
    return;
  }
  struct division made = {.a = a, .b = b, .quotient = quotient, .rest = rest, .is_signed = is_signed, .base = a};
  made.before = made.by = (monomial){1, 0, {NULL}};
  const struct division *inner = division_of(p, a, false);
  if (inner != NULL && inner->is_signed == is_signed && divide_by(p, b, &inner->before, &inner->by, &made.before)) {
    made.base = inner->base;
  }
  polynomial *by = mem_calloc(1, sizeof *by);
  bool *used = mem_calloc(p->division_count + 1, sizeof *used);
  expand(p, b, &made.by, by, used, 0);
  if (by->count == 1 && !by->too_long) {
    made.by = by->terms[0];
  } else {
    (void)append(&made.by, b);
  }
  free(used);
  free(by);
  *ARRAY_ADD(p->divisions, p->division_count, p->division_capacity) = made;
}
