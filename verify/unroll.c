/* Arrays of a work-item that short loops go through. */
#include "verify/unroll.h"

#include <llvm-c/Transforms/PassBuilder.h>
#include <stdbool.h>
#include <stddef.h>

static const char unrolling[] =
    "always-inline,globaldce,function(sroa,mem2reg,loop-simplify,lcssa,"
    "loop-unroll<O2;no-runtime;no-partial;no-peeling;no-profile-peeling;no-upperbound;full-unroll-max=8>,"
    "simplifycfg<no-forward-switch-cond;no-switch-to-lookup;keep-loops;no-hoist-common-insts;no-sink-common-insts;"
    "bonus-inst-threshold=0;no-speculate-blocks>)"; /* what is never reached goes */

/* --- instructions ------------------------------------------------------------------------------------------------------- */

static bool is_array(LLVMValueRef v) {
  return LLVMIsAAllocaInst(v) != NULL && LLVMGetTypeKind(LLVMGetAllocatedType(v)) == LLVMArrayTypeKind;
}

/* What elements of its arrays lie outside of is not looked at. */
static bool is_structure(LLVMValueRef v) {
  if (LLVMIsAAllocaInst(v) == NULL) {
    return false;
  }
  LLVMTypeRef type = LLVMGetAllocatedType(v);
  while (LLVMGetTypeKind(type) == LLVMArrayTypeKind) {
    type = LLVMGetElementType(type);
  }
  return LLVMGetTypeKind(type) == LLVMStructTypeKind;
}

/* Whether it says where in an array an element is, with numbers that are known, all of them inside. A computed one is left to
 * the proof, as then the array stays one. */
static bool is_inside(LLVMValueRef address) {
  LLVMTypeRef type = LLVMGetGEPSourceElementType(address);
  for (unsigned n = 1; n < (unsigned)LLVMGetNumOperands(address); n++) {
    const LLVMValueRef index = LLVMGetOperand(address, n);
    const bool array = n > 1 && LLVMGetTypeKind(type) == LLVMArrayTypeKind;
    if (LLVMIsAConstantInt(index) == NULL) {
      return true;
    }
    if (LLVMConstIntGetZExtValue(index) >= (array ? LLVMGetArrayLength2(type) : 1)) {
      return false;
    }
    if (n > 1 && !array) {
      return false;
    }
    type = array ? LLVMGetElementType(type) : type;
  }
  return true;
}

/* Whether it makes an address from one in an array. */
static bool comes_from_array(LLVMValueRef v) {
  while (LLVMIsAGetElementPtrInst(v) != NULL || LLVMIsABitCastInst(v) != NULL || LLVMIsAAddrSpaceCastInst(v) != NULL) {
    v = LLVMGetOperand(v, 0);
  }
  return is_array(v);
}

/* An address in an array that may lie outside of it, and is known. */
static bool leaves_array(LLVMValueRef i) {
  if (LLVMIsAGetElementPtrInst(i) == NULL || !comes_from_array(i)) {
    return false;
  }
  return !is_array(LLVMGetOperand(i, 0)) ||
         LLVMGetGEPSourceElementType(i) != LLVMGetAllocatedType(LLVMGetOperand(i, 0)) || !is_inside(i);
}

/* Whether one of the instructions of the module is so. */
static bool has(LLVMModuleRef m, bool (*is_so)(LLVMValueRef)) {
  for (LLVMValueRef f = LLVMGetFirstFunction(m); f != NULL; f = LLVMGetNextFunction(f)) {
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b != NULL; b = LLVMGetNextBasicBlock(b)) {
      for (LLVMValueRef i = LLVMGetFirstInstruction(b); i != NULL; i = LLVMGetNextInstruction(i)) {
        if (is_so(i)) {
          return true;
        }
      }
    }
  }
  return false;
}

/* --- all of it ---------------------------------------------------------------------------------------------------------- */

void unroll_arrays(LLVMModuleRef *m) {
  if (!has(*m, is_array) || has(*m, is_structure)) {
    return;
  }
  LLVMModuleRef made = LLVMCloneModule(*m);
  LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
  LLVMErrorRef failed = LLVMRunPasses(made, unrolling, NULL, options);
  LLVMDisposePassBuilderOptions(options);
  if (failed != NULL) {
    LLVMConsumeError(failed);
  }
  if (failed != NULL || has(made, leaves_array)) {
    LLVMDisposeModule(made);
    return;
  }
  LLVMDisposeModule(*m);
  *m = made;
}
