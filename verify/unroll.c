/* Accesses to a work-item's own memory. Passes that make variables of it drop accesses that lie outside, at places that are known. So
 * helpers are inlined and plain variables brought into registers first, which drops nothing; then each variable with an access that may
 * lie outside is given to a function without a body. It stays in memory, with all accesses to it.
 * Soundness: docs/verify.md, What is understood. */
#include "verify/unroll.h"

#include <llvm-c/DebugInfo.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <string.h>

static const char inlining[] = "always-inline,globaldce,function(mem2reg)";
static const char unrolling[] =
    "always-inline,globaldce,function(mem2reg,loop-simplify,lcssa,"
    "loop-unroll<O2;no-runtime;no-partial;no-peeling;no-profile-peeling;no-upperbound;full-unroll-max=8>,"
    "simplifycfg<no-forward-switch-cond;no-switch-to-lookup;keep-loops;no-hoist-common-insts;no-sink-common-insts;"
    "bonus-inst-threshold=0;no-speculate-blocks>)"; /* what is never reached goes */

/* --- calls ---------------------------------------------------------------------------------------------------------------- */

/* Puts a call of a function without a body, which gives nothing, in front of the instruction. */
static void put_call(const module *m, const char *name, LLVMValueRef before, LLVMValueRef given) {
  LLVMTypeRef type = given == NULL ? NULL : LLVMTypeOf(given);
  const LLVMTypeRef made = LLVMFunctionType(LLVMVoidTypeInContext(m->context), &type, given == NULL ? 0 : 1, 0);
  LLVMValueRef f = LLVMGetNamedFunction(m->module, name);
  f = f == NULL ? LLVMAddFunction(m->module, name, made) : f;
  LLVMBuilderRef b = LLVMCreateBuilderInContext(m->context);
  LLVMPositionBuilderBefore(b, before);
  const LLVMValueRef call = LLVMBuildCall2(b, made, f, &given, given == NULL ? 0 : 1, "");
  LLVMInstructionSetDebugLoc(call, LLVMInstructionGetDebugLoc(before));
  LLVMDisposeBuilder(b);
}

void unroll_mark_unreachable(const module *m, LLVMValueRef terminator) {
  put_call(m, "__cltc_unreachable", terminator, NULL);
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
    put_call(r->module, "__cltc_keep", next, variable);
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
