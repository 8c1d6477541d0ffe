/* Values of LLVM's operands: constants, arguments, addresses, what an instruction gave.
 * Soundness: docs/verify.md, Why it is right, Pointers. */
#include <stdio.h>
#include <string.h>

#include "proofs/verify/proof.h"

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
  size_t length = 0;
  argument_maker m = {.name = LLVMGetValueName2(v, &length)};
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

static formula index_number(proof *p, const environment variables, LLVMValueRef v) {
  return smt_resize(&p->smt, operand_number(p, variables, v), ADDRESS_BITS, true);
}

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
    at = offset_add(&p->values, at, (int64_t)type_bytes(p, type), index_number(p, variables, index));
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
