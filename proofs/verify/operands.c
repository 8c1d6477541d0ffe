/* Values of LLVM's operands: constants, arguments, addresses, what an instruction gave.
 * Soundness: docs/verify.md, Why it is right, Pointers. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proofs/verify/proof.h"

/* --- products ----------------------------------------------------------------------------------------------------- */

/* Products, quotients and remainders of two unknowns, as a solver of bit-vectors has no use for them: functions of which only
 * what proofs need is said. x * w and y * w with 0 <= x < y are at least w apart; a = (a / w) * w + a % w. This holds as long as
 * nothing overflows: signed numbers must not in C, of the others it is said.
 * Soundness: docs/verify.md, Why it is right, Products. */

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

formula product_of(proof *p, formula a, formula b) {
  if (!p->abstract_products || is_known(p, a) || is_known(p, b)) return smt_multiply(&p->smt, a, b);
  const formula known = find(p, a, b);
  if (known != NULL) return known;
  bool widened = false;
  const unsigned bits = smt_bits(&p->smt, a);
  const unsigned needed = width_of(p, a, &widened) + width_of(p, b, &widened);
  const bool narrow = needed < bits && !widened;
  p->long_products = p->long_products || needed >= bits;
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
  const formula sum = smt_equal(s, a, smt_add(s, product_of(p, quotient, b), rest));
  const formula below = smt_and(s, at_least(p, rest, 0), Z3_mk_bvslt(s->z3, rest, b));
  const formula between = smt_and(s, at_least(p, quotient, 0), Z3_mk_bvsle(s->z3, quotient, a));
  proof_fact(p, smt_implies(s, usual, smt_and(s, sum, smt_and(s, below, between))));
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

/* --- pointers ----------------------------------------------------------------------------------------------------- */

/* Whether two pointers are one: the same for both work-items where these are. */

static bool is_null(const object *o) { return o->kind == OBJECT_NULL; }

/* Whether a launch gave memory for it. */
static bool is_given(const proof *p, const object *o) {
  for (size_t i = 0; i < p->launch->buffer_count; i++) {
    const buffer_given *b = &p->launch->buffers[i];
    if (!b->counted && !b->said && !b->null && strcmp(b->name, o->name) == 0) return true;
  }
  return false;
}

/* An argument may be null, but where a launch gave memory for it. Where something goes wrong for certain it is not, as then
 * a launch needs it. */
static formula null_argument(proof *p, const object *o) {
  char name[200];
  if (o->kind != OBJECT_ARGUMENT || is_given(p, o)) return p->smt.no;
  if (p->turns > 0) {
    p->complete = false;
    return p->smt.no;
  }
  (void)snprintf(name, sizeof name, "null %.160s", o->name);
  return smt_unknown(&p->smt, name, 0);
}

static formula targets_equal(proof *p, const target *x, const target *y) {
  const object *a = &p->objects[x->object], *b = &p->objects[y->object];
  if (a->kind == OBJECT_UNKNOWN || b->kind == OBJECT_UNKNOWN) return smt_fresh(&p->smt, "pointers", 0, true);
  const formula at[] = {offset_number(&p->values, &x->at, 1), offset_number(&p->values, &y->at, 1)};
  if (x->object == y->object || (is_null(a) && is_null(b))) return smt_equal(&p->smt, at[0], at[1]);
  if (is_null(a) || is_null(b)) { /* null and a number: what nobody set, or an address of no object */
    uint64_t number = 0;
    return smt_is_number(&p->smt, at[is_null(a) ? 0 : 1], &number) && number == 0
               ? null_argument(p, is_null(a) ? b : a)
               : smt_fresh(&p->smt, "pointers", 0, true);
  }
  char name[64]; /* whether two objects are one is not known */
  (void)snprintf(name, sizeof name, "equal %u %u", x->object, y->object);
  return smt_apply(&p->smt, name, at, 2, 0, true);
}

formula pointers_equal(proof *p, const value *a, const value *b) {
  formula any = p->smt.no;
  for (size_t i = 0; i < a->count; i++) {
    for (size_t j = 0; j < b->count; j++) {
      const target *x = &a->targets[i], *y = &b->targets[j];
      const formula both = smt_and(&p->smt, x->when, y->when);
      if (both != p->smt.no) any = smt_or(&p->smt, any, smt_and(&p->smt, both, targets_equal(p, x, y)));
    }
  }
  return any;
}

/* --- components --------------------------------------------------------------------------------------------------- */

/* Components of vectors and members of structures: which are taken, and put. */

static const value *extract_element(proof *p, const value *from, formula index) {
  uint64_t number = 0;
  /* form: there are no elements but of vectors */
  if (from->kind != VALUE_LIST) proof_refuse(p, NONE, "an element of what is no vector");
  if (smt_is_number(&p->smt, index, &number) && number < from->count) return from->items[number];
  const value *found = from->items[from->count - 1];
  for (size_t n = from->count - 1; n-- > 0;) {
    const formula here = smt_equal(&p->smt, index, smt_number(&p->smt, n, smt_bits(&p->smt, index)));
    found = value_if(&p->values, here, from->items[n], found);
  }
  return found;
}

/* The component of that number is one that the vector has. */
static void note_component(proof *p, unsigned thread, const instruction *i, LLVMTypeRef vector, formula index,
                           formula enabled, walk w) {
  const uint64_t bytes = type_bytes(p, LLVMGetElementType(vector));
  const formula at = smt_resize(&p->smt, index, ADDRESS_BITS, true);
  uint64_t number = 0;
  if (w.record && enabled != p->smt.no &&
      !(smt_is_number(&p->smt, at, &number) && number < LLVMGetVectorSize(vector))) {
    access *a = mem_arena_array(p->memory, 1, sizeof *a);
    *a = (access){
        .kind = i->opcode == LLVMExtractElement ? ACCESS_READ : ACCESS_WRITE, .thread = thread, .bytes = bytes};
    a->instruction = kernel_number(p->kernel, i->value);
    a->object = OBJECT_VECTOR_NUMBER;
    a->at = a->within = offset_add(&p->values, (offset){0, 0, NULL}, (int64_t)bytes, at);
    a->enabled = enabled;
    a->steps = p->step_count;
    bounds_note_in(p, a, bytes * LLVMGetVectorSize(vector));
  }
}

static const value *insert_element(proof *p, const value *into, const value *what, formula index) {
  const value **items = mem_arena_array(p->memory, into->count + 1, sizeof *items);
  for (size_t n = 0; n < into->count; n++) {
    const formula here = smt_equal(&p->smt, index, smt_number(&p->smt, n, smt_bits(&p->smt, index)));
    items[n] = value_if(&p->values, here, what, into->items[n]);
  }
  return value_list(&p->values, items, into->count);
}

/* A component that nothing was asked for is any number, but as the fourth of three that is there for a store only. */
bool shuffle_is_undefined(LLVMValueRef v) {
  bool undefined = false;
  for (unsigned n = 0; n < LLVMGetNumMaskElements(v); n++) undefined = undefined || LLVMGetMaskValue(v, n) < 0;
  bool stored = true;
  for (LLVMUseRef use = LLVMGetFirstUse(v); use != NULL; use = LLVMGetNextUse(use))
    stored = stored && LLVMIsAStoreInst(LLVMGetUser(use)) != NULL;
  return undefined && !stored;
}

static const value *shuffle(proof *p, LLVMValueRef v, const value *a, const value *b) {
  const bool undefined = shuffle_is_undefined(v);
  const unsigned count = LLVMGetNumMaskElements(v);
  const value **items = mem_arena_array(p->memory, count + 1, sizeof *items);
  for (unsigned n = 0; n < count; n++) {
    const int from = LLVMGetMaskValue(v, n);
    const size_t index = from < 0 ? 0 : (size_t)from;
    items[n] = from < 0 && undefined ? fresh_value(p, LLVMGetElementType(LLVMTypeOf(v)), "undefined", true)
               : index < a->count    ? a->items[index]
                                     : b->items[index - a->count];
  }
  return value_list(&p->values, items, count);
}

static const value *insert_member(proof *p, const value *into, const unsigned *indices, unsigned count,
                                  const value *what) {
  if (count == 0) return what;
  const value **items = mem_arena_array(p->memory, into->count + 1, sizeof *items);
  for (size_t n = 0; n < into->count; n++)
    items[n] = n == indices[0] ? insert_member(p, into->items[n], indices + 1, count - 1, what) : into->items[n];
  return value_list(&p->values, items, into->count);
}

static const value *extract_member(const value *from, const unsigned *indices, unsigned count) {
  for (unsigned n = 0; n < count; n++) from = from->items[indices[n]];
  return from;
}

const value *execute_vector(proof *p, unsigned thread, const instruction *i, environment variables, formula enabled,
                            walk w) {
  const LLVMValueRef v = i->value;
  if (i->opcode == LLVMExtractElement) execute_component(p, thread, i, variables, enabled, w);
  const value *a = operand(p, variables, LLVMGetOperand(v, 0));
  if (i->opcode == LLVMExtractElement || i->opcode == LLVMInsertElement) {
    const LLVMValueRef index = LLVMGetOperand(v, i->opcode == LLVMExtractElement ? 1 : 2);
    note_component(p, thread, i, LLVMTypeOf(LLVMGetOperand(v, 0)), operand_number(p, variables, index), enabled, w);
  }
  switch (i->opcode) {
    case LLVMExtractElement: return extract_element(p, a, operand_number(p, variables, LLVMGetOperand(v, 1)));
    case LLVMInsertElement:
      return insert_element(p, a, operand(p, variables, LLVMGetOperand(v, 1)),
                            operand_number(p, variables, LLVMGetOperand(v, 2)));
    case LLVMShuffleVector: return shuffle(p, v, a, operand(p, variables, LLVMGetOperand(v, 1)));
    case LLVMExtractValue: return extract_member(a, LLVMGetIndices(v), LLVMGetNumIndices(v));
    default:
      return insert_member(p, a, LLVMGetIndices(v), LLVMGetNumIndices(v), operand(p, variables, LLVMGetOperand(v, 1)));
  }
}

/* --- types -------------------------------------------------------------------------------------------------------- */

uint64_t type_bytes(const proof *p, LLVMTypeRef type) {
  return LLVMTypeIsSized(type) == 0 ? 0 : LLVMABISizeOfType(p->kernel->module->layout, type);
}

unsigned type_bits(proof *p, LLVMTypeRef type) {
  switch (LLVMGetTypeKind(type)) {
    case LLVMIntegerTypeKind: {
      const unsigned bits = LLVMGetIntTypeWidth(type);
      return bits == 1 ? 0 : bits;
    }
    case LLVMHalfTypeKind:
    case LLVMFloatTypeKind:
    case LLVMDoubleTypeKind: return (unsigned)type_bytes(p, type) * 8;
    case LLVMBFloatTypeKind:
    case LLVMX86_FP80TypeKind:
    case LLVMFP128TypeKind:
    case LLVMPPC_FP128TypeKind: proof_refuse(p, p->executing, "a type of numbers that is not known");
    default: /* opaque: samplers, events; of several members */ return 8;
  }
}

/* Members of a vector, array or struct; `*element` is the type of the one with that index. */
static size_t type_members(LLVMTypeRef type, size_t index, LLVMTypeRef *element) {
  switch (LLVMGetTypeKind(type)) {
    case LLVMVectorTypeKind: *element = LLVMGetElementType(type); return LLVMGetVectorSize(type);
    case LLVMArrayTypeKind: *element = LLVMGetElementType(type); return LLVMGetArrayLength2(type);
    case LLVMStructTypeKind:
      *element = index < LLVMCountStructElementTypes(type) ? LLVMStructGetTypeAtIndex(type, (unsigned)index) : NULL;
      return LLVMCountStructElementTypes(type);
    default: return 0;
  }
}

static bool is_aggregate(LLVMTypeRef type) {
  const LLVMTypeKind kind = LLVMGetTypeKind(type);
  return kind == LLVMVectorTypeKind || kind == LLVMArrayTypeKind || kind == LLVMStructTypeKind;
}

static formula make_zero(proof *p, void *context, unsigned bits, size_t index) {
  (void)context;
  (void)index;
  return bits == 0 ? p->smt.no : smt_number(&p->smt, 0, bits);
}

/* A pointer of which nothing is said may lead anywhere. */
static const value *make_at(proof *p, LLVMTypeRef type, number_maker make, void *context, size_t *index) {
  if (LLVMGetTypeKind(type) == LLVMPointerTypeKind) {
    return value_pointer(&p->values, make == make_zero ? OBJECT_NULL_NUMBER : OBJECT_UNKNOWN_NUMBER,
                         (offset){0, 0, NULL});
  }
  if (!is_aggregate(type)) return value_number(&p->values, make(p, context, type_bits(p, type), (*index)++));
  LLVMTypeRef element = NULL;
  const size_t count = type_members(type, 0, &element);
  if (count > 4096) proof_refuse(p, NONE, "a value of %zu elements", count); /* limit: of size */
  const value **items = mem_arena_array(p->memory, count + 1, sizeof *items);
  for (size_t i = 0; i < count; i++) {
    (void)type_members(type, i, &element);
    items[i] = make_at(p, element, make, context, index);
  }
  return value_list(&p->values, items, count);
}

const value *make_value(proof *p, LLVMTypeRef type, number_maker make, void *context) {
  size_t index = 0;
  return make_at(p, type, make, context, &index);
}

typedef struct naming {
  const char *name;
  bool abstract;
} naming;

static formula make_fresh(proof *p, void *context, unsigned bits, size_t index) {
  (void)index;
  const naming *n = context;
  return smt_fresh(&p->smt, n->name, bits, n->abstract);
}

const value *fresh_value(proof *p, LLVMTypeRef type, const char *name, bool abstract) {
  char text[48];
  if (p->executing != NONE) /* so that a person can be told where */
    (void)snprintf(text, sizeof text, "%.30s@%u", name, p->executing);
  naming n = {p->executing != NONE ? text : name, abstract};
  return make_value(p, type, make_fresh, &n);
}

/* --- arguments ---------------------------------------------------------------------------------------------------- */

typedef struct argument_maker {
  const char *name;
  const argument_given *given;
  size_t at; /* bytes used so far */
} argument_maker;

/* The next `bits` of what was given. */
static bool next_given(argument_maker *m, unsigned bits, uint64_t *number) {
  const size_t bytes = bits == 0 ? 1 : bits / 8;
  /* form: a launch gives all bytes of an argument */
  if (m->given == NULL || m->at + bytes > m->given->length) return false;
  *number = 0;
  for (size_t i = 0; i < bytes; i++) *number |= (uint64_t)m->given->bytes[m->at + i] << (8 * i);
  m->at += bytes;
  return true;
}

static formula make_argument(proof *p, void *context, unsigned bits, size_t index) {
  argument_maker *m = context;
  uint64_t number = 0;
  if (next_given(m, bits, &number))
    return bits == 0 ? smt_truth(&p->smt, (number & 1) != 0) : smt_number(&p->smt, number, bits);
  char name[256];
  (void)snprintf(name, sizeof name, index == 0 ? "%.200s" : "%.200s#%zu", m->name, index);
  return smt_unknown(&p->smt, name, bits);
}

const value *argument_value(proof *p, uint32_t argument) {
  const LLVMValueRef v = LLVMGetParam(p->kernel->function, argument);
  const uint32_t own = object_of(p, v);
  if (p->objects[own].value == v)
    return value_pointer(&p->values, p->objects[own].null ? 0 : own, (offset){0, 0, NULL});
  argument_maker m = {.name = module_name(v)};
  for (size_t i = 0; i < p->launch->argument_count; i++)
    if (strcmp(p->launch->arguments[i].name, m.name) == 0) m.given = &p->launch->arguments[i];
  const LLVMTypeRef type = LLVMTypeOf(v);
  if (m.given != NULL && (is_aggregate(type) && LLVMGetTypeKind(type) == LLVMStructTypeKind))
    m.given = NULL; /* with holes between members */
  return make_value(p, type, make_argument, &m);
}

/* --- constants ---------------------------------------------------------------------------------------------------- */

/* The bits of a half, of a number that is one. */
static uint64_t half_bits(double number) {
  uint64_t wide = 0;
  memcpy(&wide, &number, sizeof wide);
  const uint64_t sign = wide >> 63 << 15, fraction = wide & ((UINT64_C(1) << 52) - 1);
  const int exponent = (int)(wide >> 52 & 0x7FF) - 1023;
  if (exponent == 1024) /* infinity, no number */
    return sign | 0x7C00 | fraction >> 42;
  if (exponent < -14) /* below the smallest normal one */
    return sign | (exponent < -25 ? 0 : (fraction | UINT64_C(1) << 52) >> (28 - exponent));
  return sign | (uint64_t)(exponent + 15) << 10 | fraction >> 42;
}

/* The bits of a floating-point constant. */
static formula real_constant(proof *p, LLVMValueRef v) {
  LLVMBool lost = 0;
  const double number = LLVMConstRealGetDouble(v, &lost);
  const unsigned bits = type_bits(p, LLVMTypeOf(v));
  uint64_t pattern = 0;
  if (bits == 16) {
    pattern = half_bits(number);
  } else if (bits == 32) {
    const float narrow = (float)number;
    uint32_t small = 0;
    memcpy(&small, &narrow, sizeof small);
    pattern = small;
  } else {
    memcpy(&pattern, &number, sizeof pattern);
  }
  return smt_number(&p->smt, pattern, bits);
}

static const value *integer_constant(proof *p, LLVMValueRef v) {
  const unsigned bits = type_bits(p, LLVMTypeOf(v));
  /* form: constants of the language have at most 64 bits */
  if (bits > 64) return fresh_value(p, LLVMTypeOf(v), "wide", true);
  const uint64_t number = LLVMConstIntGetZExtValue(v);
  return value_number(&p->values,
                      bits == 0 ? smt_truth(&p->smt, (number & 1) != 0) : smt_number(&p->smt, number, bits));
}

static const value *list_constant(proof *p, LLVMValueRef v) {
  LLVMTypeRef element = NULL;
  const size_t count = type_members(LLVMTypeOf(v), 0, &element);
  const value **items = mem_arena_array(p->memory, count + 1, sizeof *items);
  for (size_t i = 0; i < count; i++) items[i] = constant_value(p, LLVMGetAggregateElement(v, (unsigned)i));
  return value_list(&p->values, items, count);
}

static const value *expression_constant(proof *p, LLVMValueRef v) {
  switch (LLVMGetConstOpcode(v)) {
    case LLVMGetElementPtr: return address_value(p, NULL, v);
    case LLVMBitCast:
    case LLVMAddrSpaceCast: return constant_value(p, LLVMGetOperand(v, 0));
    default: return fresh_value(p, LLVMTypeOf(v), "constant", true);
  }
}

const value *constant_value(proof *p, LLVMValueRef v) {
  const LLVMTypeRef type = LLVMTypeOf(v);
  if (LLVMIsAConstantInt(v) != NULL) return integer_constant(p, v);
  if (LLVMIsAConstantFP(v) != NULL) return value_number(&p->values, real_constant(p, v));
  if (LLVMIsAGlobalVariable(v) != NULL) return value_pointer(&p->values, object_of(p, v), (offset){0, 0, NULL});
  /* report: what it is called; it is any value, as all that is not known */
  if (LLVMIsUndef(v) != 0) return fresh_value(p, type, "undefined", true);
  if (LLVMIsNull(v) != 0) return make_value(p, type, make_zero, NULL);
  if (LLVMIsAConstantExpr(v) != NULL) return expression_constant(p, v);
  if (is_aggregate(type) && LLVMIsConstant(v) != 0) return list_constant(p, v);
  return fresh_value(p, type, "constant", true);
}

/* --- addresses ---------------------------------------------------------------------------------------------------- */

/* The bytes and terms that a getelementptr adds. */
static offset address_step(proof *p, const environment variables, LLVMValueRef v, offset at) {
  const LLVMTargetDataRef layout = p->kernel->module->layout;
  LLVMTypeRef type = LLVMGetGEPSourceElementType(v);
  for (unsigned i = 1; i < (unsigned)LLVMGetNumOperands(v); i++) {
    const LLVMValueRef index = LLVMGetOperand(v, i);
    if (i > 1 && LLVMGetTypeKind(type) == LLVMStructTypeKind) {
      const unsigned field = (unsigned)LLVMConstIntGetZExtValue(index);
      at = offset_move(&p->values, at, (int64_t)LLVMOffsetOfElement(layout, type, field));
      type = LLVMStructGetTypeAtIndex(type, field);
      continue;
    }
    type = i > 1 ? LLVMGetElementType(type) : type;
    at = offset_add(&p->values, at, (int64_t)type_bytes(p, type),
                    smt_resize(&p->smt, operand_number(p, variables, index), ADDRESS_BITS, true));
  }
  return at;
}

const value *address_value(proof *p, const environment variables, LLVMValueRef v) {
  const value *base = operand(p, variables, LLVMGetOperand(v, 0));
  /* form: there are no vectors of pointers */
  if (base->kind != VALUE_POINTER) proof_refuse(p, kernel_number(p->kernel, v), "a vector of pointers");
  target *targets = mem_arena_array(p->memory, base->count + 1, sizeof *targets);
  for (size_t i = 0; i < base->count; i++) {
    targets[i] = base->targets[i];
    targets[i].at = address_step(p, variables, v, base->targets[i].at);
  }
  return value_targets(&p->values, targets, base->count);
}

const value *operand(proof *p, const environment variables, LLVMValueRef v) {
  const uint32_t number = kernel_number(p->kernel, v);
  if (number == NONE) return constant_value(p, v);
  /* form: what defines a value is executed before what uses it */
  if (variables[number] == NULL) return fresh_value(p, LLVMTypeOf(v), "undefined", true);
  return variables[number];
}

formula operand_number(proof *p, const environment variables, LLVMValueRef v) {
  const value *found = operand(p, variables, v);
  /* form: a number is asked for where the type is one */
  if (found->kind != VALUE_NUMBER) proof_refuse(p, kernel_number(p->kernel, v), "a vector where a number is expected");
  return found->number;
}
