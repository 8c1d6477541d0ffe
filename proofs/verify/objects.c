/* The memory that a kernel knows: its arguments, variables of the program and of the kernel, and which of them it writes;
 * and values, which may point into it.
 * Soundness: docs/verify.md, Why it is right, What is read. */
#include <stdlib.h>
#include <string.h>

#include "proofs/verify/proof.h"

uint32_t object_of(const proof *p, LLVMValueRef v) {
  for (uint32_t i = 0; i < p->object_count; i++)
    if (p->objects[i].value == v && v != NULL) return i;
  return OBJECT_UNKNOWN_NUMBER;
}

offset object_within(proof *p, uint32_t number, offset at) {
  object *o = &p->objects[number];
  if (o->memory != number && p->request->alias && o->distance == NULL)
    o->distance = smt_fresh(&p->smt, "distance", ADDRESS_BITS, false);
  at = offset_move(&p->values, at, o->at);
  return o->distance == NULL ? at : offset_add(&p->values, at, 1, o->distance);
}

bool object_is_shared(const proof *p, uint32_t number) {
  const object *o = &p->objects[number];
  const bool constant_argument = o->space == SPACE_CONSTANT && o->kind == OBJECT_ARGUMENT; /* a buffer, as others */
  return o->space == SPACE_GLOBAL || constant_argument || (o->space == SPACE_LOCAL && p->same_group);
}

bool object_is_own(const proof *p, uint32_t number) {
  const object *o = &p->objects[number];
  return o->kind != OBJECT_NULL && (o->space == SPACE_PRIVATE || (o->space == SPACE_LOCAL && !p->same_group));
}

/* --- where a pointer may point to --------------------------------------------------------------------------------- */

typedef struct found {
  bool *objects; /* by number */
  bool *seen;    /* by value */
} found;

static void find_roots(proof *p, LLVMValueRef v, found *f);

static void find_operand_roots(proof *p, LLVMValueRef v, unsigned first, unsigned count, found *f) {
  for (unsigned i = first; i < count; i++) find_roots(p, LLVMGetOperand(v, i), f);
}

static void find_instruction_roots(proof *p, const instruction *i, found *f) {
  switch (i->opcode) {
    case LLVMGetElementPtr:
    case LLVMBitCast:
    case LLVMAddrSpaceCast:
    case LLVMFreeze: find_operand_roots(p, i->value, 0, 1, f); return;
    case LLVMSelect: find_operand_roots(p, i->value, 1, 3, f); return;
    case LLVMPHI:
      for (unsigned n = 0; n < LLVMCountIncoming(i->value); n++) find_roots(p, LLVMGetIncomingValue(i->value, n), f);
      return;
    case LLVMCall:
      if (i->callee->kind == CALL_MASK) {
        find_operand_roots(p, i->value, 0, 1, f);
        return;
      }
      f->objects[i->callee->kind == CALL_ANY_VALUE ? OBJECT_NULL_NUMBER : OBJECT_UNKNOWN_NUMBER] = true;
      return;
    default: f->objects[OBJECT_UNKNOWN_NUMBER] = true;
  }
}

static void find_roots(proof *p, LLVMValueRef v, found *f) {
  const uint32_t own = object_of(p, v);
  if (own != OBJECT_UNKNOWN_NUMBER) {
    f->objects[own] = true;
    return;
  }
  if (LLVMIsAConstantPointerNull(v) != NULL || LLVMIsUndef(v) != 0 || LLVMIsPoison(v) != 0) {
    f->objects[OBJECT_NULL_NUMBER] = true;
    return;
  }
  if (LLVMIsAConstantExpr(v) != NULL) {
    find_operand_roots(p, v, 0, 1, f);
    return;
  }
  const uint32_t number = kernel_number(p->kernel, v);
  const instruction *i = number == NONE ? NULL : kernel_instruction(p->kernel, number);
  if (i == NULL) {
    f->objects[OBJECT_UNKNOWN_NUMBER] = true;
  } else if (!f->seen[number]) {
    f->seen[number] = true;
    find_instruction_roots(p, i, f);
  }
}

const uint32_t *objects_of(proof *p, LLVMValueRef pointer) {
  const uint32_t number = kernel_number(p->kernel, pointer);
  if (number != NONE && p->pointed[number] != NULL) return p->pointed[number];
  const size_t all = p->kernel->argument_count + p->kernel->instruction_count;
  found f = {mem_calloc(p->object_count, sizeof(bool)), mem_calloc(all + 1, sizeof(bool))};
  find_roots(p, pointer, &f);
  uint32_t *list = mem_arena_array(p->memory, p->object_count + 1, sizeof *list);
  size_t count = 0;
  for (uint32_t i = 0; i < p->object_count; i++)
    if (f.objects[i]) list[count++] = i;
  list[count] = NONE;
  free(f.objects);
  free(f.seen);
  if (number != NONE) p->pointed[number] = list;
  return list;
}

/* --- which are written -------------------------------------------------------------------------------------------- */

static void mark_written(proof *p, LLVMValueRef pointer) {
  for (const uint32_t *o = objects_of(p, pointer); *o != NONE; o++) {
    p->objects[p->objects[*o].memory].written = true;
    p->objects[*o].written = true;
  }
}

/* What a call may write through its pointers. */
static void mark_call(proof *p, const instruction *i) {
  for (unsigned n = 0; n < LLVMGetNumArgOperands(i->value); n++) {
    const LLVMValueRef given = LLVMGetOperand(i->value, n);
    const bool image = i->callee->kind == CALL_WRITE_IMAGE && n == 0;
    const bool pointer = LLVMGetTypeKind(LLVMTypeOf(given)) == LLVMPointerTypeKind;
    if (image || (pointer && call_may_write(i->callee, n))) mark_written(p, given);
  }
}

static void mark_atomic(proof *p, const instruction *i) {
  const bool calls = i->callee != NULL && i->callee->kind == CALL_ATOMIC;
  const unsigned count = calls ? LLVMGetNumArgOperands(i->value) : 1;
  if (!calls && i->opcode != LLVMAtomicRMW && i->opcode != LLVMAtomicCmpXchg) return;
  for (unsigned a = 0; a < count; a++) {
    if (LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(i->value, a))) == LLVMPointerTypeKind)
      for (const uint32_t *o = objects_of(p, LLVMGetOperand(i->value, a)); *o != NONE; o++)
        p->objects[p->objects[*o].memory].atomic = true;
  }
}

static void find_written(proof *p) {
  for (uint32_t n = 0; n < p->kernel->instruction_count; n++) {
    const instruction *i = &p->kernel->instructions[n];
    if (i->opcode == LLVMStore)
      mark_written(p, LLVMGetOperand(i->value, 1));
    else if (i->opcode == LLVMCall)
      mark_call(p, i);
    else if (i->opcode == LLVMAtomicRMW || i->opcode == LLVMAtomicCmpXchg)
      mark_written(p, LLVMGetOperand(i->value, 0));
    mark_atomic(p, i);
  }
  for (uint32_t i = 0; i < p->object_count; i++) { /* what cannot be followed may be any of them */
    object *o = &p->objects[i];
    const bool any = p->objects[OBJECT_UNKNOWN_NUMBER].written && o->space != SPACE_CONSTANT;
    o->written = o->written || any || p->objects[o->memory].written;
  }
  for (uint32_t i = 0; i < p->object_count; i++)
    p->objects[i].written = p->objects[p->objects[i].memory].written || p->objects[i].written;
}

/* --- in which widths they are read ---------------------------------------------------------------------------------- */

unsigned number_width(proof *p, LLVMTypeRef type) {
  const LLVMTypeKind kind = LLVMGetTypeKind(type);
  if (kind == LLVMVectorTypeKind || kind == LLVMArrayTypeKind) return number_width(p, LLVMGetElementType(type));
  return kind == LLVMStructTypeKind ? 0 : type_bits(p, type);
}

/* Of vloadN as of a load; a wait reads events. */
static void find_widths(proof *p) {
  enum { EVENT_BITS = 8 }; /* see type_bits */
  for (uint32_t n = 0; n < p->kernel->instruction_count; n++) {
    const instruction *i = &p->kernel->instructions[n];
    const bool vload = i->callee != NULL && i->callee->kind == CALL_VLOAD;
    const bool waits = i->callee != NULL && i->callee->kind == CALL_ASYNC_WAIT;
    if (i->opcode != LLVMLoad && !vload && !waits) continue;
    const unsigned bits = waits ? EVENT_BITS : number_width(p, LLVMTypeOf(i->value));
    for (const uint32_t *o = objects_of(p, LLVMGetOperand(i->value, i->opcode == LLVMLoad ? 0 : 1)); *o != NONE; o++) {
      object *memory = &p->objects[p->objects[*o].memory];
      const bool packed = i->opcode == LLVMLoad && LLVMGetAlignment(i->value) < bits / 8;
      memory->other_widths =
          memory->other_widths || bits == 0 || packed || (memory->read_bits != 0 && memory->read_bits != bits);
      memory->read_bits = bits;
    }
  }
}

/* --- all of them -------------------------------------------------------------------------------------------------- */

static object *add(proof *p, object o, size_t *capacity) {
  o.memory = p->object_count;
  size_t count = p->object_count;
  object *made = ARRAY_ADD(p->objects, count, *capacity);
  p->object_count = (uint32_t)count;
  *made = o;
  return made;
}

/* A structure that is passed by value lies in private memory. */
static bool is_by_value(const proof *p, uint32_t argument) {
  const unsigned kind = LLVMGetEnumAttributeKindForName("byval", 5);
  return LLVMGetEnumAttributeAtIndex(p->kernel->function, argument + 1, kind) != NULL;
}

static const buffer_given *given_buffer(const proof *p, const char *name) {
  for (size_t i = 0; i < p->launch->buffer_count; i++)
    if (strcmp(p->launch->buffers[i].name, name) == 0) return &p->launch->buffers[i];
  return NULL;
}

/* The size of a buffer of which it is not known how many elements it has: fewer than 2^40. */
static void count_elements(proof *p, object *o, const buffer_given *given) {
  const uint32_t a = kernel_number(p->kernel, o->value);
  const unsigned bytes = assumptions_element_bytes(p->kernel, a);
  if (given != NULL && given->counted && bytes > 0) {
    const formula elements = assumptions_elements(p, o->name);
    const formula most = smt_number(&p->smt, UINT64_C(1) << 40, ADDRESS_BITS);
    proof_fact(p, Z3_mk_bvult(p->smt.z3, elements, most));
    o->size = smt_multiply(&p->smt, elements, smt_number(&p->smt, bytes, ADDRESS_BITS));
  }
}

/* Constant memory that another argument may write is global memory. */
static void share_space(proof *p, uint32_t a, uint32_t b) {
  object *const of[] = {&p->objects[a], &p->objects[b]};
  if (of[0]->space != of[1]->space) of[0]->space = of[1]->space = SPACE_GLOBAL;
}

/* Whether two arguments were given the same memory. What lies where in an image is not known. */
static bool is_one_memory(const object *o, const buffer_given *mine, const object *other, const buffer_given *its) {
  return other->kind == OBJECT_ARGUMENT && its != NULL && !its->local && !its->null && its->memory == mine->memory &&
         other->image == o->image;
}

/* Of several arguments with the same memory the first stands for all. */
static void join_memory(proof *p, uint32_t number) {
  object *o = &p->objects[number];
  const buffer_given *mine = given_buffer(p, o->name);
  const bool alone = mine == NULL || mine->local || mine->null;
  o->bytes = mine == NULL || o->image ? 0 : mine->bytes;
  count_elements(p, o, mine);
  o->null = mine != NULL && mine->null;
  if (alone) return;
  o->contents = &mine->contents;
  for (uint32_t i = 0; i < number && mine->memory >= 0; i++) {
    const object *other = &p->objects[i];
    const buffer_given *its = given_buffer(p, other->name);
    if (is_one_memory(o, mine, other, its)) {
      o->memory = other->memory;
      o->at = mine->offset - its->offset + other->at;
      share_space(p, number, i);
    }
  }
}

/* clang has more spaces than OpenCL C, as opencl_global_device: what they share with others is not known. */
static void refuse_space(proof *p, const object *o) {
  if (o->space > SPACE_GENERIC)
    p->unfit = mem_arena_printf(p->memory, "%s, in an address space that is none of OpenCL C's", o->name);
}

static void add_argument(proof *p, uint32_t a, size_t *capacity) {
  const LLVMValueRef v = LLVMGetParam(p->kernel->function, a);
  const LLVMTypeRef type = LLVMTypeOf(v);
  const bool pointer = LLVMGetTypeKind(type) == LLVMPointerTypeKind;
  if (!pointer && LLVMGetTypeKind(type) != LLVMTargetExtTypeKind) return;
  object o = {.kind = OBJECT_ARGUMENT, .value = v, .name = module_name(v)};
  o.image = !pointer;
  o.space = !pointer ? SPACE_GLOBAL : is_by_value(p, a) ? SPACE_PRIVATE : LLVMGetPointerAddressSpace(type);
  refuse_space(p, &o);
  const uint32_t number = p->object_count;
  (void)add(p, o, capacity);
  if (p->request->alias && (o.space == SPACE_GLOBAL || o.space == SPACE_CONSTANT) && pointer) {
    for (uint32_t i = 0; i < number; i++) {
      const bool buffer = p->objects[i].space == SPACE_GLOBAL || p->objects[i].space == SPACE_CONSTANT;
      if (p->objects[i].kind == OBJECT_ARGUMENT && buffer && !p->objects[i].image) {
        p->objects[number].memory = i;
        break;
      }
    }
  } else {
    join_memory(p, number);
  }
}

void objects_find(proof *p) {
  size_t capacity = 0;
  p->pointed = mem_arena_array(p->memory, (size_t)p->kernel->argument_count + p->kernel->instruction_count + 1,
                               sizeof *p->pointed);
  (void)add(p, (object){.kind = OBJECT_NULL, .name = "a null pointer"}, &capacity);
  (void)add(p, (object){.kind = OBJECT_UNKNOWN, .name = "unknown memory", .space = SPACE_GLOBAL}, &capacity);
  (void)add(p, (object){.kind = OBJECT_PRIVATE, .name = "a vector"}, &capacity);
  for (uint32_t a = 0; a < p->kernel->argument_count; a++) add_argument(p, a, &capacity);
  const LLVMModuleRef m = p->kernel->module->module;
  for (LLVMValueRef g = LLVMGetFirstGlobal(m); g != NULL; g = LLVMGetNextGlobal(g)) {
    const char *name = module_name(g);
    const char *dot = strrchr(name, '.'); /* local arrays are KERNEL.NAME */
    object o = {.kind = OBJECT_VARIABLE, .value = g, .name = dot == NULL || dot[1] == '\0' ? name : dot + 1};
    o.space = LLVMGetPointerAddressSpace(LLVMTypeOf(g));
    o.space = LLVMIsGlobalConstant(g) != 0 ? SPACE_CONSTANT : o.space;
    o.bytes = type_bytes(p, LLVMGlobalGetValueType(g));
    refuse_space(p, &o);
    (void)add(p, o, &capacity);
  }
  for (uint32_t n = 0; n < p->kernel->instruction_count; n++) {
    const instruction *i = &p->kernel->instructions[n];
    if (i->opcode == LLVMAlloca) {
      object o = {.kind = OBJECT_PRIVATE, .value = i->value, .name = "a private variable"};
      const LLVMValueRef count = LLVMGetOperand(i->value, 0); /* unknown: 0 bytes, which is any size */
      o.bytes = type_bytes(p, LLVMGetAllocatedType(i->value)) *
                (LLVMIsAConstantInt(count) == NULL ? 0 : LLVMConstIntGetZExtValue(count));
      (void)add(p, o, &capacity);
    }
  }
  find_written(p);
  find_widths(p);
}

/* --- values ------------------------------------------------------------------------------------------------------- */

/* Making values, and choosing between two.
 * Soundness: docs/verify.md, Why it is right, Pointers. */

const value *value_number(const values *v, formula number) {
  value *made = mem_arena_array(v->memory, 1, sizeof *made);
  *made = (value){.kind = VALUE_NUMBER, .number = number};
  return made;
}

const value *value_list(const values *v, const value *const *items, size_t count) {
  const value **copy = mem_arena_array(v->memory, count + 1, sizeof *copy);
  if (count > 0) memcpy(copy, items, count * sizeof *copy);
  value *made = mem_arena_array(v->memory, 1, sizeof *made);
  *made = (value){.kind = VALUE_LIST, .count = count, .items = copy};
  return made;
}

const value *value_targets(const values *v, const target *targets, size_t count) {
  target *copy = mem_arena_array(v->memory, count + 1, sizeof *copy);
  if (count > 0) memcpy(copy, targets, count * sizeof *copy);
  value *made = mem_arena_array(v->memory, 1, sizeof *made);
  *made = (value){.kind = VALUE_POINTER, .count = count, .targets = copy};
  return made;
}

const value *value_pointer(const values *v, uint32_t number, offset at) {
  const target only = {v->smt->yes, number, at};
  return value_targets(v, &only, 1);
}

/* --- offsets ------------------------------------------------------------------------------------------------------ */

int64_t greatest_divisor(int64_t a, int64_t b) {
  a = a < 0 ? -a : a;
  b = b < 0 ? -b : b;
  while (b != 0) {
    const int64_t rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

offset offset_move(const values *v, offset at, int64_t bytes) {
  (void)v;
  at.constant = (int64_t)((uint64_t)at.constant + (uint64_t)bytes);
  return at;
}

offset offset_add(const values *v, offset at, int64_t stride, formula index) {
  uint64_t number = 0;
  if (stride == 0) return at;
  int64_t bytes = 0; /* else the index stays: far_away() of memory.c looks at it */
  if (smt_is_number(v->smt, index, &number) && !__builtin_mul_overflow((int64_t)number, stride, &bytes))
    return offset_move(v, at, bytes);
  term *terms = mem_arena_array(v->memory, at.count + 1, sizeof *terms);
  if (at.count > 0) memcpy(terms, at.terms, at.count * sizeof *terms);
  size_t i = 0;
  while (i < at.count && terms[i].stride != stride) i++;
  terms[i] = (term){stride, i < at.count ? smt_add(v->smt, terms[i].index, index) : index};
  at.count = i < at.count ? at.count : at.count + 1;
  at.terms = terms;
  return at;
}

formula offset_number(const values *v, const offset *at, int64_t unit) {
  formula sum = smt_number(v->smt, (uint64_t)(at->constant / unit), ADDRESS_BITS);
  for (size_t i = 0; i < at->count; i++) {
    const formula stride = smt_number(v->smt, (uint64_t)(at->terms[i].stride / unit), ADDRESS_BITS);
    sum = smt_add(v->smt, sum, smt_multiply(v->smt, at->terms[i].index, stride));
  }
  return sum;
}

int64_t offset_unit(const offset *at, int64_t unit) {
  unit = greatest_divisor(at->constant, unit);
  for (size_t i = 0; i < at->count; i++) unit = greatest_divisor(at->terms[i].stride, unit);
  return unit;
}

static formula index_of(const values *v, const offset *at, int64_t stride) {
  for (size_t i = 0; i < at->count; i++)
    if (at->terms[i].stride == stride) return at->terms[i].index;
  return smt_number(v->smt, 0, ADDRESS_BITS);
}

/* `yes` where the condition holds, else `no`. */
static offset offset_if(const values *v, formula condition, const offset *yes, const offset *no) {
  offset made = {0, 0, NULL};
  const int64_t strides = yes->constant == no->constant ? 0 : greatest_divisor(yes->constant, no->constant);
  term *terms = mem_arena_array(v->memory, yes->count + no->count + 1, sizeof *terms);
  for (size_t i = 0; i < yes->count + no->count; i++) {
    const int64_t stride = i < yes->count ? yes->terms[i].stride : no->terms[i - yes->count].stride;
    bool known = false;
    for (size_t j = 0; j < made.count; j++) known = known || terms[j].stride == stride;
    if (!known) {
      const formula index = smt_if(v->smt, condition, index_of(v, yes, stride), index_of(v, no, stride));
      terms[made.count++] = (term){stride, index};
    }
  }
  made.terms = terms;
  made.constant = strides == 0 ? yes->constant : 0;
  if (strides != 0) {
    const formula a = smt_number(v->smt, (uint64_t)(yes->constant / strides), ADDRESS_BITS);
    const formula b = smt_number(v->smt, (uint64_t)(no->constant / strides), ADDRESS_BITS);
    made = offset_add(v, made, strides, smt_if(v->smt, condition, a, b));
  }
  return made;
}

/* --- choosing ----------------------------------------------------------------------------------------------------- */

static const value *pointer_if(const values *v, formula condition, const value *yes, const value *no) {
  target *list = mem_arena_array(v->memory, yes->count + no->count + 1, sizeof *list);
  size_t count = 0;
  const formula otherwise = smt_not(v->smt, condition);
  for (size_t i = 0; i < yes->count; i++) {
    list[count] = yes->targets[i];
    list[count++].when = smt_and(v->smt, condition, yes->targets[i].when);
  }
  for (size_t i = 0; i < no->count; i++) {
    const target *t = &no->targets[i];
    const formula when = smt_and(v->smt, otherwise, t->when);
    size_t same = 0;
    while (same < yes->count && list[same].object != t->object) same++;
    if (same == yes->count) {
      list[count] = *t;
      list[count++].when = when;
    } else {
      list[same].at = offset_if(v, list[same].when, &list[same].at, &t->at);
      list[same].when = smt_or(v->smt, list[same].when, when);
    }
  }
  return value_targets(v, list, count);
}

const value *value_if(const values *v, formula condition, const value *yes, const value *no) {
  if (yes == no || condition == v->smt->yes) return yes;
  if (condition == v->smt->no) return no;
  if (yes->kind != no->kind) return yes; /* one is not defined on the way that this one comes from */
  if (yes->kind == VALUE_NUMBER) {
    return smt_bits(v->smt, yes->number) != smt_bits(v->smt, no->number)
               ? yes
               : value_number(v, smt_if(v->smt, condition, yes->number, no->number));
  }
  if (yes->kind == VALUE_POINTER) return pointer_if(v, condition, yes, no);
  const size_t count = yes->count < no->count ? yes->count : no->count;
  const value **items = mem_arena_array(v->memory, count + 1, sizeof *items);
  for (size_t i = 0; i < count; i++) items[i] = value_if(v, condition, yes->items[i], no->items[i]);
  return value_list(v, items, count);
}

size_t value_numbers(const values *v, const value *from, formula *to, size_t room) {
  if (from->kind == VALUE_LIST) {
    size_t count = 0;
    for (size_t i = 0; i < from->count; i++)
      count += value_numbers(v, from->items[i], to + (count < room ? count : room), room > count ? room - count : 0);
    return count;
  }
  if (from->kind == VALUE_NUMBER) {
    if (room > 0) to[0] = from->number;
    return 1;
  }
  for (size_t i = 0; i < from->count; i++) /* a pointer: where it points to, as far as that can be told */
    if (i < room) to[i] = offset_number(v, &from->targets[i].at, 1);
  return from->count;
}
