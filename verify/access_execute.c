/* Loads and stores, and LLVM's own atomics: the components of a vector that are used are accesses of their own. */
#include "verify/proof.h"

/* --- components --------------------------------------------------------------------------------------------------- */

enum { ALL_LANES = UINT32_MAX };

static bool lane_of(LLVMValueRef index, uint32_t *lane) {
  *lane = LLVMIsAConstantInt(index) == NULL ? ALL_LANES : (uint32_t)LLVMConstIntGetZExtValue(index);
  return *lane < 31;
}

/* The components of a vector that are used of what was read: `v.x = …` reads and writes the whole vector only in LLVM. */
static uint32_t lanes_read(LLVMValueRef load) {
  uint32_t lanes = 0;
  bool used = false;
  for (LLVMUseRef use = LLVMGetFirstUse(load); use != NULL; use = LLVMGetNextUse(use)) {
    const LLVMValueRef user = LLVMGetUser(use);
    uint32_t lane = 0;
    used = true;
    if (LLVMGetInstructionOpcode(user) == LLVMExtractElement && lane_of(LLVMGetOperand(user, 1), &lane)) {
      lanes |= UINT32_C(1) << lane;
    } else if (LLVMGetInstructionOpcode(user) != LLVMInsertElement || LLVMGetOperand(user, 0) != load ||
               !lane_of(LLVMGetOperand(user, 2), &lane)) {
      return ALL_LANES;
    }
  }
  return used ? lanes : ALL_LANES;
}

/* Those that are written: put, one after another, into what was read from the same place. */
static uint32_t lanes_written(LLVMValueRef stored, LLVMValueRef pointer) {
  uint32_t lanes = 0, lane = 0;
  while (LLVMIsAInsertElementInst(stored) != NULL && lane_of(LLVMGetOperand(stored, 2), &lane)) {
    lanes |= UINT32_C(1) << lane;
    stored = LLVMGetOperand(stored, 0);
  }
  return lanes != 0 && LLVMIsALoadInst(stored) != NULL && LLVMGetOperand(stored, 0) == pointer ? lanes : ALL_LANES;
}

static const value *moved(proof *p, const value *pointer, int64_t bytes) {
  target *targets = arena_get(p->memory, pointer->count + 1, sizeof *targets);
  for (size_t i = 0; i < pointer->count; i++) {
    targets[i] = pointer->targets[i];
    targets[i].at = offset_move(&p->values, targets[i].at, bytes);
  }
  return value_targets(&p->values, targets, pointer->count);
}

/* Accesses to some components of a vector. */
static void access_lanes(proof *p, unsigned thread, const instruction *i, access_kind kind, const value *pointer,
                         LLVMTypeRef vector, uint32_t lanes, formula enabled, const value *written, walk w) {
  const uint64_t bytes = type_bytes(p, LLVMGetElementType(vector));
  for (uint32_t lane = 0; lane < LLVMGetVectorSize(vector); lane++) {
    if ((lanes >> lane & 1) != 0) {
      memory_access(p, thread, i, kind, moved(p, pointer, (int64_t)(lane * bytes)), bytes, enabled,
                    written == NULL ? NULL : written->items[lane], w);
    }
  }
}

const value *execute_load_store(proof *p, unsigned thread, const instruction *i, environment variables, formula enabled,
                                walk w) {
  const bool store = i->opcode == LLVMStore;
  w.record = w.record && !p->only_said[kernel_number(p->kernel, i->value)];
  const value *pointer = operand(p, variables, LLVMGetOperand(i->value, store ? 1 : 0));
  const LLVMTypeRef type = LLVMTypeOf(store ? LLVMGetOperand(i->value, 0) : i->value);
  const uint64_t bytes = type_bytes(p, type);
  const value *written = store ? operand(p, variables, LLVMGetOperand(i->value, 0)) : NULL;
  const bool vector = LLVMGetTypeKind(type) == LLVMVectorTypeKind && pointer->kind == VALUE_POINTER;
  const uint32_t lanes = !vector ? ALL_LANES
                         : store ? lanes_written(LLVMGetOperand(i->value, 0), LLVMGetOperand(i->value, 1))
                                 : lanes_read(i->value);
  if (lanes == ALL_LANES) {
    memory_access(p, thread, i, store ? ACCESS_WRITE : ACCESS_READ, pointer, bytes, enabled, written, w);
  } else {
    access_lanes(p, thread, i, store ? ACCESS_WRITE : ACCESS_READ, pointer, type, lanes, enabled, written, w);
  }
  return store ? NULL : memory_load(p, thread, i, pointer, type);
}

const value *execute_atomic(proof *p, unsigned thread, const instruction *i, environment variables, formula enabled,
                            walk w) {
  const LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(i->value, 1));
  memory_access(p, thread, i, ACCESS_ATOMIC, operand(p, variables, LLVMGetOperand(i->value, 0)), type_bytes(p, type),
                enabled, NULL, w);
  return fresh_value(p, LLVMTypeOf(i->value), "atomic", true);
}
