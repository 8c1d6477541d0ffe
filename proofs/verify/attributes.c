/* Attributes and metadata: which say nothing that matters here, which promise something, which are read, and which are refused. What
 * has no row is refused, too.
 * Soundness: docs/verify.md, What is known. */
#include "proofs/verify/attributes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "proofs/verify/module.h"

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

void attributes_unknown(LLVMContextRef context, LLVMValueRef function, buffer *unknown) {
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
