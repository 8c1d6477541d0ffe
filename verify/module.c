/* Reads bitcode, runs LLVM's passes over it, and answers where things are written. */
#include "verify/module.h"

#include <llvm-c/BitReader.h>
#include <llvm-c/DebugInfo.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "verify/lanes.h"
#include "verify/unroll.h"

static const LLVMAttributeIndex FUNCTION = (LLVMAttributeIndex)LLVMAttributeFunctionIndex;
enum { KERNEL_CONVENTION = 76 /* LLVM's number of SPIR_KERNEL */ };

/* What does not change which memory is read or written, in which order; nothing is moved, and no access goes. */
static const char passes[] =
    "always-inline,globaldce,function(sroa,mem2reg,lower-switch,mergereturn,"
    "simplifycfg<no-forward-switch-cond;no-switch-to-lookup;keep-loops;no-hoist-common-insts;no-sink-common-insts;"
    "bonus-inst-threshold=0;no-speculate-blocks>,lower-switch,loop-simplify,lcssa)";

static unsigned kind(const char *name) { return LLVMGetEnumAttributeKindForName(name, strlen(name)); }

/* A load whose value is not used can race, too, and so can each of two stores: none must vanish, or become one with another.
 * Of private memory nobody else knows: see unroll.c for that. */
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

static void prepare_function(const module *m, LLVMValueRef f) {
  LLVMRemoveEnumAttributeAtIndex(f, FUNCTION, kind("noinline"));
  LLVMRemoveEnumAttributeAtIndex(f, FUNCTION, kind("optnone"));
  LLVMAddAttributeAtIndex(f, FUNCTION, LLVMCreateEnumAttribute(m->context, kind("alwaysinline"), 0));
  LLVMSetLinkage(f, LLVMGetFunctionCallConv(f) == KERNEL_CONVENTION ? LLVMExternalLinkage : LLVMInternalLinkage);
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b != NULL; b = LLVMGetNextBasicBlock(b)) {
    for (LLVMValueRef i = LLVMGetFirstInstruction(b); i != NULL; i = LLVMGetNextInstruction(i)) {
      mark_access(m, i);
    }
  }
}

static int run_passes(module *m, error *e) {
  for (LLVMValueRef f = LLVMGetFirstFunction(m->module); f != NULL; f = LLVMGetNextFunction(f)) {
    if (LLVMIsDeclaration(f) == 0) {
      prepare_function(m, f);
    }
  }
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
  if (LLVMGetNamedMetadataNumOperands(m, name) != 1) {
    return 120;
  }
  LLVMGetNamedMetadataOperands(m, name, version);
  if (LLVMGetMDNodeNumOperands(version[0]) != 2) {
    return 120;
  }
  LLVMGetMDNodeOperands(version[0], parts);
  return (unsigned)(LLVMConstIntGetZExtValue(parts[0]) * 100 + LLVMConstIntGetZExtValue(parts[1]) * 10);
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
  if (run_passes(out, e) != 0) {
    module_free(out);
    return -1;
  }
  out->layout = LLVMGetModuleDataLayout(out->module); /* the module's own */
  return 0;
}

void module_free(module *m) {
  if (m->module != NULL) {
    LLVMDisposeModule(m->module);
  }
  if (m->context != NULL) {
    LLVMContextDispose(m->context);
  }
  *m = (module){0};
}

LLVMValueRef module_next_kernel(const module *m, LLVMValueRef after) {
  LLVMValueRef f = after == NULL ? LLVMGetFirstFunction(m->module) : LLVMGetNextFunction(after);
  while (f != NULL && (LLVMIsDeclaration(f) != 0 || LLVMGetFunctionCallConv(f) != KERNEL_CONVENTION)) {
    f = LLVMGetNextFunction(f);
  }
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
  for (; location != NULL && level > 0; level--) {
    location = LLVMDILocationGetInlinedAt(location);
  }
  if (location == NULL) {
    return false;
  }
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

static const char *argument_text(const module *m, LLVMValueRef kernel, unsigned argument, const char *what) {
  unsigned count = 0, length = 0;
  LLVMValueRef *parts = metadata_of(m, kernel, what, &count);
  const char *text = argument < count ? LLVMGetMDString(parts[argument], &length) : NULL;
  free(parts);
  return text == NULL ? "" : text;
}

const char *module_argument_type(const module *m, LLVMValueRef kernel, unsigned argument) {
  return argument_text(m, kernel, argument, "kernel_arg_type");
}

const char *module_argument_base_type(const module *m, LLVMValueRef kernel, unsigned argument) {
  return argument_text(m, kernel, argument, "kernel_arg_base_type");
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
    if (LLVMIsAConstantInt(index) == NULL) {
      return false;
    }
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
