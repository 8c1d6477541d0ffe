/* Formulas, made. */
#include "proofs/verify/smt.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- shifts ------------------------------------------------------------------------------------------------------- */

/* Products by powers of two, as shifts: the solver for bit-vectors tries all values of a number of few bits one by one to multiply
 * it. The simplifier and the integers know more of products, so formulas are made with these.
 * Soundness: docs/verify.md, Why it is right, Shifts. */

static formula *room_for(shifts *x, formula f) {
  const unsigned id = Z3_get_ast_id(x->smt->z3, f);
  if (id >= x->count) x->made = mem_grow(x->made, &x->count, (size_t)id + 1, sizeof *x->made);
  return &x->made[id];
}

static formula rebuilt(const smt *s, formula f, Z3_app app, unsigned count, const formula *parts) {
  if (Z3_get_decl_kind(s->z3, Z3_get_app_decl(s->z3, app)) == Z3_OP_BMUL && count == 2) {
    for (unsigned n = 0; n < 2; n++) {
      /* `parts` are two, and one of them is a power of two: which bit, else 64. */
      uint64_t number = 0;
      const bool power = smt_is_number(s, parts[n], &number) && number != 0 && (number & (number - 1)) == 0;
      const unsigned bit = power ? (unsigned)__builtin_ctzll(number) : 64;
      if (bit < 64) return Z3_mk_bvshl(s->z3, parts[1 - n], smt_number(s, bit, smt_bits(s, parts[1 - n])));
    }
  }
  return Z3_update_term(s->z3, f, count, parts);
}

/* Of parts that are all made. */
static formula remade(shifts *x, formula f, Z3_app app, unsigned count) {
  formula *parts = mem_calloc(count + 1, sizeof *parts);
  for (unsigned n = 0; n < count; n++) parts[n] = *room_for(x, Z3_get_app_arg(x->smt->z3, app, n));
  const formula made = count == 0 ? f : rebuilt(x->smt, f, app, count, parts);
  free(parts);
  return made;
}

formula shifts_of(shifts *x, formula f) {
  const Z3_context c = x->smt->z3;
  formula *todo = NULL;
  size_t count = 0, capacity = 0;
  *ARRAY_ADD(todo, count, capacity) = f;
  while (count > 0) {
    const formula at = todo[count - 1];
    const bool is_app = Z3_get_ast_kind(c, at) == Z3_APP_AST;
    const Z3_app app = is_app ? Z3_to_app(c, at) : NULL;
    const unsigned parts = is_app ? Z3_get_app_num_args(c, app) : 0;
    const size_t before = count;
    for (unsigned n = 0; n < parts && *room_for(x, at) == NULL; n++) {
      const formula part = Z3_get_app_arg(c, app, n);
      if (*room_for(x, part) == NULL) *ARRAY_ADD(todo, count, capacity) = part;
    }
    if (count == before) {
      const formula known = *room_for(x, at), made = known != NULL ? known : is_app ? remade(x, at, app, parts) : at;
      *room_for(x, at) = made;
      count--;
    }
  }
  free(todo);
  return *room_for(x, f);
}

void shifts_free(shifts *x) {
  free(x->made);
  *x = (shifts){0};
}

void smt_open(smt *s) {
  *s = (smt){0};
  Z3_config config = Z3_mk_config();
  s->z3 = Z3_mk_context(config);
  Z3_del_config(config);
  Z3_set_error_handler(s->z3, NULL);
  s->yes = Z3_mk_true(s->z3);
  s->no = Z3_mk_false(s->z3);
}

void smt_close(smt *s) {
  if (s->z3 != NULL) Z3_del_context(s->z3);
  *s = (smt){0};
}

/* --- leaves ------------------------------------------------------------------------------------------------------- */

static Z3_sort sort_of(const smt *s, unsigned bits) {
  return bits == 0 ? Z3_mk_bool_sort(s->z3) : Z3_mk_bv_sort(s->z3, bits);
}

formula smt_truth(const smt *s, bool value) { return value ? s->yes : s->no; }

formula smt_number(const smt *s, uint64_t value, unsigned bits) {
  if (bits > 64) return Z3_mk_zero_ext(s->z3, bits - 64, Z3_mk_unsigned_int64(s->z3, value, sort_of(s, 64)));
  const uint64_t mask = bits == 64 ? UINT64_MAX : ((uint64_t)1 << bits) - 1;
  return Z3_mk_unsigned_int64(s->z3, value & mask, sort_of(s, bits));
}

bool smt_is_number(const smt *s, formula f, uint64_t *value) {
  return Z3_get_ast_kind(s->z3, f) == Z3_NUMERAL_AST && smt_bits(s, f) <= 64 && Z3_get_numeral_uint64(s->z3, f, value);
}

unsigned smt_bits(const smt *s, formula f) {
  const Z3_sort sort = Z3_get_sort(s->z3, f);
  return Z3_get_sort_kind(s->z3, sort) == Z3_BV_SORT ? Z3_get_bv_sort_size(s->z3, sort) : 0;
}

formula smt_unknown(smt *s, const char *name, unsigned bits) {
  return Z3_mk_const(s->z3, Z3_mk_string_symbol(s->z3, name), sort_of(s, bits));
}

/* Names of what is not modelled begin with `?`, those of the rest with `_`, or are the user's. */

formula smt_fresh(smt *s, const char *name, unsigned bits, bool abstract) {
  char text[96];
  (void)snprintf(text, sizeof text, "%c%.80s!%u", abstract ? '?' : '_', name, s->fresh++);
  return smt_unknown(s, text, bits);
}

formula smt_apply(smt *s, const char *name, const formula *arguments, size_t count, unsigned bits, bool abstract) {
  enum { MOST = 64 };
  Z3_sort sorts[MOST];
  const unsigned used = count > MOST ? MOST : (unsigned)count;
  char text[512];
  int length = snprintf(text, sizeof text, "%c%.200s/%u", abstract ? '?' : '_', name, bits);
  for (unsigned i = 0; i < used; i++) {
    sorts[i] = Z3_get_sort(s->z3, arguments[i]);
    length += snprintf(text + length, sizeof text - (size_t)length, "/%u", smt_bits(s, arguments[i]));
    length = length >= (int)sizeof text ? (int)sizeof text - 1 : length;
  }
  const Z3_func_decl f = Z3_mk_func_decl(s->z3, Z3_mk_string_symbol(s->z3, text), used, sorts, sort_of(s, bits));
  return Z3_mk_app(s->z3, f, used, arguments);
}

/* --- what is not modelled ----------------------------------------------------------------------------------------- */

typedef smt_parts walk;

static bool first_time(walk *w, unsigned id) {
  if (w->seen == NULL || w->count * 2 > w->mask) {
    unsigned *old = w->seen;
    const size_t size = old == NULL ? 0 : w->mask + 1;
    w->mask = size == 0 ? 255 : size * 2 - 1;
    w->seen = mem_calloc(w->mask + 1, sizeof *w->seen);
    w->count = 0;
    for (size_t i = 0; i < size; i++)
      if (old[i] != 0) (void)first_time(w, old[i] - 1);
    free(old);
  }
  size_t slot = (id * (size_t)2654435761U) & w->mask;
  while (w->seen[slot] != 0 && w->seen[slot] != id + 1) slot = (slot + 1) & w->mask;
  if (w->seen[slot] != 0) return false; /* same: it is visited again */
  w->seen[slot] = id + 1;
  w->count++;
  return true;
}

/* NULL: it is no unknown and no function of ours. */
static const char *name_of(const smt *s, formula f) {
  const Z3_func_decl d = Z3_get_app_decl(s->z3, Z3_to_app(s->z3, f));
  const Z3_symbol name = Z3_get_decl_kind(s->z3, d) == Z3_OP_UNINTERPRETED ? Z3_get_decl_name(s->z3, d) : NULL;
  return name != NULL && Z3_get_symbol_kind(s->z3, name) == Z3_STRING_SYMBOL ? Z3_get_symbol_string(s->z3, name) : NULL;
}

bool smt_is_abstract(const smt *s, formula f) { return smt_mentions(s, f, "?"); }

/* A part of a formula; true: go no further. */
typedef bool (*visitor)(const smt *s, formula part, void *context);

/* Visits all parts of it that were not visited before. */
static bool visit(const smt *s, walk *w, formula f, visitor each, void *context) {
  formula *todo = NULL;
  size_t count = 0, capacity = 0;
  bool found = false;
  *ARRAY_ADD(todo, count, capacity) = f;
  while (count > 0 && !found) {
    const formula at = todo[--count];
    if (Z3_get_ast_kind(s->z3, at) != Z3_APP_AST || !first_time(w, Z3_get_ast_id(s->z3, at))) continue;
    found = each(s, at, context);
    const Z3_app app = Z3_to_app(s->z3, at);
    for (unsigned i = 0; i < Z3_get_app_num_args(s->z3, app); i++)
      *ARRAY_ADD(todo, count, capacity) = Z3_get_app_arg(s->z3, app, i);
  }
  free(todo);
  return found;
}

static bool has_name(const smt *s, formula part, void *context) {
  const char *name = name_of(s, part), *beginning = context;
  return name != NULL && strncmp(name, beginning, strlen(beginning)) == 0;
}

bool smt_mentions(const smt *s, formula f, const char *beginning) {
  walk w = {0};
  char text[32];
  (void)snprintf(text, sizeof text, "%s", beginning);
  const bool found = visit(s, &w, f, has_name, text);
  smt_parts_free(&w);
  return found;
}

static bool go_on(const smt *s, formula part, void *context) {
  (void)s, (void)part, (void)context;
  return false;
}

void smt_parts_add(const smt *s, smt_parts *parts, formula f) { (void)visit(s, parts, f, go_on, NULL); }

typedef struct teller {
  void (*each)(void *context, const char *name);
  void *context;
} teller;

static bool tell(const smt *s, formula part, void *context) {
  const teller *to = context;
  const char *name = name_of(s, part);
  if (name != NULL && name[0] == '?') {
    char copy[512]; /* the solver keeps a name only until the next */
    (void)snprintf(copy, sizeof copy, "%s", name + 1);
    to->each(to->context, copy);
  }
  return false;
}

void smt_each_abstract(const smt *s, smt_parts *seen, formula f, void (*each)(void *context, const char *name),
                       void *context) {
  teller to = {each, context};
  (void)visit(s, seen, f, tell, &to);
}

bool smt_parts_have(const smt *s, const smt_parts *parts, formula f) {
  const unsigned id = Z3_get_ast_id(s->z3, f);
  size_t slot = (id * (size_t)2654435761U) & parts->mask;
  while (parts->seen != NULL && parts->seen[slot] != 0 && parts->seen[slot] != id + 1) slot = (slot + 1) & parts->mask;
  return parts->seen != NULL && parts->seen[slot] != 0;
}

void smt_parts_free(smt_parts *parts) {
  free(parts->seen);
  *parts = (smt_parts){0};
}

/* --- truth values ------------------------------------------------------------------------------------------------- */

formula smt_not(const smt *s, formula a) {
  if (a == s->yes || a == s->no) return a == s->yes ? s->no : s->yes;
  if (Z3_get_ast_kind(s->z3, a) == Z3_APP_AST) {
    const Z3_app app = Z3_to_app(s->z3, a);
    if (Z3_get_decl_kind(s->z3, Z3_get_app_decl(s->z3, app)) == Z3_OP_NOT) return Z3_get_app_arg(s->z3, app, 0);
  }
  return Z3_mk_not(s->z3, a);
}

formula smt_and(const smt *s, formula a, formula b) {
  if (a == s->no || b == s->no) return s->no; /* same: a formula that is longer */
  if (a == s->yes || a == b) return b;
  if (b == s->yes) return a;
  if (smt_not(s, a) == b) return s->no; /* same: a formula that is longer */
  const formula both[] = {a, b};
  return Z3_mk_and(s->z3, 2, both);
}

formula smt_or(const smt *s, formula a, formula b) {
  if (a == s->yes || b == s->yes) return s->yes;
  if (a == s->no || a == b) return b;
  if (b == s->no) return a;
  if (smt_not(s, a) == b) return s->yes;
  const formula both[] = {a, b};
  return Z3_mk_or(s->z3, 2, both);
}

formula smt_implies(const smt *s, formula a, formula b) { return smt_or(s, smt_not(s, a), b); }

formula smt_any(const smt *s, const formula *list, size_t count) {
  return count == 0 ? s->no : count == 1 ? list[0] : Z3_mk_or(s->z3, (unsigned)count, list);
}

formula smt_all(const smt *s, const formula *list, size_t count) {
  return count == 0 ? s->yes : count == 1 ? list[0] : Z3_mk_and(s->z3, (unsigned)count, list);
}

formula smt_if(const smt *s, formula condition, formula yes, formula no) {
  if (condition == s->yes || yes == no) return yes;
  if (condition == s->no) return no;
  if (yes == s->yes || no == s->no) return yes == s->yes ? smt_or(s, condition, no) : smt_and(s, condition, yes);
  if (yes == s->no || no == s->yes)
    return yes == s->no ? smt_and(s, smt_not(s, condition), no) : smt_or(s, smt_not(s, condition), yes);
  return Z3_mk_ite(s->z3, condition, yes, no);
}

/* What is widened, by its sign or by zeros (`kind`); NULL: it is not. */
static formula widened(const smt *s, formula f, Z3_decl_kind *kind) {
  const Z3_app app = Z3_get_ast_kind(s->z3, f) == Z3_APP_AST ? Z3_to_app(s->z3, f) : NULL;
  *kind = app == NULL ? Z3_OP_INTERNAL : Z3_get_decl_kind(s->z3, Z3_get_app_decl(s->z3, app));
  return *kind == Z3_OP_SIGN_EXT || *kind == Z3_OP_ZERO_EXT ? Z3_get_app_arg(s->z3, app, 0) : NULL;
}

/* Numbers of as many bits that are widened alike are equal where they were before: the simplifier would compare their signs, too. */
static bool compare_narrow(const smt *s, formula *a, formula *b) {
  Z3_decl_kind left = Z3_OP_INTERNAL, right = Z3_OP_INTERNAL;
  const formula x = widened(s, *a, &left), y = widened(s, *b, &right);
  const bool alike = x != NULL && y != NULL && left == right && smt_bits(s, x) == smt_bits(s, y);
  *a = alike ? x : *a;
  *b = alike ? y : *b;
  return alike;
}

formula smt_equal(const smt *s, formula a, formula b) {
  uint64_t x = 0, y = 0;
  while (smt_bits(s, a) != 0 && compare_narrow(s, &a, &b)) {
  }
  if (a == b) return s->yes;
  if (smt_bits(s, a) == 0) {
    if (a == s->yes || b == s->yes) return a == s->yes ? b : a;
    if (a == s->no || b == s->no) return smt_not(s, a == s->no ? b : a);
  } else if (smt_is_number(s, a, &x) && smt_is_number(s, b, &y)) {
    return smt_truth(s, x == y);
  }
  return Z3_mk_eq(s->z3, a, b);
}

formula smt_differ(const smt *s, formula a, formula b) { return smt_not(s, smt_equal(s, a, b)); }

/* --- numbers ------------------------------------------------------------------------------------------------------ */

formula smt_add(const smt *s, formula a, formula b) {
  uint64_t x = 0, y = 0;
  const bool know_a = smt_is_number(s, a, &x), know_b = smt_is_number(s, b, &y);
  if (know_a && know_b) return smt_number(s, x + y, smt_bits(s, a));
  if (know_a && x == 0) return b;
  return know_b && y == 0 ? a : Z3_mk_bvadd(s->z3, a, b);
}

formula smt_subtract(const smt *s, formula a, formula b) {
  uint64_t x = 0, y = 0;
  if (a == b) return smt_number(s, 0, smt_bits(s, a));
  const bool know_a = smt_is_number(s, a, &x), know_b = smt_is_number(s, b, &y);
  if (know_a && know_b) return smt_number(s, x - y, smt_bits(s, a));
  return know_b && y == 0 ? a : Z3_mk_bvsub(s->z3, a, b);
}

formula smt_multiply(const smt *s, formula a, formula b) {
  uint64_t x = 0, y = 0;
  const bool know_a = smt_is_number(s, a, &x), know_b = smt_is_number(s, b, &y);
  if (know_a && know_b) return smt_number(s, x * y, smt_bits(s, a));
  if ((know_a && x == 0) || (know_b && y == 1)) return a;
  if ((know_b && y == 0) || (know_a && x == 1)) return b;
  return Z3_mk_bvmul(s->z3, a, b);
}

formula smt_apply_binary(const smt *s, smt_binary make, formula a, formula b) {
  uint64_t x = 0, y = 0;
  const formula made = make(s->z3, a, b);
  return smt_is_number(s, a, &x) && smt_is_number(s, b, &y) ? Z3_simplify(s->z3, made) : made;
}

formula smt_extract(const smt *s, formula a, unsigned high, unsigned low) {
  uint64_t value = 0;
  if (low == 0 && high + 1 == smt_bits(s, a)) return a;
  if (smt_is_number(s, a, &value)) return smt_number(s, value >> low, high - low + 1);
  return Z3_mk_extract(s->z3, high, low, a);
}

formula smt_concat(const smt *s, formula high, formula low) { return Z3_mk_concat(s->z3, high, low); }

formula smt_resize(const smt *s, formula a, unsigned bits, bool is_signed) {
  const unsigned now = smt_bits(s, a);
  uint64_t value = 0;
  if (now == 0) {
    const formula one = smt_number(s, is_signed ? UINT64_MAX : 1, bits);
    return bits == 0 ? a : smt_if(s, a, one, smt_number(s, 0, bits));
  }
  if (bits == 0) return smt_equal(s, smt_extract(s, a, 0, 0), smt_number(s, 1, 1));
  if (bits <= now) return smt_extract(s, a, bits - 1, 0);
  if (bits <= 64 && smt_is_number(s, a, &value)) {
    const bool negative = is_signed && (value >> (now - 1) & 1) != 0;
    return smt_number(s, negative ? value | ~(((uint64_t)1 << (now - 1)) - 1) : value, bits);
  }
  return is_signed ? Z3_mk_sign_ext(s->z3, bits - now, a) : Z3_mk_zero_ext(s->z3, bits - now, a);
}

formula smt_simplify(const smt *s, formula a) { return Z3_simplify(s->z3, a); }

/* --- widths that numbers need -------------------------------------------------------------------------------------------- */

static unsigned bits_needed(const smt *s, formula f, unsigned depth);

static unsigned literal_bits(uint64_t size) { return size == 0 ? 1 : 65 - (unsigned)__builtin_clzll(size); }

/* Of an operation its first operand decides about; 0: it is another. */
static unsigned extended_bits(const smt *s, Z3_app app, Z3_decl_kind kind, unsigned all, unsigned depth) {
  const Z3_context c = s->z3;
  if (kind != Z3_OP_SIGN_EXT && kind != Z3_OP_ZERO_EXT && kind != Z3_OP_CONCAT && kind != Z3_OP_BASHR) return 0;
  const formula first = Z3_get_app_arg(c, app, 0);
  uint64_t number = 0;
  const bool known = smt_is_number(s, first, &number);
  if (kind == Z3_OP_SIGN_EXT) return smt_bits(s, first);
  if (kind == Z3_OP_ZERO_EXT) return known ? literal_bits(number) : smt_bits(s, first) + 1;
  if (kind == Z3_OP_CONCAT) return known && number == 0 ? all - smt_bits(s, first) + 1 : 0; /* as Z3 writes it */
  const formula by = smt_simplify(s, smt_resize(s, Z3_get_app_arg(c, app, 1), 64, false));
  const unsigned bits = bits_needed(s, first, depth + 1);
  if (!smt_is_number(s, by, &number)) return bits;
  return number < bits ? bits - (unsigned)number : 1;
}

static unsigned bits_needed(const smt *s, formula f, unsigned depth) {
  enum { MOST = 12 };
  const Z3_context c = s->z3;
  const unsigned all = smt_bits(s, f);
  uint64_t number = 0;
  if (smt_is_number(s, f, &number)) return literal_bits(number >> 63 != 0 && all == 64 ? ~number : number);
  if (Z3_get_ast_kind(c, f) != Z3_APP_AST || depth > MOST) return all;
  const Z3_app app = Z3_to_app(c, f);
  const Z3_decl_kind kind = Z3_get_decl_kind(c, Z3_get_app_decl(c, app));
  const unsigned extended = extended_bits(s, app, kind, all, depth), count = Z3_get_app_num_args(c, app);
  if (extended != 0) return extended;
  if (kind != Z3_OP_ITE && kind != Z3_OP_BADD && kind != Z3_OP_BSUB && kind != Z3_OP_BMUL) return all;
  unsigned most = 0, sum = 0;
  for (unsigned i = kind == Z3_OP_ITE ? 1 : 0; i < count; i++) {
    const unsigned bits = bits_needed(s, Z3_get_app_arg(c, app, i), depth + 1);
    most = bits > most ? bits : most;
    sum += bits;
  }
  const unsigned made = kind == Z3_OP_ITE ? most : kind == Z3_OP_BMUL ? sum : most + count - 1;
  return made < all ? made : all;
}

unsigned smt_bits_needed(const smt *s, formula f) { return bits_needed(s, f, 0); }
