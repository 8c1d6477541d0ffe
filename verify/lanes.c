/* Marks are metadata of loads and stores, which passes keep.
 * Soundness: docs/verify.md, What is understood. */
#include "verify/lanes.h"

#include <string.h>

static const char kind[] = "cltestcheck.lanes";

static unsigned kind_in(LLVMContextRef context) {
  return LLVMGetMDKindIDInContext(context, kind, (unsigned)strlen(kind));
}

static void put(LLVMContextRef context, LLVMValueRef access, uint32_t lanes) {
  LLVMMetadataRef number = LLVMValueAsMetadata(LLVMConstInt(LLVMInt32TypeInContext(context), lanes, 0));
  const LLVMMetadataRef node = LLVMMDNodeInContext2(context, &number, 1);
  LLVMSetMetadata(access, kind_in(context), LLVMMetadataAsValue(context, node));
}

static uint32_t lane_of(LLVMValueRef index) {
  return LLVMIsAConstantInt(index) == NULL ? LANES_ONE : UINT32_C(1) << (LLVMConstIntGetZExtValue(index) & 15);
}

/* The components of its first operand that a shuffle takes, or those of the result that come from the second. */
static uint32_t shuffled(LLVMValueRef shuffle, bool second) {
  const int width = (int)LLVMGetVectorSize(LLVMTypeOf(LLVMGetOperand(shuffle, 0)));
  uint32_t lanes = 0;
  for (unsigned n = 0; n < LLVMGetNumMaskElements(shuffle); n++) {
    const int from = LLVMGetMaskValue(shuffle, n);
    if (from >= 0 && (from >= width) == second) {
      lanes |= UINT32_C(1) << (second ? n : (unsigned)from);
    }
  }
  return lanes;
}

/* Whether what the shuffle takes of its first operand stays where it was. */
static bool keeps_places(LLVMValueRef shuffle) {
  const unsigned width = LLVMGetVectorSize(LLVMTypeOf(LLVMGetOperand(shuffle, 0)));
  bool keeps = LLVMGetNumMaskElements(shuffle) == width;
  for (unsigned n = 0; n < width && keeps; n++) {
    const int from = LLVMGetMaskValue(shuffle, n);
    keeps = from == (int)n || from >= (int)width;
  }
  return keeps;
}

/* Whether the vector is what is at the pointer but for some components. */
static bool changes_some(LLVMValueRef made, LLVMValueRef pointer, uint32_t *lanes) {
  const bool inserts = LLVMIsAInsertElementInst(made) != NULL;
  const bool shuffles = LLVMIsAShuffleVectorInst(made) != NULL && keeps_places(made);
  const LLVMValueRef from = inserts || shuffles ? LLVMGetOperand(made, 0) : NULL;
  if (from == NULL || LLVMIsALoadInst(from) == NULL || LLVMGetOperand(from, 0) != pointer) {
    return false;
  }
  *lanes = inserts ? lane_of(LLVMGetOperand(made, 2)) : shuffled(made, true);
  return *lanes != 0;
}

/* Whether the load is there for a store of components only. */
static bool is_for_store(LLVMValueRef made, LLVMValueRef pointer) {
  uint32_t lanes = 0;
  const LLVMUseRef use = LLVMGetFirstUse(made);
  const LLVMValueRef user = use == NULL || LLVMGetNextUse(use) != NULL ? NULL : LLVMGetUser(use);
  return user != NULL && LLVMIsAStoreInst(user) != NULL && LLVMGetOperand(user, 0) == made &&
         LLVMGetOperand(user, 1) == pointer && changes_some(made, pointer, &lanes);
}

/* What the source reads of the vector; false: all of it. */
static bool loaded_lanes(LLVMValueRef load, uint32_t *lanes) {
  const LLVMUseRef use = LLVMGetFirstUse(load);
  if (use == NULL || LLVMGetNextUse(use) != NULL) {
    return false;
  }
  const LLVMValueRef user = LLVMGetUser(use);
  if (is_for_store(user, LLVMGetOperand(load, 0))) {
    *lanes = 0;
    return true;
  }
  if (LLVMIsAExtractElementInst(user) != NULL) {
    *lanes = lane_of(LLVMGetOperand(user, 1));
    return true;
  }
  if (LLVMIsAShuffleVectorInst(user) != NULL && LLVMGetOperand(user, 0) == load) {
    *lanes = shuffled(user, false);
    return true;
  }
  return false;
}

void lanes_mark(LLVMContextRef context, LLVMValueRef access) {
  const bool store = LLVMGetInstructionOpcode(access) == LLVMStore;
  uint32_t lanes = 0;
  if (LLVMGetTypeKind(LLVMTypeOf(store ? LLVMGetOperand(access, 0) : access)) == LLVMVectorTypeKind &&
      (store ? changes_some(LLVMGetOperand(access, 0), LLVMGetOperand(access, 1), &lanes)
             : loaded_lanes(access, &lanes))) {
    put(context, access, lanes);
  }
}

bool lanes_marked(LLVMContextRef context, LLVMValueRef access, uint32_t *lanes) {
  const LLVMValueRef node = LLVMGetMetadata(access, kind_in(context));
  if (node == NULL) {
    return false;
  }
  LLVMValueRef number = NULL;
  LLVMGetMDNodeOperands(node, &number);
  *lanes = (uint32_t)LLVMConstIntGetZExtValue(number);
  return true;
}

LLVMValueRef lanes_one(LLVMValueRef access) {
  if (LLVMGetInstructionOpcode(access) == LLVMStore) {
    const LLVMValueRef stored = LLVMGetOperand(access, 0);
    return LLVMIsAInsertElementInst(stored);
  }
  const LLVMUseRef use = LLVMGetFirstUse(access);
  return use == NULL ? NULL : LLVMIsAExtractElementInst(LLVMGetUser(use));
}
