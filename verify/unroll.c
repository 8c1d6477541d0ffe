/* Accesses to a work-item's own memory. Passes that make variables of it drop accesses that lie outside, at places that are known. So
 * helpers are inlined and plain variables brought into registers first, which drops nothing; then each variable with an access that may
 * lie outside is given to a function without a body. It stays in memory, with all accesses to it.
 * Soundness: docs/verify.md, What is understood. */
#include "verify/unroll.h"

#include <llvm-c/DebugInfo.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <stdio.h>
#include <string.h>

static const char inlining[] = "always-inline,globaldce,function(mem2reg)";
static const char unrolling[] =
    "always-inline,globaldce,function(mem2reg,loop-simplify,lcssa,"
    "loop-unroll<O2;no-runtime;no-partial;no-peeling;no-profile-peeling;no-upperbound;full-unroll-max=8>,"
    "simplifycfg<no-forward-switch-cond;no-switch-to-lookup;keep-loops;no-hoist-common-insts;no-sink-common-insts;"
    "bonus-inst-threshold=0;no-speculate-blocks>)"; /* what is never reached goes */

/* --- calls ---------------------------------------------------------------------------------------------------------------- */

/* Puts a call of a function without a body in front of the instruction; `into`: a variable that gets what it gives. */
static void put_call(const module *m, const char *name, LLVMValueRef before, LLVMValueRef given, LLVMValueRef into) {
  LLVMTypeRef type = given == NULL ? NULL : LLVMTypeOf(given);
  const LLVMTypeRef result = into == NULL ? LLVMVoidTypeInContext(m->context) : LLVMGetAllocatedType(into);
  const LLVMTypeRef made = LLVMFunctionType(result, &type, given == NULL ? 0 : 1, 0);
  LLVMValueRef f = LLVMGetNamedFunction(m->module, name);
  f = f == NULL ? LLVMAddFunction(m->module, name, made) : f;
  LLVMBuilderRef b = LLVMCreateBuilderInContext(m->context);
  LLVMPositionBuilderBefore(b, before);
  const LLVMValueRef call = LLVMBuildCall2(b, made, f, &given, given == NULL ? 0 : 1, "");
  LLVMInstructionSetDebugLoc(call, LLVMInstructionGetDebugLoc(before));
  if (into != NULL) {
    (void)LLVMBuildStore(b, call, into);
  }
  LLVMDisposeBuilder(b);
}

void unroll_mark_unreachable(const module *m, LLVMValueRef terminator) {
  put_call(m, "__cltc_unreachable", terminator, NULL, NULL);
}

static const char unset[] = "__cltc_unset_";

/* Of how many numbers a value of the type is; too many where there is something else in it. */
static unsigned numbers_in(LLVMTypeRef type) {
  enum { MOST = 64 };
  unsigned count = 0;
  switch (LLVMGetTypeKind(type)) {
    case LLVMIntegerTypeKind:
    case LLVMHalfTypeKind:
    case LLVMFloatTypeKind:
    case LLVMDoubleTypeKind:
      return 1;
    case LLVMArrayTypeKind:
      count = LLVMGetArrayLength2(type) > MOST ? MOST + 1 : (unsigned)LLVMGetArrayLength2(type);
      return count == 0 || count > MOST ? MOST + 1 : count * numbers_in(LLVMGetElementType(type));
    case LLVMStructTypeKind:
      for (unsigned i = 0; i < LLVMCountStructElementTypes(type) && count <= MOST; i++) {
        count += numbers_in(LLVMStructGetTypeAtIndex(type, i));
      }
      return count;
    default:
      return MOST + 1;
  }
}

void unroll_mark_unset(const module *m, LLVMValueRef variable) {
  enum { MOST = 64 };
  const LLVMTypeRef type = LLVMGetAllocatedType(variable);
  if (numbers_in(type) <= MOST) {
    char name[96];
    char *of = LLVMPrintTypeToString(type);
    (void)snprintf(name, sizeof name, "%s%.80s", unset, of);
    LLVMDisposeMessage(of);
    put_call(m, name, LLVMGetNextInstruction(variable), NULL, variable);
  }
}

/* Most variables are set before they are read. */
static void drop_unused(LLVMValueRef call) {
  for (LLVMUseRef use = LLVMGetFirstUse(call); use != NULL;) {
    const LLVMValueRef user = LLVMGetUser(use);
    use = LLVMGetNextUse(use);
    if (LLVMIsAExtractValueInst(user) != NULL && LLVMGetFirstUse(user) == NULL) {
      LLVMInstructionEraseFromParent(user);
    }
  }
  if (LLVMGetFirstUse(call) == NULL) {
    LLVMInstructionEraseFromParent(call);
  }
}

void unroll_drop_unset(const module *m) {
  for (LLVMValueRef f = LLVMGetFirstFunction(m->module); f != NULL; f = LLVMGetNextFunction(f)) {
    size_t length = 0;
    LLVMUseRef use = strncmp(LLVMGetValueName2(f, &length), unset, strlen(unset)) == 0 ? LLVMGetFirstUse(f) : NULL;
    while (use != NULL) {
      const LLVMValueRef call = LLVMGetUser(use);
      use = LLVMGetNextUse(use);
      drop_unused(call);
    }
  }
}

/* --- places --------------------------------------------------------------------------------------------------------------- */

/* An access. */
typedef struct reach {
  LLVMTargetDataRef layout;
  uint64_t bytes;
  bool keep; /* its variables are marked */
  const module *module;
} reach;

static bool is_address(LLVMValueRef v) {
  return LLVMIsAGetElementPtrInst(v) != NULL ||
         (LLVMIsAConstantExpr(v) != NULL && LLVMGetConstOpcode(v) == LLVMGetElementPtr);
}

static bool variable_has(const reach *r, LLVMValueRef variable, bool known, int64_t at) {
  const LLVMValueRef count = LLVMGetOperand(variable, 0);
  const uint64_t size =
      LLVMIsAConstantInt(count) == NULL
          ? 0
          : LLVMConstIntGetZExtValue(count) * LLVMABISizeOfType(r->layout, LLVMGetAllocatedType(variable));
  const LLVMValueRef next = LLVMGetNextInstruction(variable);
  const LLVMValueRef keep = LLVMGetNamedFunction(r->module->module, "__cltc_keep");
  if (r->keep && (keep == NULL || LLVMIsACallInst(next) == NULL || LLVMGetCalledValue(next) != keep ||
                  LLVMGetOperand(next, 0) != variable)) {
    put_call(r->module, "__cltc_keep", next, variable, NULL);
  }
  return known && at >= 0 && r->bytes <= size && (uint64_t)at <= size - r->bytes;
}

/* Whether an access there stays inside of each variable that it may lead to. */
static bool stays_inside(const reach *r, LLVMValueRef pointer, bool known, int64_t at, unsigned depth) {
  enum { DEPTH = 12 };
  bool inside = depth < DEPTH;
  if (LLVMIsAAllocaInst(pointer) != NULL) {
    return variable_has(r, pointer, known, at);
  }
  if (!inside) {
    return false;
  }
  if (is_address(pointer)) {
    known = module_distance(r->layout, pointer, &at) && known;
    return stays_inside(r, LLVMGetOperand(pointer, 0), known, at, depth + 1);
  }
  if (LLVMIsACastInst(pointer) != NULL || LLVMIsAFreezeInst(pointer) != NULL) {
    return stays_inside(r, LLVMGetOperand(pointer, 0), known, at, depth + 1);
  }
  for (unsigned n = 1; LLVMIsASelectInst(pointer) != NULL && n < 3; n++) {
    inside = stays_inside(r, LLVMGetOperand(pointer, n), known, at, depth + 1) && inside;
  }
  for (unsigned n = 0; LLVMIsAPHINode(pointer) != NULL && n < LLVMCountIncoming(pointer); n++) {
    inside = stays_inside(r, LLVMGetIncomingValue(pointer, n), known, at, depth + 1) && inside;
  }
  return inside;
}

static void keep_where_outside(const module *m, LLVMTargetDataRef layout, LLVMValueRef pointer, uint64_t bytes,
                               bool known) {
  reach r = {layout, bytes, false, m};
  if (!known || !stays_inside(&r, pointer, known, 0, 0)) {
    r.keep = true;
    (void)stays_inside(&r, pointer, known, 0, 0);
  }
}

/* Copies and the like: up to two pointers, then how many bytes. */
static void keep_of_copy(const module *m, LLVMTargetDataRef layout, LLVMValueRef call) {
  size_t length = 0;
  const char *name = LLVMGetValueName2(LLVMGetCalledValue(call), &length);
  if (strncmp(name, "llvm.mem", 8) == 0) {
    const LLVMValueRef count = LLVMGetOperand(call, 2);
    const bool known = LLVMIsAConstantInt(count) != NULL;
    for (unsigned n = 0; n < (strncmp(name, "llvm.memset", 11) == 0 ? 1U : 2U); n++) {
      keep_where_outside(m, layout, LLVMGetOperand(call, n), known ? LLVMConstIntGetZExtValue(count) : 0, known);
    }
  }
}

static bool is_array(LLVMValueRef v) {
  return LLVMIsAAllocaInst(v) != NULL && LLVMGetTypeKind(LLVMGetAllocatedType(v)) == LLVMArrayTypeKind;
}

typedef bool (*instruction_work)(const module *m, LLVMValueRef instruction);

/* Until it gives true. */
static bool each_instruction(const module *m, instruction_work work) {
  for (LLVMValueRef f = LLVMGetFirstFunction(m->module); f != NULL; f = LLVMGetNextFunction(f)) {
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b != NULL; b = LLVMGetNextBasicBlock(b)) {
      for (LLVMValueRef i = LLVMGetFirstInstruction(b); i != NULL; i = LLVMGetNextInstruction(i)) {
        if (work(m, i)) {
          return true;
        }
      }
    }
  }
  return false;
}

static bool has_array(const module *m, LLVMValueRef i) {
  (void)m;
  return is_array(i);
}

static bool keep_variables(const module *m, LLVMValueRef i) {
  const LLVMTargetDataRef layout = LLVMGetModuleDataLayout(m->module);
  const LLVMOpcode opcode = LLVMGetInstructionOpcode(i);
  if (opcode == LLVMLoad || opcode == LLVMStore) {
    const LLVMTypeRef type = LLVMTypeOf(opcode == LLVMStore ? LLVMGetOperand(i, 0) : i);
    keep_where_outside(m, layout, LLVMGetOperand(i, opcode == LLVMStore ? 1 : 0), LLVMStoreSizeOfType(layout, type),
                       true);
  } else if (opcode == LLVMCall) {
    keep_of_copy(m, layout, i);
  }
  return false;
}

LLVMErrorRef unroll_arrays(const module *m) {
  LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
  LLVMErrorRef failed = LLVMRunPasses(m->module, each_instruction(m, has_array) ? unrolling : inlining, NULL, options);
  LLVMDisposePassBuilderOptions(options);
  if (failed == NULL) {
    (void)each_instruction(m, keep_variables);
  }
  return failed;
}
