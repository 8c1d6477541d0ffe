/* Translating formulas of bit-vectors, from the leaves up.
 * Soundness: docs/verify.md, Why it is right, Integers. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proofs/verify/smt.h"

/* --- terms -------------------------------------------------------------------------------------------------------- */

/* What a formula became: a truth value, or a number between `low` and `high`. */
typedef struct entry {
  formula made; /* NULL: not yet */
  int64_t low, high;
  formula when; /* it does not overflow; NULL: it may */
} entry;

struct integers {
  smt *smt;
  Z3_sort sort;
  entry *entries; /* by id of the formula */
  size_t entry_count, most, made;
  formula *facts;
  size_t fact_count, fact_capacity, told;
  struct brought_back *back;
  size_t back_count, back_capacity;
  bool *assumed;  /* set: that some result, which might leave its range, does not */
  unsigned depth; /* of conditions that are translated for others */
};

/* What the formula became, or will. */
static entry *integers_room(integers *x, formula f);
/* Translates it, and all that it is made of. NULL: it is too large. */
static formula integers_made(integers *x, formula f);

enum { MOST_DEPTH = 30, WIDE = 62 }; /* numbers of more bits have no bounds */

/* --- numbers ------------------------------------------------------------------------------------------------------ */

static formula constant(const integers *x, int64_t n) { return Z3_mk_int64(x->smt->z3, n, x->sort); }

/* 2^bits, as the text of it may be too long for 64 bits. */
static formula power(const integers *x, unsigned bits) {
  return bits < 63 ? constant(x, INT64_C(1) << bits)
                   : Z3_mk_numeral(x->smt->z3, bits == 63 ? "9223372036854775808" : "18446744073709551616", x->sort);
}

static formula plus(const integers *x, formula a, formula b) {
  const formula both[] = {a, b};
  return Z3_mk_add(x->smt->z3, 2, both);
}

static formula times(const integers *x, formula a, formula b) {
  const formula both[] = {a, b};
  return Z3_mk_mul(x->smt->z3, 2, both);
}

static void tell(integers *x, formula fact) { *ARRAY_ADD(x->facts, x->fact_count, x->fact_capacity) = fact; }

static int64_t lowest(unsigned bits) { return bits > WIDE ? INT64_MIN : -(INT64_C(1) << (bits - 1)); }
static int64_t highest(unsigned bits) { return bits > WIDE ? INT64_MAX : (INT64_C(1) << (bits - 1)) - 1; }

static void tell_range(integers *x, formula number, unsigned bits) {
  tell(x, Z3_mk_ge(x->smt->z3, number, Z3_mk_unary_minus(x->smt->z3, power(x, bits - 1))));
  tell(x, Z3_mk_lt(x->smt->z3, number, power(x, bits - 1)));
}

/* A number of its own, in the range of so many bits. */
static formula unknown(integers *x, const char *name, unsigned bits) {
  const formula made = Z3_mk_fresh_const(x->smt->z3, name, x->sort);
  tell_range(x, made, bits);
  return made;
}

static int64_t clamp(double n) { return n <= -4.6e18 ? INT64_MIN : n >= 4.6e18 ? INT64_MAX : (int64_t)n; }

/* The same sum may be written in several ways: it is brought back into its range once. */
struct brought_back {
  formula sum, when, result;
  unsigned bits;
};

static formula find_brought_back(const integers *x, formula sum, unsigned bits, formula when) {
  for (size_t i = x->back_count; i-- > 0;) {
    const struct brought_back *b = &x->back[i];
    if (b->sum == sum && b->bits == bits && (b->when == when || when == NULL)) return b->result;
  }
  return NULL;
}

/* A number that an operation gave, brought back into the range of its bits. */
static entry in_range_when(integers *x, formula made, double low, double high, unsigned bits, formula when) {
  const Z3_context c = x->smt->z3;
  const double limit = bits > WIDE ? 4.6e18 : (double)highest(bits);
  if (low >= -limit - 1 && high <= limit) return (entry){made, clamp(low), clamp(high), NULL};
  if (when == x->smt->yes) {
    *x->assumed = true;
    tell_range(x, made, bits);
    return (entry){made, lowest(bits) > clamp(low) ? lowest(bits) : clamp(low),
                   highest(bits) < clamp(high) ? highest(bits) : clamp(high), NULL};
  }
  const formula sum = smt_simplify(x->smt, made), known = find_brought_back(x, sum, bits, when);
  if (known != NULL) return (entry){known, lowest(bits), highest(bits), NULL};
  const formula result = unknown(x, "wrapped", bits);
  *ARRAY_ADD(x->back, x->back_count, x->back_capacity) = (struct brought_back){sum, when, result, bits};
  const formula turns = Z3_mk_fresh_const(c, "turns", x->sort);
  tell(x, Z3_mk_eq(c, made, plus(x, result, times(x, turns, power(x, bits)))));
  const bool deep = when == NULL || x->depth > MOST_DEPTH;
  x->depth++;
  const formula whole = deep ? NULL : integers_made(x, when);
  x->depth--;
  if (whole != NULL) {
    *x->assumed = true;
    tell(x, Z3_mk_implies(c, whole, Z3_mk_eq(c, turns, constant(x, 0))));
  }
  return (entry){result, lowest(bits), highest(bits), NULL};
}

static entry in_range(integers *x, formula made, double low, double high, unsigned bits) {
  return in_range_when(x, made, low, high, bits, NULL);
}

/* As an unsigned number. */
static entry as_unsigned(integers *x, const entry *a, unsigned bits) {
  if (a->low >= 0) return *a;
  const Z3_context c = x->smt->z3;
  const formula below = Z3_mk_lt(c, a->made, constant(x, 0));
  const formula made = Z3_mk_ite(c, below, plus(x, a->made, power(x, bits)), a->made);
  return (entry){made, 0, bits >= WIDE ? INT64_MAX : (INT64_C(1) << bits) - 1, NULL};
}

/* As a signed number: what is known to be not negative may be written as an unsigned one. */
static entry as_signed(integers *x, const entry *a, unsigned bits) {
  if (a->high <= highest(bits)) return *a;
  const Z3_context c = x->smt->z3;
  const formula above = Z3_mk_gt(c, a->made, constant(x, highest(bits)));
  const formula less = plus(x, a->made, Z3_mk_unary_minus(c, power(x, bits)));
  return (entry){Z3_mk_ite(c, above, less, a->made), lowest(bits), highest(bits), NULL};
}

/* a = quotient * by + rest with 0 <= rest < by, `a` and `by` not negative. */
static void divide(integers *x, const entry *a, formula by, entry *quotient, entry *rest) {
  const Z3_context c = x->smt->z3;
  *quotient = (entry){Z3_mk_fresh_const(c, "quotient", x->sort), 0, a->high, NULL};
  *rest = (entry){Z3_mk_fresh_const(c, "rest", x->sort), 0, a->high, NULL};
  tell(x, Z3_mk_eq(c, a->made, plus(x, times(x, quotient->made, by), rest->made)));
  tell(x, Z3_mk_ge(c, rest->made, constant(x, 0)));
  tell(x, Z3_mk_lt(c, rest->made, by));
  tell(x, Z3_mk_ge(c, quotient->made, constant(x, 0)));
}

/* --- one application ---------------------------------------------------------------------------------------------- */

typedef struct application {
  Z3_app app;
  Z3_func_decl decl;
  Z3_decl_kind kind;
  unsigned count, bits; /* arguments; bits of the result, 0: a truth value */
  formula when;         /* it does not overflow; NULL: it may */
} application;

static formula part(const integers *x, const application *a, unsigned n) {
  return Z3_get_app_arg(x->smt->z3, a->app, n);
}

static const entry *entry_of(const integers *x, formula f) { return &x->entries[Z3_get_ast_id(x->smt->z3, f)]; }

static const entry *argument(const integers *x, const application *a, unsigned n) { return entry_of(x, part(x, a, n)); }

static entry integers_truth(formula made) { return (entry){made, 0, 1, NULL}; }

static entry compare(integers *x, const application *a) {
  const Z3_context c = x->smt->z3;
  const bool is_unsigned =
      a->kind == Z3_OP_ULEQ || a->kind == Z3_OP_UGEQ || a->kind == Z3_OP_ULT || a->kind == Z3_OP_UGT;
  const unsigned bits = smt_bits(x->smt, part(x, a, 0));
  entry l = *argument(x, a, 0), r = *argument(x, a, 1);
  if (is_unsigned) {
    l = as_unsigned(x, &l, bits);
    r = as_unsigned(x, &r, bits);
  } else {
    l = as_signed(x, &l, bits);
    r = as_signed(x, &r, bits);
  }
  switch (a->kind) {
    case Z3_OP_ULEQ:
    case Z3_OP_SLEQ: return integers_truth(Z3_mk_le(c, l.made, r.made));
    case Z3_OP_UGEQ:
    case Z3_OP_SGEQ: return integers_truth(Z3_mk_ge(c, l.made, r.made));
    case Z3_OP_ULT:
    case Z3_OP_SLT: return integers_truth(Z3_mk_lt(c, l.made, r.made));
    default: return integers_truth(Z3_mk_gt(c, l.made, r.made));
  }
}

static entry logic(integers *x, const application *a) {
  enum { MOST = 512 };
  const Z3_context c = x->smt->z3;
  formula list[MOST];
  if (a->count > MOST) return integers_truth(Z3_mk_fresh_const(c, "any", Z3_mk_bool_sort(c)));
  const unsigned bits = smt_bits(x->smt, part(x, a, 0));
  bool positive = false; /* numbers that are compared are written alike */
  for (unsigned n = 0; n < a->count && bits > 0; n++) positive = positive || argument(x, a, n)->high > highest(bits);
  for (unsigned n = 0; n < a->count; n++) {
    const entry one = positive ? as_unsigned(x, argument(x, a, n), bits) : *argument(x, a, n);
    list[n] = one.made;
  }
  switch (a->kind) {
    case Z3_OP_AND: return integers_truth(Z3_mk_and(c, a->count, list));
    case Z3_OP_OR: return integers_truth(Z3_mk_or(c, a->count, list));
    case Z3_OP_NOT: return integers_truth(Z3_mk_not(c, list[0]));
    case Z3_OP_IMPLIES: return integers_truth(Z3_mk_implies(c, list[0], list[1]));
    case Z3_OP_XOR: return integers_truth(Z3_mk_xor(c, list[0], list[1]));
    case Z3_OP_DISTINCT: return integers_truth(Z3_mk_distinct(c, a->count, list));
    default: return integers_truth(Z3_mk_eq(c, list[0], list[1]));
  }
}

static entry sum(integers *x, const application *a) {
  formula made = argument(x, a, 0)->made;
  double low = (double)argument(x, a, 0)->low, high = (double)argument(x, a, 0)->high;
  for (unsigned n = 1; n < a->count; n++) {
    const entry *next = argument(x, a, n);
    const bool minus = a->kind == Z3_OP_BSUB;
    made = plus(x, made, minus ? Z3_mk_unary_minus(x->smt->z3, next->made) : next->made);
    low += minus ? -(double)next->high : (double)next->low;
    high += minus ? -(double)next->low : (double)next->high;
  }
  return in_range_when(x, made, low, high, a->bits, a->when);
}

static entry anything(integers *x, const application *a) {
  return a->bits == 0 ? integers_truth(Z3_mk_fresh_const(x->smt->z3, "any", Z3_mk_bool_sort(x->smt->z3)))
                      : (entry){unknown(x, "any", a->bits), lowest(a->bits), highest(a->bits), NULL};
}

/* By a constant; products of unknowns may be anything. */
static entry product(integers *x, const application *a) {
  uint64_t number = 0;
  const unsigned by = smt_is_number(x->smt, part(x, a, 0), &number) ? 0 : 1;
  if (a->count != 2 || !smt_is_number(x->smt, part(x, a, by), &number)) return anything(x, a);
  const entry *f = argument(x, a, by), *other = argument(x, a, 1 - by);
  const double p = (double)f->low * (double)other->low, q = (double)f->low * (double)other->high;
  return in_range_when(x, times(x, f->made, other->made), p < q ? p : q, p < q ? q : p, a->bits, a->when);
}

static entry choice(integers *x, const application *a) {
  const entry *yes = argument(x, a, 1), *no = argument(x, a, 2);
  return (entry){Z3_mk_ite(x->smt->z3, argument(x, a, 0)->made, yes->made, no->made),
                 yes->low < no->low ? yes->low : no->low, yes->high > no->high ? yes->high : no->high, NULL};
}

/* Some of the bits: what is left of those above, shifted down. */
static entry bits_of(integers *x, const application *a) {
  const Z3_context c = x->smt->z3;
  const unsigned high = (unsigned)Z3_get_decl_int_parameter(c, a->decl, 0);
  const unsigned low = (unsigned)Z3_get_decl_int_parameter(c, a->decl, 1);
  const unsigned from = smt_bits(x->smt, part(x, a, 0));
  entry whole = *argument(x, a, 0);
  if (low > 0) {
    entry rest;
    const entry positive = as_unsigned(x, &whole, from);
    divide(x, &positive, power(x, low), &whole, &rest);
    whole.high = positive.high == INT64_MAX ? INT64_MAX : positive.high >> low;
  }
  return in_range(x, whole.made, (double)whole.low, (double)whole.high, high - low + 1);
}

/* Whether `above` is the sign of the number, again and again: what the simplifier makes of a sign extension. */
static bool integers_is_sign_of(const integers *x, formula above, formula number) {
  const Z3_context c = x->smt->z3;
  /* same: a number is no application of a function, and no sign either */
  if (Z3_get_ast_kind(c, above) != Z3_APP_AST) return false;
  Z3_app app = Z3_to_app(c, above);
  if (Z3_get_decl_kind(c, Z3_get_app_decl(c, app)) == Z3_OP_REPEAT) {
    above = Z3_get_app_arg(c, app, 0);
    app = Z3_get_ast_kind(c, above) == Z3_APP_AST ? Z3_to_app(c, above) : app;
  }
  const Z3_func_decl d = Z3_get_app_decl(c, app);
  const int top = (int)smt_bits(x->smt, number) - 1;
  return Z3_get_decl_kind(c, d) == Z3_OP_EXTRACT && Z3_get_app_arg(c, app, 0) == number &&
         Z3_get_decl_int_parameter(c, d, 0) == top && Z3_get_decl_int_parameter(c, d, 1) == top;
}

/* Zeros above a number, its sign, or other bits; the simplifier writes each bit of a sign by itself. */
static entry joined(integers *x, const application *a) {
  uint64_t number = 0;
  const formula last = part(x, a, a->count - 1);
  const unsigned low_bits = smt_bits(x->smt, last);
  bool sign = true;
  for (unsigned n = 0; n + 1 < a->count; n++) sign = sign && integers_is_sign_of(x, part(x, a, n), last);
  if (sign || a->count != 2) return sign ? as_signed(x, argument(x, a, a->count - 1), low_bits) : anything(x, a);
  const entry low = as_unsigned(x, argument(x, a, 1), low_bits);
  if (smt_is_number(x->smt, part(x, a, 0), &number) && number == 0) return low;
  const formula made = plus(x, times(x, argument(x, a, 0)->made, power(x, low_bits)), low.made);
  return in_range(x, made, -9e18, 9e18, a->bits);
}

static bool constant_positive(const integers *x, const application *a, uint64_t *number) {
  return smt_is_number(x->smt, part(x, a, 1), number) && *number > 0 && *number < UINT64_C(1) << 31;
}

/* Quotients and remainders by constants, masks of low bits, shifts by constants: of numbers that are not negative, or
 * unsigned. */
static entry division(integers *x, const application *a) {
  uint64_t number = 0;
  entry quotient, rest;
  if (a->count != 2 || !constant_positive(x, a, &number)) return anything(x, a);
  const bool is_signed = a->kind == Z3_OP_BSDIV || a->kind == Z3_OP_BSREM || a->kind == Z3_OP_BSDIV_I ||
                         a->kind == Z3_OP_BSREM_I || a->kind == Z3_OP_BASHR;
  const bool shift = a->kind == Z3_OP_BLSHR || a->kind == Z3_OP_BASHR;
  const bool negative = !shift && number > (uint64_t)highest(a->bits); /* the divisor, as a signed number */
  if (is_signed && (negative || argument(x, a, 0)->low < 0 || argument(x, a, 0)->high > highest(a->bits)))
    return anything(x, a);
  const entry from = as_unsigned(x, argument(x, a, 0), a->bits);
  if (shift) {
    if (number >= a->bits) return anything(x, a);
    number = UINT64_C(1) << number;
  }
  divide(x, &from, shift ? power(x, (unsigned)__builtin_ctzll(number)) : constant(x, (int64_t)number), &quotient,
         &rest);
  rest.high = (int64_t)(number - 1);
  quotient.high = from.high == INT64_MAX ? INT64_MAX : (int64_t)((uint64_t)from.high / number);
  const bool remainder =
      a->kind == Z3_OP_BUREM || a->kind == Z3_OP_BSREM || a->kind == Z3_OP_BUREM_I || a->kind == Z3_OP_BSREM_I;
  const entry result = remainder ? rest : quotient;
  return in_range(x, result.made, (double)result.low, (double)result.high, a->bits);
}

static entry mask(integers *x, const application *a) {
  uint64_t number = 0;
  entry quotient, rest;
  const unsigned by = a->count == 2 && smt_is_number(x->smt, part(x, a, 0), &number) ? 0 : 1;
  if (a->count != 2 || !smt_is_number(x->smt, part(x, a, by), &number) || number >= UINT64_C(1) << 31 ||
      (number & (number + 1)) != 0)
    return anything(x, a);
  const entry from = as_unsigned(x, argument(x, a, 1 - by), a->bits);
  divide(x, &from, constant(x, (int64_t)number + 1), &quotient, &rest);
  rest.high = (int64_t)number;
  return rest;
}

/* Unknowns of ours that are short and always widened with zeros: they are not negative. */
static bool is_only_widened(const char *name) {
  static const char *const names[] = {"local ",   "local size ", "group ",      "groups ",
                                      "_global!", "_product!",   "_iterations!"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strncmp(name, names[i], strlen(names[i])) == 0) return true;
  return false;
}

/* A function or an unknown of the same name. */
static entry named(integers *x, const application *a) {
  enum { MOST = 64 };
  const Z3_context c = x->smt->z3;
  Z3_sort sorts[MOST];
  formula list[MOST];
  if (a->count > MOST) return anything(x, a);
  for (unsigned n = 0; n < a->count; n++) {
    list[n] = argument(x, a, n)->made;
    sorts[n] = Z3_get_sort(c, list[n]);
  }
  char name[600];
  const Z3_symbol symbol = Z3_get_decl_name(c, a->decl);
  const bool text = Z3_get_symbol_kind(c, symbol) == Z3_STRING_SYMBOL;
  (void)(text ? snprintf(name, sizeof name, "int %.500s", Z3_get_symbol_string(c, symbol))
              : snprintf(name, sizeof name, "int %d", Z3_get_symbol_int(c, symbol)));
  const Z3_sort sort = a->bits == 0 ? Z3_mk_bool_sort(c) : x->sort;
  const Z3_func_decl f = Z3_mk_func_decl(c, Z3_mk_string_symbol(c, name), a->count, sorts, sort);
  const formula made = Z3_mk_app(c, f, a->count, list);
  if (a->bits == 0) return integers_truth(made);
  if (text && a->count == 0 && a->bits < 63 && is_only_widened(Z3_get_symbol_string(c, symbol))) {
    tell(x, Z3_mk_ge(c, made, constant(x, 0)));
    tell(x, Z3_mk_lt(c, made, power(x, a->bits)));
    return (entry){made, 0, (INT64_C(1) << a->bits) - 1, NULL};
  }
  tell_range(x, made, a->bits);
  return (entry){made, lowest(a->bits), highest(a->bits), NULL};
}

static entry extended(integers *x, const application *a) {
  const unsigned bits = smt_bits(x->smt, part(x, a, 0));
  return a->kind == Z3_OP_SIGN_EXT ? as_signed(x, argument(x, a, 0), bits) : as_unsigned(x, argument(x, a, 0), bits);
}

/* -x, or with all bits the other way round: -1 - x. */
static entry negated(integers *x, const application *a) {
  const int64_t from = a->kind == Z3_OP_BNOT ? -1 : 0;
  const entry *number = argument(x, a, 0);
  const formula made = plus(x, constant(x, from), Z3_mk_unary_minus(x->smt->z3, number->made));
  return in_range(x, made, (double)from - (double)number->high, (double)from - (double)number->low, a->bits);
}

static const struct {
  Z3_decl_kind kind;
  entry (*translate)(integers *x, const application *a);
} rows[] = {
    {Z3_OP_AND, logic},         {Z3_OP_OR, logic},           {Z3_OP_NOT, logic},        {Z3_OP_IMPLIES, logic},
    {Z3_OP_XOR, logic},         {Z3_OP_EQ, logic},           {Z3_OP_IFF, logic},        {Z3_OP_DISTINCT, logic},
    {Z3_OP_ITE, choice},        {Z3_OP_BADD, sum},           {Z3_OP_BSUB, sum},         {Z3_OP_BMUL, product},
    {Z3_OP_BNOT, negated},      {Z3_OP_BNEG, negated},       {Z3_OP_ULEQ, compare},     {Z3_OP_UGEQ, compare},
    {Z3_OP_ULT, compare},       {Z3_OP_UGT, compare},        {Z3_OP_SLEQ, compare},     {Z3_OP_SGEQ, compare},
    {Z3_OP_SLT, compare},       {Z3_OP_SGT, compare},        {Z3_OP_EXTRACT, bits_of},  {Z3_OP_CONCAT, joined},
    {Z3_OP_ZERO_EXT, extended}, {Z3_OP_SIGN_EXT, extended},  {Z3_OP_BUDIV, division},   {Z3_OP_BUREM, division},
    {Z3_OP_BSDIV, division},    {Z3_OP_BSREM, division},     {Z3_OP_BUDIV_I, division}, {Z3_OP_BUREM_I, division},
    {Z3_OP_BSDIV_I, division},  {Z3_OP_BSREM_I, division},   {Z3_OP_BLSHR, division},   {Z3_OP_BASHR, division},
    {Z3_OP_BAND, mask},         {Z3_OP_UNINTERPRETED, named}};

/* One operation, of parts that are translated. */
static entry integers_translate(integers *x, formula f) {
  const Z3_context c = x->smt->z3;
  uint64_t number = 0;
  const unsigned bits = smt_bits(x->smt, f);
  if (f == x->smt->yes || f == x->smt->no) return integers_truth(f);
  if (smt_is_number(x->smt, f, &number)) {
    const bool negative = bits < 64 && (number >> (bits - 1) & 1) != 0;
    const int64_t n = (int64_t)(negative ? number | UINT64_MAX << bits : number);
    return (entry){constant(x, n), n, n, NULL};
  }
  application a = {Z3_to_app(c, f), NULL, Z3_OP_INTERNAL, 0, bits, integers_room(x, f)->when};
  integers_room(x, f)->when = NULL; /* a condition that depends on it says nothing of it */
  if (Z3_get_ast_kind(c, f) != Z3_APP_AST) return anything(x, &a);
  a.decl = Z3_get_app_decl(c, a.app);
  a.kind = Z3_get_decl_kind(c, a.decl);
  a.count = Z3_get_app_num_args(c, a.app);
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (rows[i].kind == a.kind) return rows[i].translate(x, &a);
  return anything(x, &a);
}

static entry *integers_room(integers *x, formula f) {
  const unsigned id = Z3_get_ast_id(x->smt->z3, f);
  if (id >= x->entry_count) x->entries = mem_grow(x->entries, &x->entry_count, (size_t)id + 1, sizeof *x->entries);
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
  if (made == x->smt->yes || made == x->smt->no) return made == x->smt->yes ? 1 : 0;
  if (made != NULL || depth == 0 || Z3_get_ast_kind(c, f) != Z3_APP_AST || smt_bits(x->smt, f) != 0) return -1;
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
  if (Z3_get_decl_kind(c, Z3_get_app_decl(c, app)) != Z3_OP_CONCAT) return 0; /* same: which part is made first */
  for (unsigned n = 0; n + 1 < count; n++) {
    /* same: which part is made first */
    if (!integers_is_sign_of(x, Z3_get_app_arg(c, app, n), Z3_get_app_arg(c, app, count - 1))) return 0;
  }
  return count - 1;
}

static bool is_made(integers *x, formula f) { return integers_room(x, f)->made != NULL; }

static formula integers_made(integers *x, formula f) {
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
    if (known >= 0) integers_know(x, at, known > 0);
    for (unsigned n = parts == 0 ? 0 : first_part(x, Z3_to_app(c, at)); n < parts && !is_made(x, at); n++) {
      const formula p = Z3_get_app_arg(c, Z3_to_app(c, at), n);
      if (!is_made(x, p)) *ARRAY_ADD(todo, count, capacity) = p;
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
  for (; x->told < x->fact_count && made != NULL; x->told++) Z3_solver_assert(x->smt->z3, to, x->facts[x->told]);
  return made;
}
