/* Loads and stores: the components of a vector that are used are accesses of their own. */
#include "verify/lanes.h"
#include "verify/proof.h"

/* --- components --------------------------------------------------------------------------------------------------- */

static const value *moved(proof *p, const value *pointer, int64_t bytes) {
  target *targets = arena_get(p->memory, pointer->count + 1, sizeof *targets);
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
    while (written == NULL && next < LLVMGetVectorSize(vector) && (lanes >> next & 1) != 0) {
      next++;
    }
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
  for (const instruction *i = load + 1; at != NULL && at->block == load->block && i < at; i++) {
    at = i->opcode == LLVMCall || i->opcode == LLVMStore ? NULL : at;
  }
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
  target *targets = arena_get(p->memory, pointer->count + 1, sizeof *targets);
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
      lanes == LANES_ONE && read_at(p, load) == i && !p->only_said[from]) {
    access_one(p, thread, load, variables, LLVMGetOperand(i->value, 1), NULL, enabled, w);
  }
}

/* Accesses to marked components. false: to the whole vector. */
static bool access_marked(proof *p, unsigned thread, const instruction *i, const environment variables,
                          const value *pointer, LLVMTypeRef type, formula enabled, const value *written, walk w) {
  uint32_t lanes = 0;
  if (LLVMGetTypeKind(type) != LLVMVectorTypeKind || pointer->kind != VALUE_POINTER ||
      !lanes_marked(p->kernel->module->context, i->value, &lanes)) {
    return false;
  }
  if (lanes != LANES_ONE) {
    access_lanes(p, thread, i, pointer, type, lanes, enabled, written, w);
    return true;
  }
  const LLVMValueRef one = lanes_one(i->value);
  if (written == NULL || one == NULL) {
    return written == NULL && read_at(p, i) != NULL; /* see execute_component */
  }
  access_one(p, thread, i, variables, LLVMGetOperand(one, 2), LLVMGetOperand(one, 1), enabled, w);
  return true;
}

const value *execute_load_store(proof *p, unsigned thread, const instruction *i, environment variables, formula enabled,
                                walk w) {
  const bool store = i->opcode == LLVMStore;
  w.record = w.record && !p->only_said[kernel_number(p->kernel, i->value)];
  const value *pointer = operand(p, variables, LLVMGetOperand(i->value, store ? 1 : 0));
  const LLVMTypeRef type = LLVMTypeOf(store ? LLVMGetOperand(i->value, 0) : i->value);
  const value *written = store ? operand(p, variables, LLVMGetOperand(i->value, 0)) : NULL;
  if (LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) % 8 != 0) {
    proof_refuse(p, kernel_number(p->kernel, i->value), "a number of %u bits", LLVMGetIntTypeWidth(type));
  }
  if (LLVMGetOrdering(i->value) != LLVMAtomicOrderingNotAtomic) {
    proof_refuse(p, kernel_number(p->kernel, i->value), "an atomic access that is no function of OpenCL C");
  }
  if (!access_marked(p, thread, i, variables, pointer, type, enabled, written, w)) {
    memory_access(p, thread, i, store ? ACCESS_WRITE : ACCESS_READ, pointer, type_bytes(p, type), enabled, written, w);
  }
  return store ? NULL : memory_load(p, thread, i, pointer, type);
}
