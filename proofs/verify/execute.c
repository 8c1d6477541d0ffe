/* One instruction of LLVM, executed on unknown values for one work-item.
 * Soundness: docs/verify.md, What is known. */
#include <stdio.h>

#include "proofs/verify/proof.h"

/* --- components --------------------------------------------------------------------------------------------------- */

static const value *moved(proof *p, const value *pointer, int64_t bytes) {
  target *targets = mem_arena_array(p->memory, pointer->count + 1, sizeof *targets);
  for (size_t i = 0; i < pointer->count; i++) {
    targets[i] = pointer->targets[i];
    targets[i].at = offset_move(&p->values, targets[i].at, bytes);
  }
  return value_targets(&p->values, targets, pointer->count);
}

/* Accesses to some components of a vector. */
static void access_lanes(proof *p, unsigned thread, const instruction *i, const value *pointer, LLVMTypeRef vector,
                         uint32_t lanes, formula enabled, const value *written, walk w) {
  const access_kind kind = written != NULL ? ACCESS_WRITE : ACCESS_READ;
  const uint64_t bytes = type_bytes(p, LLVMGetElementType(vector));
  for (uint32_t lane = 0; lane < LLVMGetVectorSize(vector); lane++) {
    uint32_t next = lane + 1;
    while (written == NULL && next < LLVMGetVectorSize(vector) && (lanes >> next & 1) != 0) next++;
    if ((lanes >> lane & 1) != 0) { /* those that are read next to each other are read together */
      memory_access(p, thread, i, kind, moved(p, pointer, (int64_t)(lane * bytes)), (next - lane) * bytes, enabled,
                    written == NULL ? NULL : written->items[lane], w);
      lane = next - 1;
    }
  }
}

/* The extractelement of a read of one component, which is then where it is read; its number may be computed after the load.
 * NULL: something that orders accesses may be between. */
static const instruction *read_at(const proof *p, const instruction *load) {
  const LLVMValueRef one = lanes_one(load->value);
  const uint32_t number = one == NULL ? NONE : kernel_number(p->kernel, one);
  const instruction *at = number == NONE ? NULL : kernel_instruction(p->kernel, number);
  for (const instruction *i = load + 1; at != NULL && at->block == load->block && i < at; i++)
    at = i->opcode == LLVMCall || i->opcode == LLVMStore ? NULL : at;
  return at != NULL && at->block == load->block ? at : NULL;
}

/* An access of the load or store to the component of that number. */
static void access_one(proof *p, unsigned thread, const instruction *i, const environment variables,
                       LLVMValueRef lane_number, LLVMValueRef written, formula enabled, walk w) {
  const bool store = i->opcode == LLVMStore;
  const LLVMTypeRef vector = LLVMTypeOf(store ? LLVMGetOperand(i->value, 0) : i->value);
  const value *pointer = operand(p, variables, LLVMGetOperand(i->value, store ? 1 : 0));
  const uint64_t bytes = type_bytes(p, LLVMGetElementType(vector));
  const formula lane = smt_resize(&p->smt, operand_number(p, variables, lane_number), ADDRESS_BITS, true);
  target *targets = mem_arena_array(p->memory, pointer->count + 1, sizeof *targets);
  for (size_t n = 0; n < pointer->count; n++) {
    targets[n] = pointer->targets[n];
    targets[n].at = offset_add(&p->values, targets[n].at, (int64_t)bytes, lane);
  }
  memory_access(p, thread, i, store ? ACCESS_WRITE : ACCESS_READ, value_targets(&p->values, targets, pointer->count),
                bytes, enabled, written == NULL ? NULL : operand(p, variables, written), w);
}

void execute_component(proof *p, unsigned thread, const instruction *i, const environment variables, formula enabled,
                       walk w) {
  const uint32_t from = kernel_number(p->kernel, LLVMGetOperand(i->value, 0));
  const instruction *load = from == NONE ? NULL : kernel_instruction(p->kernel, from);
  uint32_t lanes = 0;
  if (load != NULL && load->opcode == LLVMLoad && lanes_marked(p->kernel->module->context, load->value, &lanes) &&
      lanes == LANES_ONE && read_at(p, load) == i && !p->only_said[from])
    access_one(p, thread, load, variables, LLVMGetOperand(i->value, 1), NULL, enabled, w);
}

/* Accesses to marked components. false: to the whole vector. */
static bool access_marked(proof *p, unsigned thread, const instruction *i, const environment variables,
                          const value *pointer, LLVMTypeRef type, formula enabled, const value *written, walk w) {
  uint32_t lanes = 0;
  if (!lanes_marked(p->kernel->module->context, i->value, &lanes)) return false;
  if (lanes != LANES_ONE) {
    access_lanes(p, thread, i, pointer, type, lanes, enabled, written, w);
    return true;
  }
  const LLVMValueRef one = lanes_one(i->value);
  if (written == NULL || one == NULL) return written == NULL && read_at(p, i) != NULL; /* see execute_component */
  access_one(p, thread, i, variables, LLVMGetOperand(one, 2), LLVMGetOperand(one, 1), enabled, w);
  return true;
}

static const value *execute_load_store(proof *p, unsigned thread, const instruction *i, environment variables,
                                       formula enabled, walk w) {
  const bool store = i->opcode == LLVMStore;
  w.record = w.record && !p->only_said[kernel_number(p->kernel, i->value)];
  const value *pointer = operand(p, variables, LLVMGetOperand(i->value, store ? 1 : 0));
  const LLVMTypeRef type = LLVMTypeOf(store ? LLVMGetOperand(i->value, 0) : i->value);
  const value *written = store ? operand(p, variables, LLVMGetOperand(i->value, 0)) : NULL;
  /* form: clang stores whole bytes, of numbers of any width */
  if (LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) % 8 != 0)
    proof_refuse(p, kernel_number(p->kernel, i->value), "a number of %u bits", LLVMGetIntTypeWidth(type));
  if (LLVMGetOrdering(i->value) != LLVMAtomicOrderingNotAtomic)
    proof_refuse(p, kernel_number(p->kernel, i->value), "an atomic access that is no function of OpenCL C");
  const uint64_t bytes = /* of a bit-field: 3, of 24 bits */
      LLVMGetTypeKind(type) == LLVMIntegerTypeKind ? LLVMGetIntTypeWidth(type) / 8 : type_bytes(p, type);
  if (!access_marked(p, thread, i, variables, pointer, type, enabled, written, w))
    memory_access(p, thread, i, store ? ACCESS_WRITE : ACCESS_READ, pointer, bytes, enabled, written, w);
  return store ? NULL : memory_load(p, thread, i, pointer, type);
}

/* --- number by number --------------------------------------------------------------------------------------------- */

/* What is done with a number, or with two. */
typedef formula (*number_work)(proof *p, const void *context, formula a, formula b);

static const value *each(proof *p, number_work work, const void *context, const value *a, const value *b) {
  if (a->kind == VALUE_NUMBER && (b == NULL || b->kind == VALUE_NUMBER))
    return value_number(&p->values, work(p, context, a->number, b == NULL ? NULL : b->number));
  /* form: there is no arithmetic with pointers, and both operands of one have one type */
  if (a->kind != VALUE_LIST || (b != NULL && (b->kind != VALUE_LIST || b->count != a->count)))
    proof_refuse(p, NONE, "arithmetic with pointers");
  const value **items = mem_arena_array(p->memory, a->count + 1, sizeof *items);
  for (size_t i = 0; i < a->count; i++) items[i] = each(p, work, context, a->items[i], b == NULL ? NULL : b->items[i]);
  return value_list(&p->values, items, a->count);
}

/* --- arithmetic --------------------------------------------------------------------------------------------------- */

static formula truth_arithmetic(proof *p, LLVMOpcode opcode, formula a, formula b) {
  const smt *s = &p->smt;
  switch (opcode) {
    case LLVMAnd:
    case LLVMMul: return smt_and(s, a, b);
    case LLVMOr: return smt_or(s, a, b);
    default: return smt_differ(s, a, b);
  }
}

static smt_binary binary_of(LLVMOpcode opcode) {
  switch (opcode) {
    case LLVMUDiv: return Z3_mk_bvudiv;
    case LLVMSDiv: return Z3_mk_bvsdiv;
    case LLVMURem: return Z3_mk_bvurem;
    case LLVMSRem: return Z3_mk_bvsrem;
    case LLVMShl: return Z3_mk_bvshl;
    case LLVMLShr: return Z3_mk_bvlshr;
    case LLVMAShr: return Z3_mk_bvashr;
    case LLVMAnd: return Z3_mk_bvand;
    case LLVMOr: return Z3_mk_bvor;
    default: return Z3_mk_bvxor;
  }
}

typedef struct operation {
  LLVMOpcode opcode;
  bool is_signed; /* and so must not overflow */
  formula enabled;
} operation;

/* What holds where C says that a signed number does not overflow. */
static void note_overflow(proof *p, const operation *o, formula a, formula b) {
  const Z3_context c = p->smt.z3;
  uint64_t x = 0, y = 0;
  const bool a_known = smt_is_number(&p->smt, a, &x), b_known = smt_is_number(&p->smt, b, &y);
  const bool sizes = (o->opcode == LLVMMul && !a_known && !b_known) ||
                     (o->opcode == LLVMAdd && (product_is(p, a) || product_is(p, b)));
  if (smt_bits(&p->smt, a) < 32 || o->enabled == p->smt.no || (a_known && b_known) || (!o->is_signed && !sizes)) return;
  formula fits = NULL;
  const bool exact = !p->abstract_products || a_known || b_known;
  if (o->opcode == LLVMMul && !exact) return;
  if (!o->is_signed) /* sizes that no memory has */
    fits = o->opcode == LLVMAdd ? Z3_mk_bvadd_no_overflow(c, a, b, false) : Z3_mk_bvmul_no_overflow(c, a, b, false);
  else if (o->opcode == LLVMAdd)
    fits = smt_and(&p->smt, Z3_mk_bvadd_no_overflow(c, a, b, true), Z3_mk_bvadd_no_underflow(c, a, b));
  else if (o->opcode == LLVMSub)
    fits = smt_and(&p->smt, Z3_mk_bvsub_no_overflow(c, a, b), Z3_mk_bvsub_no_underflow(c, a, b, true));
  else if (o->opcode == LLVMMul)
    fits = smt_and(&p->smt, Z3_mk_bvmul_no_overflow(c, a, b, true), Z3_mk_bvmul_no_underflow(c, a, b));
  else
    return;
  exclude_execution(p, o->enabled, fits, o->is_signed, false);
}

/* The same for integers.c. */
static formula note_exact(proof *p, const operation *o, formula a, formula b, formula result) {
  const bool size = product_is(p, a) || product_is(p, b);
  uint64_t number = 0;
  if (p->abstract_products && (o->is_signed || size) && smt_bits(&p->smt, result) >= 32 && o->enabled != p->smt.no &&
      !product_is(p, result) && !smt_is_number(&p->smt, result, &number) && result != a && result != b)
    *ARRAY_ADD(p->exact, p->exact_count, p->exact_capacity) = (exact_number){result, o->enabled};
  return result;
}

static formula arithmetic(proof *p, const void *context, formula a, formula b) {
  const smt *s = &p->smt;
  const operation *o = context;
  const LLVMOpcode opcode = o->opcode;
  uint64_t by = 0;
  if (smt_bits(s, a) == 0) return truth_arithmetic(p, opcode, a, b);
  note_overflow(p, o, a, b);
  switch (opcode) {
    case LLVMAdd: return note_exact(p, o, a, b, smt_add(s, a, b));
    case LLVMSub: return note_exact(p, o, a, b, smt_subtract(s, a, b));
    case LLVMMul: return note_exact(p, o, a, b, product_of(p, a, b));
    case LLVMUDiv:
    case LLVMURem:
    case LLVMSDiv:
    case LLVMSRem: return divided(p, opcode, a, b, o->enabled);
    case LLVMShl: /* a product says more about addresses */
      return smt_is_number(s, b, &by) && by < smt_bits(s, a) && by < 63
                 ? smt_multiply(s, a, smt_number(s, (uint64_t)1 << by, smt_bits(s, a)))
                 : smt_apply_binary(s, Z3_mk_bvshl, a, b);
    default: return smt_apply_binary(s, binary_of(opcode), a, b);
  }
}

/* --- comparisons -------------------------------------------------------------------------------------------------- */

typedef Z3_ast (*comparison)(Z3_context, Z3_ast, Z3_ast);

static comparison comparison_of(LLVMIntPredicate predicate) {
  switch (predicate) {
    case LLVMIntUGT: return Z3_mk_bvugt;
    case LLVMIntUGE: return Z3_mk_bvuge;
    case LLVMIntULT: return Z3_mk_bvult;
    case LLVMIntULE: return Z3_mk_bvule;
    case LLVMIntSGT: return Z3_mk_bvsgt;
    case LLVMIntSGE: return Z3_mk_bvsge;
    case LLVMIntSLT: return Z3_mk_bvslt;
    default: return Z3_mk_bvsle;
  }
}

static formula compare(proof *p, const void *context, formula a, formula b) {
  const LLVMIntPredicate predicate = *(const LLVMIntPredicate *)context;
  const smt *s = &p->smt;
  uint64_t x = 0, y = 0;
  if (predicate == LLVMIntEQ || predicate == LLVMIntNE)
    return predicate == LLVMIntEQ ? smt_equal(s, a, b) : smt_differ(s, a, b);
  if (smt_bits(s, a) == 0) {
    a = smt_resize(s, a, 1, false);
    b = smt_resize(s, b, 1, false);
  }
  const formula made = comparison_of(predicate)(s->z3, a, b);
  return (smt_is_number(s, a, &x) && smt_is_number(s, b, &y)) || a == b ? smt_simplify(s, made) : made;
}

/* Pointers into one object compare as their offsets, which are negative in front of it; which of two objects comes first is not
 * known. */
static const value *compare_pointers(proof *p, const instruction *i, const value *a, const value *b) {
  LLVMIntPredicate predicate = LLVMGetICmpPredicate(i->value);
  const bool both = a->kind == VALUE_POINTER && b->kind == VALUE_POINTER;
  if (both && (predicate == LLVMIntEQ || predicate == LLVMIntNE)) {
    const formula equal = pointers_equal(p, a, b);
    return value_number(&p->values, predicate == LLVMIntEQ ? equal : smt_not(&p->smt, equal));
  }
  if (both && a->count == 1 && b->count == 1) {
    const target *x = &a->targets[0], *y = &b->targets[0];
    if (x->object == y->object) {
      predicate += predicate <= LLVMIntULE ? LLVMIntSGT - LLVMIntUGT : 0;
      const formula left = offset_number(&p->values, &x->at, 1), right = offset_number(&p->values, &y->at, 1);
      return value_number(&p->values, compare(p, &predicate, left, right));
    }
  }
  return fresh_value(p, LLVMTypeOf(i->value), "pointers", true);
}

/* --- conversions -------------------------------------------------------------------------------------------------- */

typedef struct conversion {
  unsigned bits;
  bool is_signed;
} conversion;

static formula convert(proof *p, const void *context, formula a, formula b) {
  (void)b;
  const conversion *c = context;
  return smt_resize(&p->smt, a, c->bits, c->is_signed);
}

static LLVMTypeRef element_type(LLVMTypeRef type) {
  return LLVMGetTypeKind(type) == LLVMVectorTypeKind ? LLVMGetElementType(type) : type;
}

typedef struct function_name {
  const char *name;
  unsigned bits;
} function_name;

static formula apply(proof *p, const void *context, formula a, formula b) {
  const function_name *f = context;
  const formula arguments[] = {a, b};
  return smt_apply(&p->smt, f->name, arguments, b == NULL ? 1 : 2, f->bits, true);
}

/* Floating point is not modelled: equal operands give equal results. */
static const value *execute_real(proof *p, unsigned thread, const instruction *i, environment variables,
                                 formula enabled, walk w) {
  (void)thread, (void)enabled, (void)w;
  char name[48];
  const int operands = LLVMGetNumOperands(i->value);
  const int predicate = i->opcode == LLVMFCmp ? (int)LLVMGetFCmpPredicate(i->value) : 0;
  (void)snprintf(name, sizeof name, "real%d.%d", (int)i->opcode, predicate);
  const function_name f = {name, type_bits(p, element_type(LLVMTypeOf(i->value)))};
  return each(p, apply, &f, operand(p, variables, LLVMGetOperand(i->value, 0)),
              operands < 2 ? NULL : operand(p, variables, LLVMGetOperand(i->value, 1)));
}

/* The same bits as another type. */
static const value *bitcast(proof *p, const instruction *i, const value *from) {
  enum { MOST = 64 };
  formula parts[MOST];
  if (from->kind == VALUE_POINTER) return from;
  const size_t count = value_numbers(&p->values, from, parts, MOST);
  const LLVMTypeRef type = LLVMTypeOf(i->value);
  const unsigned bits = type_bits(p, element_type(type));
  /* form: 16 numbers at most, and none is a truth value */
  if (count > MOST || bits == 0 || smt_bits(&p->smt, parts[0]) == 0) return fresh_value(p, type, "bits", true);
  formula all = parts[0];
  for (size_t n = 1; n < count; n++) all = smt_concat(&p->smt, parts[n], all);
  if (LLVMGetTypeKind(type) != LLVMVectorTypeKind) return value_number(&p->values, all);
  const unsigned lanes = LLVMGetVectorSize(type);
  const value **items = mem_arena_array(p->memory, lanes + 1, sizeof *items);
  for (unsigned n = 0; n < lanes; n++)
    items[n] = value_number(&p->values, smt_extract(&p->smt, all, (n + 1) * bits - 1, n * bits));
  return value_list(&p->values, items, lanes);
}

/* --- choosing ------------------------------------------------------------------------------------------------------ */

static const value *select_value(proof *p, const value *condition, const value *yes, const value *no) {
  if (condition->kind == VALUE_NUMBER) return value_if(&p->values, condition->number, yes, no);
  const value **items = mem_arena_array(p->memory, yes->count + 1, sizeof *items);
  for (size_t n = 0; n < yes->count; n++)
    items[n] = value_if(&p->values, condition->items[n]->number, yes->items[n], no->items[n]);
  return value_list(&p->values, items, yes->count);
}

/* --- pointers and memory ------------------------------------------------------------------------------------------ */

/* Memory that each work-item, or group, has of its own lies elsewhere for each. */
static const value *pointer_number(proof *p, unsigned thread, const instruction *i, const value *pointer) {
  if (pointer->kind != VALUE_POINTER || pointer->count != 1 ||
      p->objects[pointer->targets[0].object].kind == OBJECT_UNKNOWN)
    return fresh_value(p, LLVMTypeOf(i->value), "address", true); /* form: a number is made of a pointer */
  char name[64];
  const bool own = object_is_own(p, pointer->targets[0].object);
  (void)snprintf(name, sizeof name, own && thread > 0 ? "?address of other %u" : "?address of %u",
                 pointer->targets[0].object);
  const formula base = smt_unknown(&p->smt, name, ADDRESS_BITS);
  const formula at = smt_add(&p->smt, base, offset_number(&p->values, &pointer->targets[0].at, 1));
  return value_number(&p->values, smt_resize(&p->smt, at, type_bits(p, LLVMTypeOf(i->value)), false));
}

/* --- all of them -------------------------------------------------------------------------------------------------- */

static const value *execute_integer(proof *p, unsigned thread, const instruction *i, environment variables,
                                    formula enabled, walk w) {
  (void)thread, (void)w;
  const value *a = operand(p, variables, LLVMGetOperand(i->value, 0));
  if (i->opcode == LLVMTrunc || i->opcode == LLVMZExt || i->opcode == LLVMSExt) {
    const conversion c = {type_bits(p, element_type(LLVMTypeOf(i->value))), i->opcode == LLVMSExt};
    return each(p, convert, &c, a, NULL);
  }
  const value *b = operand(p, variables, LLVMGetOperand(i->value, 1));
  if (i->opcode != LLVMICmp) {
    const bool wraps = i->opcode == LLVMAdd || i->opcode == LLVMSub || i->opcode == LLVMMul;
    const operation o = {i->opcode, wraps && LLVMGetNSW(i->value) != 0, enabled};
    return each(p, arithmetic, &o, a, b);
  }
  if (a->kind == VALUE_POINTER || b->kind == VALUE_POINTER) return compare_pointers(p, i, a, b);
  const LLVMIntPredicate predicate = LLVMGetICmpPredicate(i->value);
  return each(p, compare, &predicate, a, b);
}

static const value *execute_pointer(proof *p, unsigned thread, const instruction *i, environment variables,
                                    formula enabled, walk w) {
  (void)enabled, (void)w;
  switch (i->opcode) {
    case LLVMGetElementPtr: return address_value(p, variables, i->value);
    case LLVMAlloca: return value_pointer(&p->values, object_of(p, i->value), (offset){0, 0, NULL});
    case LLVMPtrToInt: return pointer_number(p, thread, i, operand(p, variables, LLVMGetOperand(i->value, 0)));
    case LLVMBitCast: return bitcast(p, i, operand(p, variables, LLVMGetOperand(i->value, 0)));
    case LLVMSelect:
      return select_value(p, operand(p, variables, LLVMGetOperand(i->value, 0)),
                          operand(p, variables, LLVMGetOperand(i->value, 1)),
                          operand(p, variables, LLVMGetOperand(i->value, 2)));
    default: return operand(p, variables, LLVMGetOperand(i->value, 0));
  }
}

typedef const value *(*instruction_work)(proof *p, unsigned thread, const instruction *i, environment variables,
                                         formula enabled, walk w);

/* All that it does is done elsewhere, or matters to nobody: a fence orders nothing for others here. */
static const value *nothing(proof *p, unsigned thread, const instruction *i, environment variables, formula enabled,
                            walk w) {
  (void)p, (void)thread, (void)i, (void)variables, (void)enabled, (void)w;
  return NULL;
}

_Noreturn static const value *refused(proof *p, unsigned thread, const instruction *i, environment variables,
                                      formula enabled, walk w) {
  (void)thread, (void)variables, (void)enabled, (void)w;
  proof_refuse(p, kernel_number(p->kernel, i->value),
               i->opcode == LLVMIntToPtr ? "an integer that is made into a pointer"
                                         : "an instruction of LLVM that is not followed (number %d)",
               (int)i->opcode);
}

/* What is known of LLVM's instructions; the tests that show it are of tests/proofs/verify/cases or tests/cases/verify. */
static const struct known {
  LLVMOpcode opcode;
  instruction_work work;
  const char *shown;
} known[] = {
    {LLVMRet, nothing, "control"},
    {LLVMBr, nothing, "control"},     /* see region.c */
    {LLVMSwitch, refused, "control"}, /* passes leave none */
    {LLVMUnreachable, nothing, "unreachable"},
    {LLVMFence, nothing, "refused"},
    {LLVMPHI, refused, "control"}, /* see region.c */
    {LLVMCall, execute_call, "calls_and_types"},
    {LLVMLoad, execute_load_store, "calls_and_types"},
    {LLVMStore, execute_load_store, "calls_and_types"},
    {LLVMAtomicRMW, refused, "refused"}, /* clang drops their scopes */
    {LLVMAtomicCmpXchg, refused, "refused"},
    {LLVMFNeg, execute_real, "function_of_numbers"},
    {LLVMFPToUI, execute_real, "function_of_numbers"},
    {LLVMFPToSI, execute_real, "function_of_numbers"},
    {LLVMUIToFP, execute_real, "function_of_numbers"},
    {LLVMSIToFP, execute_real, "function_of_numbers"},
    {LLVMFPTrunc, execute_real, "function_of_numbers"},
    {LLVMFPExt, execute_real, "function_of_numbers"},
    {LLVMFAdd, execute_real, "function_of_numbers"},
    {LLVMFSub, execute_real, "function_of_numbers"},
    {LLVMFMul, execute_real, "function_of_numbers"},
    {LLVMFDiv, execute_real, "function_of_numbers"},
    {LLVMFRem, execute_real, "function_of_numbers"},
    {LLVMFCmp, execute_real, "function_of_numbers"},
    {LLVMExtractElement, execute_vector, "components"},
    {LLVMInsertElement, execute_vector, "components"},
    {LLVMShuffleVector, execute_vector, "components"},
    {LLVMExtractValue, execute_vector, "calls_and_types"},
    {LLVMInsertValue, execute_vector, "calls_and_types"},
    {LLVMGetElementPtr, execute_pointer, "indices"},
    {LLVMAlloca, execute_pointer, "private"},
    {LLVMPtrToInt, execute_pointer, "calls_and_types"},
    {LLVMIntToPtr, refused, "calls_and_types"},
    {LLVMBitCast, execute_pointer, "calls_and_types"},
    {LLVMAddrSpaceCast, execute_pointer, "calls_and_types"},
    {LLVMFreeze, execute_pointer, "undefined"},
    {LLVMSelect, execute_pointer, "indices"},
    {LLVMAdd, execute_integer, "indices"},
    {LLVMSub, execute_integer, "indices"},
    {LLVMMul, execute_integer, "indices"},
    {LLVMUDiv, execute_integer, "division"},
    {LLVMSDiv, execute_integer, "division"},
    {LLVMURem, execute_integer, "division"},
    {LLVMSRem, execute_integer, "division"},
    {LLVMShl, execute_integer, "indices"},
    {LLVMLShr, execute_integer, "indices"},
    {LLVMAShr, execute_integer, "division_odd"},
    {LLVMAnd, execute_integer, "indices"},
    {LLVMOr, execute_integer, "indices"},
    {LLVMXor, execute_integer, "indices"},
    {LLVMTrunc, execute_integer, "indices"},
    {LLVMZExt, execute_integer, "indices"},
    {LLVMSExt, execute_integer, "indices"},
    {LLVMICmp, execute_integer, "control"},
    /* what no OpenCL C becomes: jumps to computed places, exceptions, lists of arguments */
    {LLVMIndirectBr, refused, "refused"},
    {LLVMCallBr, refused, "refused"},
    {LLVMInvoke, refused, "refused"},
    {LLVMVAArg, refused, "refused"},
    {LLVMResume, refused, "refused"},
    {LLVMLandingPad, refused, "refused"},
    {LLVMCleanupRet, refused, "refused"},
    {LLVMCatchRet, refused, "refused"},
    {LLVMCatchPad, refused, "refused"},
    {LLVMCleanupPad, refused, "refused"},
    {LLVMCatchSwitch, refused, "refused"},
    {LLVMUserOp1, refused, "refused"},
    {LLVMUserOp2, refused, "refused"},
};

static const struct known *known_of(LLVMOpcode opcode) {
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (known[i].opcode == opcode) return &known[i];
  return NULL;
}

const char *execute_shown(LLVMOpcode opcode) {
  const struct known *row = known_of(opcode);
  return row == NULL ? NULL : row->shown;
}

const value *execute(proof *p, unsigned thread, const instruction *i, environment variables, formula enabled, walk w) {
  const struct known *row = known_of(i->opcode);
  return (row == NULL ? refused : row->work)(p, thread, i, variables, enabled, w);
}
