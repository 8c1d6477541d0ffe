/* Components of vectors and members of structures: which are taken, and put. */
#include "verify/proof.h"

static const value *extract_element(proof *p, const value *from, formula index) {
  uint64_t number = 0;
  if (from->kind != VALUE_LIST || from->count == 0) {
    proof_refuse(p, NONE, "an element of what is no vector");
  }
  if (smt_is_number(&p->smt, index, &number) && number < from->count) {
    return from->items[number];
  }
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
    access *a = arena_get(p->memory, 1, sizeof *a);
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
  const value **items = arena_get(p->memory, into->count + 1, sizeof *items);
  for (size_t n = 0; n < into->count; n++) {
    const formula here = smt_equal(&p->smt, index, smt_number(&p->smt, n, smt_bits(&p->smt, index)));
    items[n] = value_if(&p->values, here, what, into->items[n]);
  }
  return value_list(&p->values, items, into->count);
}

static const value *shuffle(proof *p, LLVMValueRef v, const value *a, const value *b) {
  const unsigned count = LLVMGetNumMaskElements(v);
  const value **items = arena_get(p->memory, count + 1, sizeof *items);
  for (unsigned n = 0; n < count; n++) {
    const int from = LLVMGetMaskValue(v, n);
    const size_t index = from < 0 ? 0 : (size_t)from;
    items[n] = index < a->count ? a->items[index] : b->items[index - a->count];
  }
  return value_list(&p->values, items, count);
}

static const value *insert_member(proof *p, const value *into, const unsigned *indices, unsigned count,
                                  const value *what) {
  if (count == 0) {
    return what;
  }
  const value **items = arena_get(p->memory, into->count + 1, sizeof *items);
  for (size_t n = 0; n < into->count; n++) {
    items[n] = n == indices[0] ? insert_member(p, into->items[n], indices + 1, count - 1, what) : into->items[n];
  }
  return value_list(&p->values, items, into->count);
}

static const value *extract_member(const value *from, const unsigned *indices, unsigned count) {
  for (unsigned n = 0; n < count; n++) {
    from = from->items[indices[n]];
  }
  return from;
}

const value *execute_vector(proof *p, unsigned thread, const instruction *i, environment variables, formula enabled,
                            walk w) {
  const LLVMValueRef v = i->value;
  if (i->opcode == LLVMExtractElement) {
    execute_component(p, thread, i, variables, enabled, w);
  }
  const value *a = operand(p, variables, LLVMGetOperand(v, 0));
  if (i->opcode == LLVMExtractElement || i->opcode == LLVMInsertElement) {
    const LLVMValueRef index = LLVMGetOperand(v, i->opcode == LLVMExtractElement ? 1 : 2);
    note_component(p, thread, i, LLVMTypeOf(LLVMGetOperand(v, 0)), operand_number(p, variables, index), enabled, w);
  }
  switch (i->opcode) {
    case LLVMExtractElement:
      return extract_element(p, a, operand_number(p, variables, LLVMGetOperand(v, 1)));
    case LLVMInsertElement:
      return insert_element(p, a, operand(p, variables, LLVMGetOperand(v, 1)),
                            operand_number(p, variables, LLVMGetOperand(v, 2)));
    case LLVMShuffleVector:
      return shuffle(p, v, a, operand(p, variables, LLVMGetOperand(v, 1)));
    case LLVMExtractValue:
      return extract_member(a, LLVMGetIndices(v), LLVMGetNumIndices(v));
    default:
      return insert_member(p, a, LLVMGetIndices(v), LLVMGetNumIndices(v), operand(p, variables, LLVMGetOperand(v, 1)));
  }
}
