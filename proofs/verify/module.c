/* Bitcode: read, brought into shape by LLVM's passes, asked where things are written, and what its attributes mean.
 * Soundness: docs/verify.md, Why it is right, Private memory. */
#include "proofs/verify/module.h"

#include <llvm-c/BitReader.h>
#include <llvm-c/DebugInfo.h>
#include <llvm-c/Error.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/memory.h"

static void attributes_unknown(LLVMContextRef context, LLVMValueRef function, struct buffer *unknown);

/* --- components of vectors ---------------------------------------------------------------------------------------- */

/* Marks are metadata of loads and stores, which passes keep.
 * Soundness: docs/verify.md, Why it is right, Components. */

static const char lanes_kind[] = "cltestcheck.lanes";

static unsigned kind_in(LLVMContextRef context) {
  return LLVMGetMDKindIDInContext(context, lanes_kind, (unsigned)strlen(lanes_kind));
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
    if (from >= 0 && (from >= width) == second) lanes |= UINT32_C(1) << (second ? n : (unsigned)from);
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

/* What clang makes of `v.zw = w`: the few components of w come first, and after them nothing. */
static bool is_widened(LLVMValueRef v) {
  const unsigned width = LLVMGetVectorSize(LLVMTypeOf(v));
  if (LLVMIsAShuffleVectorInst(v) != NULL)
    return LLVMGetVectorSize(LLVMTypeOf(LLVMGetOperand(v, 0))) < width && LLVMIsUndef(LLVMGetOperand(v, 1)) != 0;
  const LLVMValueRef last = LLVMIsConstant(v) != 0 ? LLVMGetAggregateElement(v, width - 1) : NULL;
  return last != NULL && LLVMIsUndef(last) != 0;
}

/* Whether the vector is what is at the pointer but for some components. */
static bool changes_some(LLVMValueRef made, LLVMValueRef pointer, uint32_t *lanes) {
  const bool inserts = LLVMIsAInsertElementInst(made) != NULL;
  const bool shuffles =
      LLVMIsAShuffleVectorInst(made) != NULL && keeps_places(made) && is_widened(LLVMGetOperand(made, 1));
  const LLVMValueRef from = inserts || shuffles ? LLVMGetOperand(made, 0) : NULL;
  if (LLVMIsALoadInst(from) == NULL || LLVMGetOperand(from, 0) != pointer ||
      LLVMInstructionGetDebugLoc(from) != LLVMInstructionGetDebugLoc(made))
    return false;
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
  if (use == NULL || LLVMGetNextUse(use) != NULL) return false; /* form: clang uses a vector that it has loaded once */
  const LLVMValueRef user = LLVMGetUser(use);
  if (is_for_store(user, LLVMGetOperand(load, 0))) {
    *lanes = 0;
    return true;
  }
  if (LLVMIsAExtractElementInst(user) != NULL) {
    *lanes = lane_of(LLVMGetOperand(user, 1));
    return true;
  }
  /* `v.xy`; a function that shuffles two vectors is given all of both */
  if (LLVMIsAShuffleVectorInst(user) != NULL && LLVMGetOperand(user, 0) == load &&
      LLVMIsUndef(LLVMGetOperand(user, 1)) != 0) {
    *lanes = shuffled(user, false);
    return true;
  }
  return false;
}

/* Marks a load or store of a vector that is one of components. To be called before any pass. */
static void lanes_mark(LLVMContextRef context, LLVMValueRef access) {
  const bool store = LLVMGetInstructionOpcode(access) == LLVMStore;
  uint32_t lanes = 0;
  if (LLVMGetTypeKind(LLVMTypeOf(store ? LLVMGetOperand(access, 0) : access)) == LLVMVectorTypeKind &&
      (store ? changes_some(LLVMGetOperand(access, 0), LLVMGetOperand(access, 1), &lanes)
             : loaded_lanes(access, &lanes))) {
    LLVMMetadataRef number = LLVMValueAsMetadata(LLVMConstInt(LLVMInt32TypeInContext(context), lanes, 0));
    const LLVMMetadataRef node = LLVMMDNodeInContext2(context, &number, 1);
    LLVMSetMetadata(access, kind_in(context), LLVMMetadataAsValue(context, node));
  }
}

bool lanes_marked(LLVMContextRef context, LLVMValueRef access, uint32_t *lanes) {
  const LLVMValueRef node = LLVMGetMetadata(access, kind_in(context));
  if (node == NULL) return false;
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

/* --- short loops around private arrays ---------------------------------------------------------------------------- */

/* Accesses to a work-item's own memory. Passes that make variables of it drop accesses that lie outside, at places that are known. So
 * helpers are inlined and plain variables brought into registers first, which drops nothing; then each variable with an access that may
 * lie outside is given to a function without a body. It stays in memory, with all accesses to it.
 * Soundness: docs/verify.md, Why it is right, Private memory. */

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
  if (into != NULL) (void)LLVMBuildStore(b, call, into);
  LLVMDisposeBuilder(b);
}

/* Puts a call in front of what the source says never to be reached: passes would take the branch there away. */
static void unroll_mark_unreachable(const module *m, LLVMValueRef terminator) {
  put_call(m, "__cltc_unreachable", terminator, NULL, NULL);
}

static const char unset[] = "__cltc_unset_", keeping[] = "__cltc_keep";
enum { MANY = 256 }; /* numbers that a variable has */

/* Of how many numbers a value of the type is; too many where there is something else in it. */
static unsigned numbers_in(LLVMTypeRef type) {
  unsigned count = 0;
  switch (LLVMGetTypeKind(type)) {
    case LLVMIntegerTypeKind:
    case LLVMHalfTypeKind:
    case LLVMFloatTypeKind:
    case LLVMDoubleTypeKind:
    case LLVMPointerTypeKind: return 1;
    case LLVMVectorTypeKind: return LLVMGetVectorSize(type);
    case LLVMArrayTypeKind:
      count = LLVMGetArrayLength2(type) > MANY ? MANY + 1 : (unsigned)LLVMGetArrayLength2(type);
      return count == 0 || count > MANY ? MANY + 1 : count * numbers_in(LLVMGetElementType(type));
    case LLVMStructTypeKind:
      for (unsigned i = 0; i < LLVMCountStructElementTypes(type) && count <= MANY; i++)
        count += numbers_in(LLVMStructGetTypeAtIndex(type, i));
      return count;
    default: /* events and the like */ return MANY + 1;
  }
}

/* A variable of numbers begins as any: passes would take it to be what is put into it on some way. Afterwards, what nobody reads
 * goes. One of many stays in memory. */
static void unroll_mark_unset(const module *m, LLVMValueRef variable) {
  const LLVMTypeRef type = LLVMGetAllocatedType(variable);
  if (numbers_in(type) <= MANY) {
    char name[96];
    char *of = LLVMPrintTypeToString(type);
    (void)snprintf(name, sizeof name, "%s%.80s", unset, of);
    LLVMDisposeMessage(of);
    put_call(m, name, LLVMGetNextInstruction(variable), NULL, variable);
  } else if (LLVMGetTypeKind(type) != LLVMTargetExtTypeKind) {
    put_call(m, keeping, LLVMGetNextInstruction(variable), variable, NULL);
  }
}

/* Most variables are set before they are read. */
static void drop_unused(LLVMValueRef call) {
  for (LLVMUseRef use = LLVMGetFirstUse(call); use != NULL;) {
    const LLVMValueRef user = LLVMGetUser(use);
    use = LLVMGetNextUse(use);
    if (LLVMIsAExtractValueInst(user) != NULL && LLVMGetFirstUse(user) == NULL) LLVMInstructionEraseFromParent(user);
  }
  if (LLVMGetFirstUse(call) == NULL) LLVMInstructionEraseFromParent(call);
}

static void unroll_drop_unset(const module *m) {
  for (LLVMValueRef f = LLVMGetFirstFunction(m->module); f != NULL; f = LLVMGetNextFunction(f)) {
    LLVMUseRef use = strncmp(module_name(f), unset, strlen(unset)) == 0 ? LLVMGetFirstUse(f) : NULL;
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

static bool variable_has(const reach *r, LLVMValueRef variable, bool known, int64_t at) {
  const LLVMValueRef count = LLVMGetOperand(variable, 0);
  const uint64_t size =
      LLVMIsAConstantInt(count) == NULL
          ? 0
          : LLVMConstIntGetZExtValue(count) * LLVMABISizeOfType(r->layout, LLVMGetAllocatedType(variable));
  const LLVMValueRef next = LLVMGetNextInstruction(variable);
  const LLVMValueRef keep = LLVMGetNamedFunction(r->module->module, keeping);
  if (r->keep && (keep == NULL || LLVMIsACallInst(next) == NULL || LLVMGetCalledValue(next) != keep ||
                  LLVMGetOperand(next, 0) != variable))
    put_call(r->module, keeping, next, variable, NULL);
  return known && at >= 0 && r->bytes <= size && (uint64_t)at <= size - r->bytes;
}

/* Whether an access there stays inside of each variable that it may lead to. */
static bool stays_inside(const reach *r, LLVMValueRef pointer, bool known, int64_t at, unsigned depth) {
  enum { DEPTH = 12 };
  bool inside = depth < DEPTH;
  if (LLVMIsAAllocaInst(pointer) != NULL) return variable_has(r, pointer, known, at);
  if (!inside) return false; /* limit: of addresses that are made of each other */
  if (LLVMIsAGetElementPtrInst(pointer) != NULL ||
      (LLVMIsAConstantExpr(pointer) != NULL && LLVMGetConstOpcode(pointer) == LLVMGetElementPtr)) {
    known = module_distance(r->layout, pointer, &at) && known;
    return stays_inside(r, LLVMGetOperand(pointer, 0), known, at, depth + 1);
  }
  if (LLVMIsACastInst(pointer) != NULL || LLVMIsAFreezeInst(pointer) != NULL)
    return stays_inside(r, LLVMGetOperand(pointer, 0), known, at, depth + 1);
  for (unsigned n = 1; LLVMIsASelectInst(pointer) != NULL && n < 3; n++)
    inside = stays_inside(r, LLVMGetOperand(pointer, n), known, at, depth + 1) && inside;
  for (unsigned n = 0; LLVMIsAPHINode(pointer) != NULL && n < LLVMCountIncoming(pointer); n++)
    inside = stays_inside(r, LLVMGetIncomingValue(pointer, n), known, at, depth + 1) && inside;
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
  const char *name = module_name(LLVMGetCalledValue(call));
  if (strncmp(name, "llvm.mem", 8) == 0) {
    const LLVMValueRef count = LLVMGetOperand(call, 2);
    const bool known = LLVMIsAConstantInt(count) != NULL;
    for (unsigned n = 0; n < (strncmp(name, "llvm.memset", 11) == 0 ? 1U : 2U); n++)
      keep_where_outside(m, layout, LLVMGetOperand(call, n), known ? LLVMConstIntGetZExtValue(count) : 0, known);
  }
}

typedef bool (*instruction_work)(const module *m, LLVMValueRef instruction);

/* Until it gives true. */
static bool each_instruction(const module *m, instruction_work work) {
  for (LLVMValueRef f = LLVMGetFirstFunction(m->module); f != NULL; f = LLVMGetNextFunction(f)) {
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b != NULL; b = LLVMGetNextBasicBlock(b)) {
      for (LLVMValueRef i = LLVMGetFirstInstruction(b); i != NULL; i = LLVMGetNextInstruction(i))
        if (work(m, i)) return true;
    }
  }
  return false;
}

static bool has_array(const module *m, LLVMValueRef i) {
  (void)m;
  return LLVMIsAAllocaInst(i) != NULL && LLVMGetTypeKind(LLVMGetAllocatedType(i)) == LLVMArrayTypeKind;
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

/* Unrolls short loops in a source with arrays of its own, inlines helpers, and brings variables into registers. Then arrays of which an
 * access may lie outside are marked, so that they stay as they are, and accesses to them. NULL, or what went wrong, which is to be
 * disposed of. */
static LLVMErrorRef unroll_arrays(const module *m) {
  LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
  LLVMErrorRef failed = LLVMRunPasses(m->module, each_instruction(m, has_array) ? unrolling : inlining, NULL, options);
  LLVMDisposePassBuilderOptions(options);
  if (failed == NULL) (void)each_instruction(m, keep_variables);
  return failed;
}

static const LLVMAttributeIndex FUNCTION = (LLVMAttributeIndex)LLVMAttributeFunctionIndex;
enum { KERNEL_CONVENTION = 76 /* LLVM's number of SPIR_KERNEL */ };

/* What does not change which memory is read or written, in which order; nothing is moved, and no access goes. */
static const char passes[] =
    "always-inline,globaldce,function(sroa,mem2reg,lower-switch,mergereturn,"
    "simplifycfg<no-forward-switch-cond;no-switch-to-lookup;keep-loops;no-hoist-common-insts;no-sink-common-insts;"
    "bonus-inst-threshold=0;no-speculate-blocks>,lower-switch,loop-simplify,lcssa)";

static unsigned kind(const char *name) { return LLVMGetEnumAttributeKindForName(name, strlen(name)); }

/* A load whose value is not used can race, too, and so can each of two stores: none must vanish, or become one with another.
 * Of private memory nobody else knows. */
static void mark_access(const module *m, LLVMValueRef instruction) {
  const LLVMOpcode opcode = LLVMGetInstructionOpcode(instruction);
  if (opcode == LLVMLoad || opcode == LLVMStore) {
    const LLVMValueRef pointer = LLVMGetOperand(instruction, opcode == LLVMStore ? 1 : 0);
    LLVMSetVolatile(instruction, LLVMGetPointerAddressSpace(LLVMTypeOf(pointer)) != 0);
    lanes_mark(m->context, instruction);
  } else if (opcode == LLVMUnreachable) {
    unroll_mark_unreachable(m, instruction);
  } else if (opcode == LLVMAlloca) {
    unroll_mark_unset(m, instruction);
  } else if (opcode == LLVMCall) {
    LLVMRemoveCallSiteEnumAttribute(instruction, FUNCTION, kind("noinline"));
  }
}

/* What has an unknown meaning is a call that is refused, which goes where the function is inlined. */
static void mark_unknown(const module *m, LLVMValueRef f) {
  buffer unknown = {0}, name = {0};
  attributes_unknown(m->context, f, &unknown);
  if (unknown.length > 0) {
    buffer_printf(&name, "%s%s", MODULE_UNKNOWN, buffer_text(&unknown));
    put_call(m, buffer_text(&name), LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(f)), NULL, NULL);
  }
  buffer_free(&unknown);
  buffer_free(&name);
}

static void prepare_function(const module *m, LLVMValueRef f) {
  mark_unknown(m, f);
  LLVMRemoveEnumAttributeAtIndex(f, FUNCTION, kind("noinline"));
  LLVMRemoveEnumAttributeAtIndex(f, FUNCTION, kind("optnone"));
  LLVMAddAttributeAtIndex(f, FUNCTION, LLVMCreateEnumAttribute(m->context, kind("alwaysinline"), 0));
  LLVMSetLinkage(f, LLVMGetFunctionCallConv(f) == KERNEL_CONVENTION ? LLVMExternalLinkage : LLVMInternalLinkage);
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b != NULL; b = LLVMGetNextBasicBlock(b))
    for (LLVMValueRef i = LLVMGetFirstInstruction(b); i != NULL; i = LLVMGetNextInstruction(i)) mark_access(m, i);
}

static int run_passes(module *m, error *e) {
  for (LLVMValueRef f = LLVMGetFirstFunction(m->module); f != NULL; f = LLVMGetNextFunction(f))
    if (LLVMIsDeclaration(f) == 0) prepare_function(m, f);
  LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
  LLVMErrorRef failed = unroll_arrays(m);
  failed = failed == NULL ? LLVMRunPasses(m->module, passes, NULL, options) : failed;
  LLVMDisposePassBuilderOptions(options);
  if (failed != NULL) {
    char *message = LLVMGetErrorMessage(failed);
    (void)error_set(e, EXIT_INTERNAL, "LLVM cannot prepare the source: %s", message);
    LLVMDisposeErrorMessage(message);
    return -1;
  }
  unroll_drop_unset(m);
  return 0;
}

static void ignore(LLVMDiagnosticInfoRef info, void *context) {
  (void)info;
  (void)context;
}

/* Of the language that the source was read as. */
static unsigned language_of(LLVMModuleRef m) {
  static const char name[] = "opencl.ocl.version";
  LLVMValueRef version[1] = {NULL}, parts[2] = {NULL, NULL};
  if (LLVMGetNamedMetadataNumOperands(m, name) != 1) return 120;
  LLVMGetNamedMetadataOperands(m, name, version);
  if (LLVMGetMDNodeNumOperands(version[0]) != 2) return 120;
  LLVMGetMDNodeOperands(version[0], parts);
  return (unsigned)(LLVMConstIntGetZExtValue(parts[0]) * 100 + LLVMConstIntGetZExtValue(parts[1]) * 10);
}

/* Gives functions without a body that the source declares their attribute. clang lists them beside those with one, which would stay with the list. */
static void mark_own(const module *m) {
  const LLVMValueRef list = LLVMGetNamedGlobal(m->module, "llvm.global.annotations");
  const LLVMValueRef all = list == NULL ? NULL : LLVMGetInitializer(list);
  for (unsigned i = 0; all != NULL && i < (unsigned)LLVMGetNumOperands(all); i++) {
    LLVMValueRef f = LLVMGetOperand(LLVMGetOperand(all, i), 0);
    while (LLVMIsAConstantExpr(f) != NULL) f = LLVMGetOperand(f, 0);
    if (LLVMIsAFunction(f) != NULL && LLVMIsDeclaration(f) != 0)
      LLVMAddAttributeAtIndex(f, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                              LLVMCreateStringAttribute(m->context, MODULE_OWN, sizeof MODULE_OWN - 1, "", 0));
  }
  if (list != NULL) LLVMDeleteGlobal(list);
}

int module_read(const char *bitcode, size_t length, module *out, error *e) {
  *out = (module){0};
  out->context = LLVMContextCreate();
  LLVMContextSetDiagnosticHandler(out->context, ignore, NULL);
  LLVMMemoryBufferRef bytes = LLVMCreateMemoryBufferWithMemoryRangeCopy(bitcode, length, "bitcode");
  const LLVMBool failed = LLVMParseBitcodeInContext2(out->context, bytes, &out->module);
  LLVMDisposeMemoryBuffer(bytes);
  if (failed != 0) {
    out->module = NULL;
    module_free(out);
    return error_set(e, EXIT_USAGE,
                     "clang 19 makes something of this source that LLVM 19 does not read: a fault of clang's");
  }
  out->language = language_of(out->module);
  mark_own(out);
  if (run_passes(out, e) != 0) {
    module_free(out);
    return -1;
  }
  out->layout = LLVMGetModuleDataLayout(out->module); /* the module's own */
  return 0;
}

void module_free(module *m) {
  if (m->module != NULL) LLVMDisposeModule(m->module);
  if (m->context != NULL) LLVMContextDispose(m->context);
  *m = (module){0};
}

const char *module_name(LLVMValueRef v) {
  size_t length = 0;
  return LLVMGetValueName2(v, &length);
}

int module_argument(LLVMValueRef kernel, const char *name) {
  for (unsigned a = 0; a < LLVMCountParams(kernel); a++)
    if (strcmp(module_name(LLVMGetParam(kernel, a)), name) == 0) return (int)a;
  return -1;
}

LLVMValueRef module_next_kernel(const module *m, LLVMValueRef after) {
  LLVMValueRef f = after == NULL ? LLVMGetFirstFunction(m->module) : LLVMGetNextFunction(after);
  while (f != NULL && (LLVMIsDeclaration(f) != 0 || LLVMGetFunctionCallConv(f) != KERNEL_CONVENTION))
    f = LLVMGetNextFunction(f);
  return f;
}

static void set_file(LLVMMetadataRef scope, source_place *out) {
  const LLVMMetadataRef file = scope == NULL ? NULL : LLVMDIScopeGetFile(scope);
  unsigned length = 0;
  out->file = file == NULL ? "" : LLVMDIFileGetFilename(file, &length);
  out->file_length = length;
}

bool module_place(LLVMValueRef instruction, unsigned level, source_place *out) {
  *out = (source_place){"", 0, 0, 0};
  LLVMMetadataRef location = LLVMInstructionGetDebugLoc(instruction);
  for (; location != NULL && level > 0; level--) location = LLVMDILocationGetInlinedAt(location);
  if (location == NULL) return false;
  set_file(LLVMDILocationGetScope(location), out);
  out->line = LLVMDILocationGetLine(location);
  out->column = LLVMDILocationGetColumn(location);
  return true;
}

source_place module_kernel_place(LLVMValueRef kernel) {
  source_place place = {"", 0, 0, 0};
  const LLVMMetadataRef program = LLVMGetSubprogram(kernel);
  if (program != NULL) {
    set_file(program, &place);
    place.line = LLVMDISubprogramGetLine(program);
    place.column = 1;
  }
  return place;
}

/* The parts of a piece of metadata of a kernel; count 0: it has none. To be freed. */
static LLVMValueRef *metadata_of(const module *m, LLVMValueRef kernel, const char *name, unsigned *count) {
  const unsigned wanted = LLVMGetMDKindIDInContext(m->context, name, (unsigned)strlen(name));
  size_t entry_count = 0;
  LLVMValueRef *parts = NULL;
  LLVMValueMetadataEntry *entries = LLVMGlobalCopyAllMetadata(kernel, &entry_count);
  *count = 0;
  for (unsigned i = 0; i < entry_count && parts == NULL; i++) {
    if (LLVMValueMetadataEntriesGetKind(entries, i) == wanted) {
      const LLVMValueRef node = LLVMMetadataAsValue(m->context, LLVMValueMetadataEntriesGetMetadata(entries, i));
      *count = LLVMGetMDNodeNumOperands(node);
      parts = mem_calloc(*count + 1, sizeof(LLVMValueRef));
      LLVMGetMDNodeOperands(node, parts);
    }
  }
  LLVMDisposeValueMetadataEntries(entries);
  return parts;
}

const char *module_argument_type(const module *m, LLVMValueRef kernel, unsigned argument) {
  unsigned count = 0, length = 0;
  LLVMValueRef *parts = metadata_of(m, kernel, "kernel_arg_base_type", &count);
  const char *text = argument < count ? LLVMGetMDString(parts[argument], &length) : NULL;
  free(parts);
  return text == NULL ? "" : text;
}

bool module_required_size(const module *m, LLVMValueRef kernel, uint64_t sizes[3]) {
  unsigned count = 0;
  LLVMValueRef *parts = metadata_of(m, kernel, "reqd_work_group_size", &count);
  bool known = count == 3;
  for (unsigned d = 0; d < 3 && known; d++) {
    known = LLVMIsAConstantInt(parts[d]) != NULL;
    sizes[d] = known ? LLVMConstIntGetZExtValue(parts[d]) : 0;
  }
  free(parts);
  return known;
}

bool module_distance(LLVMTargetDataRef layout, LLVMValueRef address, int64_t *at) {
  LLVMTypeRef type = LLVMGetGEPSourceElementType(address);
  for (unsigned n = 1; n < (unsigned)LLVMGetNumOperands(address); n++) {
    const LLVMValueRef index = LLVMGetOperand(address, n);
    if (LLVMIsAConstantInt(index) == NULL) return false;
    if (n > 1 && LLVMGetTypeKind(type) == LLVMStructTypeKind) {
      const unsigned member = (unsigned)LLVMConstIntGetZExtValue(index);
      *at += (int64_t)LLVMOffsetOfElement(layout, type, member);
      type = LLVMStructGetTypeAtIndex(type, member);
      continue;
    }
    type = n > 1 ? LLVMGetElementType(type) : type;
    *at += LLVMConstIntGetSExtValue(index) * (int64_t)LLVMABISizeOfType(layout, type);
  }
  return true;
}

/* --- attributes --------------------------------------------------------------------------------------------------- */

/* Attributes and metadata: which say nothing that matters here, which promise something, which are read, and which are refused. What
 * has no row is refused, too.
 * Soundness: docs/verify.md, What is known. */

typedef enum meaning {
  NOTHING, /* how code is made, how often it runs, what a debugger is told */
  PROMISE, /* what breaks it is not defined; passes may use that, the proof does not */
  READ,    /* by the engine: objects.c, calls_execute.c, module.c */
  REFUSED  /* it changes what the code does */
} meaning;

/* `*` at the end: any that begin so. */
typedef struct row {
  const char *names;
  meaning meaning;
} row;

static const row attributes[] = {
    {"alwaysinline builtin cold convergent disable_sanitizer_instrumentation elementtype fn_ret_thunk_extern hot "
     "hybrid_patchable immarg inlinehint inreg jumptable minsize nobuiltin nocf_check noduplicate noimplicitfloat "
     "nomerge "
     "nonlazybind noprofile null_pointer_is_valid noredzone nosanitize_bounds nosanitize_coverage optdebug "
     "optforfuzzing optsize safestack "
     "sanitize_address sanitize_hwaddress sanitize_memory sanitize_memtag sanitize_numerical_stability sanitize_thread "
     "shadowcallstack signext skipprofile speculative_load_hardening sret ssp sspreq sspstrong alignstack uwtable "
     "vscale_range zeroext",
     NOTHING},
    {"allocalign allockind allocptr allocsize dead_on_unwind dereferenceable dereferenceable_or_null initializes "
     "memory "
     "mustprogress noalias nocallback nocapture nofpclass nofree nonnull norecurse noreturn nosync noundef nounwind "
     "range "
     "readnone readonly returned speculatable willreturn writable writeonly",
     PROMISE},
    {"align byval noinline optnone", READ},
    {"byref coro_only_destroy_when_complete inalloca naked nest preallocated presplitcoroutine "
     "returns_twice strictfp swiftasync swifterror swiftself",
     REFUSED},
};

/* Those that LLVM has as text; of floating-point numbers a proof knows nothing that they could change. */
static const row texts[] = {
    {"approx-func-fp-math correctly-rounded-divide-sqrt-fp-math denormal-fp-math denormal-fp-math-f32 "
     "disable-tail-calls "
     "dontcall-error dontcall-warn frame-pointer less-precise-fpmad min-legal-vector-width no-infs-fp-math "
     "no-inline-line-tables no-jump-tables no-nans-fp-math no-signed-zeros-fp-math no-stack-arg-probe no-trapping-math "
     "stack-probe-size stack-protector-buffer-size stackrealign strict-float-cast-overflow target-cpu target-features "
     "tune-cpu uniform-work-group-size unsafe-fp-math warn-stack-size no-builtins no-builtin-*",
     NOTHING},
    {"llvm.assume", PROMISE},
    {MODULE_OWN, READ},
};

static const row metadata[] = {
    {"dbg prof fpmath nontemporal unpredictable llvm.loop type annotation nosanitize memprof callsite DIAssignID "
     "srcloc "
     "work_group_size_hint vec_type_hint intel_reqd_sub_group_size",
     NOTHING},
    {"tbaa range tbaa.struct invariant.load alias.scope noalias llvm.mem.parallel_loop_access nonnull dereferenceable "
     "dereferenceable_or_null align llvm.access.group noundef",
     PROMISE},
    {"reqd_work_group_size kernel_arg_addr_space kernel_arg_access_qual kernel_arg_type kernel_arg_base_type "
     "kernel_arg_type_qual kernel_arg_name",
     READ},
    {"make.implicit invariant.group section_prefix absolute_symbol associated callees irr_loop callback "
     "llvm.preserve.access.index vcall_visibility func_sanitize exclude kcfi_type pcsections coro.outside.frame mmra",
     REFUSED},
};

enum { NAME_MOST = 64 };
typedef bool (*is_name)(void *context, const char *name, size_t length);

/* The row with a name of which this holds; NULL: none. `found` gets the name. */
static const row *find(const row *rows, size_t count, is_name is, void *context, char found[NAME_MOST]) {
  for (const row *r = rows; r < rows + count; r++) {
    for (const char *at = r->names; *at != '\0'; at += strspn(at, " ")) {
      const size_t length = strcspn(at, " ");
      if (is(context, at, length)) {
        (void)snprintf(found, NAME_MOST, "%.*s", (int)length, at);
        return r;
      }
      at += length;
    }
  }
  return NULL;
}

static bool is_kind(void *context, const char *name, size_t length) {
  return LLVMGetEnumAttributeKindForName(name, length) == *(const unsigned *)context;
}

static bool is_text(void *context, const char *name, size_t length) {
  const char *text = context;
  return name[length - 1] == '*' ? strncmp(text, name, length - 1) == 0
                                 : strlen(text) == length && strncmp(text, name, length) == 0;
}

typedef struct metadata_kind {
  LLVMContextRef context;
  unsigned kind;
} metadata_kind;

static bool is_metadata(void *context, const char *name, size_t length) {
  const metadata_kind *m = context;
  return LLVMGetMDKindIDInContext(m->context, name, (unsigned)length) == m->kind;
}

#define FIND(rows, is, context, found) find(rows, sizeof(rows) / sizeof *(rows), is, context, found)

bool attributes_has(unsigned kind) {
  char name[NAME_MOST];
  return FIND(attributes, is_kind, &kind, name) != NULL;
}

bool attributes_has_metadata(LLVMContextRef context, unsigned kind) {
  char name[NAME_MOST];
  return FIND(metadata, is_metadata, &((metadata_kind){context, kind}), name) != NULL;
}

/* --- of a function ------------------------------------------------------------------------------------------------------ */

enum { KINDS = 512 };

typedef struct look {
  LLVMContextRef context;
  bool known[KINDS]; /* attributes that were looked up before, by number */
  buffer *unknown;   /* empty: nothing so far */
} look;

static bool goes_on(const look *l) { return l->unknown->length == 0; }

static void refuse(look *l, const char *what, const char *name) { buffer_printf(l->unknown, "%s %s", what, name); }

static void of_attribute(look *l, LLVMAttributeRef a) {
  char name[NAME_MOST] = "";
  if (LLVMIsStringAttribute(a) != 0) {
    unsigned length = 0;
    const char *text = LLVMGetStringAttributeKind(a, &length);
    char whole[NAME_MOST];
    (void)snprintf(whole, sizeof whole, "%.*s", (int)length, text);
    if (FIND(texts, is_text, whole, name) == NULL) refuse(l, "the attribute", whole);
    return;
  }
  unsigned kind = LLVMGetEnumAttributeKind(a);
  if (kind >= KINDS || !l->known[kind]) {
    const row *r = FIND(attributes, is_kind, &kind, name);
    if (r == NULL || r->meaning == REFUSED || kind >= KINDS)
      refuse(l, "the attribute", name);
    else
      l->known[kind] = true;
  }
}

static void of_metadata(look *l, LLVMValueMetadataEntry *entries, size_t count) {
  for (unsigned i = 0; i < count && goes_on(l); i++) {
    char name[NAME_MOST] = "of a kind that is not known";
    metadata_kind kind = {l->context, LLVMValueMetadataEntriesGetKind(entries, i)};
    const row *r = FIND(metadata, is_metadata, &kind, name);
    if (r == NULL || r->meaning == REFUSED) refuse(l, "metadata", name);
  }
  LLVMDisposeValueMetadataEntries(entries);
}

/* Of a function (`call` NULL), or of a call: of itself, of what it gives, and of each parameter. */
static void of_all(look *l, LLVMValueRef function, LLVMValueRef call, unsigned parameters) {
  for (unsigned n = 0; n <= parameters + 1 && goes_on(l); n++) {
    const LLVMAttributeIndex at = n == 0 ? (LLVMAttributeIndex)LLVMAttributeFunctionIndex : n - 1;
    const unsigned count =
        call == NULL ? LLVMGetAttributeCountAtIndex(function, at) : LLVMGetCallSiteAttributeCount(call, at);
    LLVMAttributeRef *all = mem_calloc(count + 1, sizeof(LLVMAttributeRef));
    if (call == NULL)
      LLVMGetAttributesAtIndex(function, at, all);
    else
      LLVMGetCallSiteAttributes(call, at, all);
    for (unsigned i = 0; i < count && goes_on(l); i++) of_attribute(l, all[i]);
    free(all);
  }
}

static void of_instruction(look *l, LLVMValueRef i) {
  size_t count = 0;
  LLVMValueMetadataEntry *entries = LLVMInstructionGetAllMetadataOtherThanDebugLoc(i, &count);
  of_metadata(l, entries, count);
  if (LLVMGetInstructionOpcode(i) == LLVMCall) {
    const LLVMValueRef called = LLVMGetCalledValue(i);
    of_all(l, NULL, i, LLVMGetNumArgOperands(i));
    if (LLVMIsAFunction(called) != NULL) of_all(l, called, NULL, LLVMCountParams(called));
  }
}

/* Adds what is not known of a function, of what it calls or of an instruction in it: "the attribute naked". Nothing: all is. */
static void attributes_unknown(LLVMContextRef context, LLVMValueRef function, buffer *unknown) {
  look l = {.context = context, .unknown = unknown};
  size_t count = 0;
  LLVMValueMetadataEntry *entries = LLVMGlobalCopyAllMetadata(function, &count);
  of_metadata(&l, entries, count);
  of_all(&l, function, NULL, LLVMCountParams(function));
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b != NULL && goes_on(&l); b = LLVMGetNextBasicBlock(b))
    for (LLVMValueRef i = LLVMGetFirstInstruction(b); i != NULL && goes_on(&l); i = LLVMGetNextInstruction(i))
      of_instruction(&l, i);
  if (goes_on(&l) && LLVMGetNamedGlobal(LLVMGetGlobalParent(function), "llvm.global_ctors") != NULL)
    refuse(&l, "a constructor,", "which runs before the kernel");
}
