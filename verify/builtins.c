/* Functions of OpenCL C on integers, and those that only move numbers: what they give is computed.
 * Soundness: docs/verify.md, What is understood. */
#include "verify/builtins.h"

#include <string.h>

/* One call, of numbers that are not vectors. */
typedef struct scalar_call {
  const char *name;
  bool is_signed, vector; /* the numbers; elements of vectors */
  unsigned bits;          /* of the result */
  const formula *a;
} scalar_call;

/* --- sums and products of more bits ------------------------------------------------------------------------------------ */

static formula wide(const smt *s, const scalar_call *c, unsigned n, unsigned more) {
  return smt_resize(s, c->a[n], smt_bits(s, c->a[n]) + more, c->is_signed);
}

/* The nearest number that so many bits have; `from` is a signed one. */
static formula saturated(const smt *s, formula from, unsigned bits, bool is_signed) {
  const unsigned all = smt_bits(s, from);
  const formula one = smt_number(s, 1, all);
  const formula ones = smt_apply_binary(s, Z3_mk_bvshl, one, smt_number(s, is_signed ? bits - 1 : bits, all));
  const formula most = smt_subtract(s, ones, one);
  const formula least = is_signed ? smt_subtract(s, smt_number(s, 0, all), ones) : smt_number(s, 0, all);
  const formula above = smt_simplify(s, Z3_mk_bvsgt(s->z3, from, most));
  const formula below = smt_simplify(s, Z3_mk_bvslt(s->z3, from, least));
  return smt_extract(s, smt_if(s, above, most, smt_if(s, below, least, from)), bits - 1, 0);
}

/* x + y + more, halved. */
static formula halved(const smt *s, const scalar_call *c, uint64_t more) {
  const unsigned bits = smt_bits(s, c->a[0]);
  const formula sum = smt_add(s, wide(s, c, 0, 2), wide(s, c, 1, 2));
  return smt_extract(s, smt_add(s, sum, smt_number(s, more, bits + 2)), bits, 1);
}

static formula high_product(const smt *s, const scalar_call *c) {
  const unsigned bits = smt_bits(s, c->a[0]);
  return smt_extract(s, smt_multiply(s, wide(s, c, 0, bits), wide(s, c, 1, bits)), 2 * bits - 1, bits);
}

static formula saturated_product(const smt *s, const scalar_call *c) {
  const unsigned bits = smt_bits(s, c->a[0]), more = bits + 2;
  const formula product = smt_multiply(s, wide(s, c, 0, more), wide(s, c, 1, more));
  return saturated(s, smt_add(s, product, wide(s, c, 2, more)), bits, c->is_signed);
}

static formula saturated_sum(const smt *s, const scalar_call *c, bool minus) {
  const formula x = wide(s, c, 0, 2), y = wide(s, c, 1, 2);
  return saturated(s, minus ? smt_subtract(s, x, y) : smt_add(s, x, y), smt_bits(s, c->a[0]), c->is_signed);
}

static formula distance(const smt *s, const scalar_call *c) {
  const formula x = c->a[0], y = c->a[1];
  const formula more = c->is_signed ? Z3_mk_bvsgt(s->z3, x, y) : Z3_mk_bvugt(s->z3, x, y);
  return smt_if(s, smt_simplify(s, more), smt_subtract(s, x, y), smt_subtract(s, y, x));
}

/* --- bits --------------------------------------------------------------------------------------------------------------- */

static formula bit(const smt *s, formula x, unsigned n) {
  return smt_equal(s, smt_extract(s, x, n, n), smt_number(s, 1, 1));
}

/* How many zeros come before the first one; `trailing`: from the lowest bit on. */
static formula zeros(const smt *s, formula x, bool trailing) {
  const unsigned bits = smt_bits(s, x);
  formula found = smt_number(s, bits, bits);
  for (unsigned n = 0; n < bits; n++) {
    const unsigned at = trailing ? bits - 1 - n : n;
    found = smt_if(s, bit(s, x, at), smt_number(s, bits - 1 - n, bits), found);
  }
  return found;
}

static formula ones(const smt *s, formula x) {
  const unsigned bits = smt_bits(s, x);
  formula sum = smt_number(s, 0, bits);
  for (unsigned n = 0; n < bits; n++) {
    sum = smt_add(s, sum, smt_resize(s, smt_extract(s, x, n, n), bits, false));
  }
  return smt_simplify(s, sum);
}

static formula chosen_bits(const smt *s, const formula *a) {
  const formula first = smt_apply_binary(s, Z3_mk_bvand, a[0], Z3_mk_bvnot(s->z3, a[2]));
  return smt_apply_binary(s, Z3_mk_bvor, first, smt_apply_binary(s, Z3_mk_bvand, a[1], a[2]));
}

static formula selected(const smt *s, const scalar_call *c) {
  const unsigned bits = smt_bits(s, c->a[2]);
  const formula second = c->vector ? bit(s, c->a[2], bits - 1) : smt_differ(s, c->a[2], smt_number(s, 0, bits));
  return smt_if(s, second, c->a[1], c->a[0]);
}

/* --- conversions -------------------------------------------------------------------------------------------------------- */

/* To another integer: convert_uchar_sat. NULL: to something else. */
static formula converted(const smt *s, const scalar_call *c) {
  static const struct {
    const char *name;
    bool is_signed;
  } types[] = {{"char", true}, {"uchar", false}, {"short", true}, {"ushort", false},
               {"int", true},  {"uint", false},  {"long", true},  {"ulong", false}};
  const char *to = c->name + strlen("convert_");
  const size_t length = strspn(to, "abcdefghijklmnopqrstuvwxyz");
  for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
    if (strlen(types[i].name) == length && strncmp(to, types[i].name, length) == 0) {
      return strstr(to, "_sat") == NULL
                 ? smt_resize(s, c->a[0], c->bits, c->is_signed)
                 : saturated(s, smt_resize(s, c->a[0], 66, c->is_signed), c->bits, types[i].is_signed);
    }
  }
  return NULL;
}

/* --- all of them -------------------------------------------------------------------------------------------------------- */

static formula of_one(const smt *s, const scalar_call *c) {
  const char *name = c->name;
  const formula *a = c->a;
  return strcmp(name, "clz") == 0            ? zeros(s, a[0], false)
         : strcmp(name, "ctz") == 0          ? zeros(s, a[0], true)
         : strcmp(name, "popcount") == 0     ? ones(s, a[0])
         : strncmp(name, "convert_", 8) == 0 ? converted(s, c)
                                             : NULL;
}

static formula of_sum(const smt *s, const scalar_call *c) {
  return strcmp(c->name, "hadd") == 0      ? halved(s, c, 0)
         : strcmp(c->name, "rhadd") == 0   ? halved(s, c, 1)
         : strcmp(c->name, "add_sat") == 0 ? saturated_sum(s, c, false)
         : strcmp(c->name, "sub_sat") == 0 ? saturated_sum(s, c, true)
                                           : NULL;
}

static formula of_two(const smt *s, const scalar_call *c) {
  const char *name = c->name;
  const formula *a = c->a;
  if (strcmp(name, "upsample") == 0) {
    return smt_concat(s, a[0], a[1]);
  }
  if (smt_bits(s, a[0]) != smt_bits(s, a[1])) {
    return NULL;
  }
  return strcmp(name, "mul_hi") == 0     ? high_product(s, c)
         : strcmp(name, "abs_diff") == 0 ? distance(s, c)
         : strcmp(name, "rotate") == 0   ? smt_apply_binary(s, Z3_mk_ext_rotate_left, a[0], a[1])
                                         : of_sum(s, c);
}

static formula of_three(const smt *s, const scalar_call *c) {
  const char *name = c->name;
  const unsigned bits = smt_bits(s, c->a[0]);
  if (strcmp(name, "select") == 0 && bits == smt_bits(s, c->a[1])) {
    return selected(s, c);
  }
  if (bits != smt_bits(s, c->a[1]) || bits != smt_bits(s, c->a[2])) {
    return NULL;
  }
  return strcmp(name, "mad_hi") == 0      ? smt_add(s, high_product(s, c), c->a[2])
         : strcmp(name, "mad_sat") == 0   ? saturated_product(s, c)
         : strcmp(name, "bitselect") == 0 ? chosen_bits(s, c->a)
                                          : NULL;
}

/* NULL: it is not computed. */
static formula computed(const smt *s, const scalar_call *c, unsigned count) {
  for (unsigned n = 0; n < count; n++) {
    if (smt_bits(s, c->a[n]) < 8) {
      return NULL;
    }
  }
  const formula made = count == 1 ? of_one(s, c) : count == 2 ? of_two(s, c) : of_three(s, c);
  return made == NULL || smt_bits(s, made) != c->bits ? NULL : made;
}

/* Whether any (all) of the elements have their highest bit set. */
static const value *any_or_all(proof *p, bool all, const value *x, unsigned bits) {
  enum { MOST = 16 };
  formula numbers[MOST], set[MOST];
  const size_t count = value_numbers(&p->values, x, numbers, MOST);
  for (size_t i = 0; i < count && count <= MOST; i++) {
    set[i] = bit(&p->smt, numbers[i], smt_bits(&p->smt, numbers[i]) - 1);
  }
  if (count > MOST) {
    return NULL;
  }
  const formula yes = all ? smt_all(&p->smt, set, count) : smt_any(&p->smt, set, count);
  return value_number(&p->values, smt_resize(&p->smt, yes, bits, false));
}

/* Elements of one or two vectors, by the low bits of numbers. */
static const value *shuffled(proof *p, const value *const *from, unsigned vectors, const value *mask) {
  const smt *s = &p->smt;
  const size_t each = from[0]->count, all = each * vectors;
  if (from[0]->kind != VALUE_LIST || mask->kind != VALUE_LIST || (all & (all - 1)) != 0) {
    return NULL;
  }
  const value **items = arena_get(p->memory, mask->count + 1, sizeof *items);
  for (size_t i = 0; i < mask->count; i++) {
    const formula number = mask->items[i]->number;
    const unsigned bits = smt_bits(s, number);
    const formula at = smt_apply_binary(s, Z3_mk_bvand, number, smt_number(s, all - 1, bits));
    items[i] = from[0]->items[0];
    for (size_t n = 1; n < all; n++) {
      const formula here = smt_equal(s, at, smt_number(s, n, bits));
      items[i] = value_if(&p->values, here, from[n / each]->items[n % each], items[i]);
    }
  }
  return value_list(&p->values, items, mask->count);
}

/* Vectors element by element. */
static const value *each_element(proof *p, scalar_call c, const value *const *arguments, unsigned count) {
  formula numbers[3];
  if (arguments[0]->kind == VALUE_NUMBER) {
    for (unsigned n = 0; n < count; n++) {
      numbers[n] = arguments[n]->number;
    }
    c.a = numbers;
    const formula made = computed(&p->smt, &c, count);
    return made == NULL ? NULL : value_number(&p->values, made);
  }
  const value **items = arena_get(p->memory, arguments[0]->count + 1, sizeof *items);
  c.vector = true;
  for (size_t i = 0; i < arguments[0]->count; i++) {
    const value *parts[3];
    for (unsigned n = 0; n < count; n++) {
      parts[n] = arguments[n]->items[i];
    }
    items[i] = each_element(p, c, parts, count);
    if (items[i] == NULL) {
      return NULL;
    }
  }
  return value_list(&p->values, items, arguments[0]->count);
}

const value *builtin_value(proof *p, const call *c, const value *const *arguments, unsigned count, LLVMTypeRef type) {
  bool real = false;
  const bool is_signed = call_is_signed(c, &real);
  const bool moves = strcmp(c->name, "select") == 0 || strcmp(c->name, "bitselect") == 0;
  const bool shuffles = strcmp(c->name, "shuffle") == 0 || strcmp(c->name, "shuffle2") == 0;
  for (unsigned n = 0; n < count; n++) {
    if (arguments[n]->kind == VALUE_POINTER || (arguments[n]->kind != arguments[0]->kind) ||
        (arguments[n]->count != arguments[0]->count && !shuffles)) {
      return NULL;
    }
  }
  if (shuffles && count == (c->name[7] == '2' ? 3 : 2)) {
    return arguments[0]->count != arguments[count - 2]->count ? NULL
                                                              : shuffled(p, arguments, count - 1, arguments[count - 1]);
  }
  if ((real && !moves) || count == 0 || count > 3 || shuffles) {
    return NULL;
  }
  if (strcmp(c->name, "any") == 0 || strcmp(c->name, "all") == 0) {
    return any_or_all(p, c->name[1] == 'l', arguments[0], type_bits(p, type));
  }
  const LLVMTypeRef element = LLVMGetTypeKind(type) == LLVMVectorTypeKind ? LLVMGetElementType(type) : type;
  return each_element(p, (scalar_call){c->name, is_signed, false, type_bits(p, element), NULL}, arguments, count);
}
