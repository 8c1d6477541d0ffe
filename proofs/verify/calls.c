/* Kernels: what the functions are that they call, by their names in one table, and their blocks and loops.
 * Soundness: docs/verify.md, What is known. */
#include <stdlib.h>
#include <string.h>

#include "proofs/verify/kernel.h"

/* What a function is given, a letter an operand:
 *   n  a number: what it gives depends on that      u  the same, and all that meet there have to give the same
 *   f  flags of a fence, s  its scope, o  an order of memory
 *   r  memory that is read, w  that is written, a  that is accessed atomically, x  that is compared with and may be written
 *   p  memory that gets numbers as the function gives, q  that gets integers
 *   i  an image, h  a sampler, c  coordinates in it, l  its level or sample, g  a gradient
 *   k  how many events, v  where they are, e  one
 *   t  of no meaning, .  any others
 * Several lists, `|` between them: any of these. A list that is not here is not known. */
typedef struct row {
  const char
      *names; /* `#`: a number of components or none, `~`: a rounding or none, `@`: native_ or half_, `*`: anything */
  call_kind kind;
  const char *operands;
  const char
      *shown; /* the tests that show what it says, both ways: of tests/proofs/verify/cases or tests/cases/verify */
} row;

static const row rows[] = {
    {"get_global_id get_local_id get_group_id get_global_size get_local_size get_enqueued_local_size get_num_groups "
     "get_global_offset",
     CALL_WORK_ITEM, "n", "indices"},
    {"get_work_dim get_global_linear_id get_local_linear_id", CALL_WORK_ITEM, "", "indices"},
    /* what a group does together */
    {"barrier", CALL_BARRIER, "f", "barriers"},
    {"work_group_barrier", CALL_BARRIER, "f|fs", "barrier_scope"},
    {"work_group_broadcast", CALL_VOTE, "nu|nuu|nuuu", "collective"},
    {"work_group_all work_group_any work_group_reduce_add work_group_reduce_min work_group_reduce_max", CALL_VOTE, "n",
     "collective"},
    {"work_group_scan_exclusive_add work_group_scan_exclusive_min work_group_scan_exclusive_max "
     "work_group_scan_inclusive_add work_group_scan_inclusive_min work_group_scan_inclusive_max",
     CALL_SCAN, "n", "collective"},
    {"async_work_group_copy", CALL_ASYNC_COPY, "wrne", "copies"},
    {"async_work_group_strided_copy", CALL_ASYNC_COPY, "wrnne", "copies"},
    {"wait_group_events", CALL_ASYNC_WAIT, "kv", "event_wait"},
    /* what a sub-group does together, and what its work-items do alone */
    {"sub_group_barrier", CALL_SUB_GROUP_BARRIER, "f|fs", "collective"},
    {"sub_group_all sub_group_any sub_group_reduce_add sub_group_reduce_min sub_group_reduce_max "
     "sub_group_scan_exclusive_add sub_group_scan_exclusive_min sub_group_scan_exclusive_max "
     "sub_group_scan_inclusive_add sub_group_scan_inclusive_min sub_group_scan_inclusive_max "
     "intel_sub_group_reduce_add intel_sub_group_reduce_min intel_sub_group_reduce_max "
     "intel_sub_group_scan_exclusive_add intel_sub_group_scan_exclusive_min intel_sub_group_scan_exclusive_max "
     "intel_sub_group_scan_inclusive_add intel_sub_group_scan_inclusive_min intel_sub_group_scan_inclusive_max",
     CALL_SUB_GROUP_MEETING, "n", "collective"},
    {"sub_group_broadcast intel_sub_group_broadcast", CALL_SUB_GROUP_MEETING, "nu", "collective"},
    {"get_sub_group_id get_sub_group_local_id get_sub_group_size get_max_sub_group_size get_num_sub_groups "
     "get_enqueued_num_sub_groups get_sub_group_eq_mask get_sub_group_ge_mask get_sub_group_gt_mask "
     "get_sub_group_le_mask get_sub_group_lt_mask sub_group_elect",
     CALL_SUB_GROUP, "", "lockstep"},
    {"sub_group_shuffle sub_group_shuffle_xor sub_group_shuffle_up sub_group_shuffle_down sub_group_rotate "
     "sub_group_clustered_rotate sub_group_clustered_reduce_* sub_group_non_uniform_* sub_group_ballot "
     "sub_group_ballot_* sub_group_inverse_ballot sub_group_broadcast_first intel_sub_group_shuffle "
     "intel_sub_group_shuffle_xor intel_sub_group_shuffle_up intel_sub_group_shuffle_down",
     CALL_SUB_GROUP, "n|nn|nnn", "sub_group_functions"},
    {"intel_sub_group_block_* intel_sub_group_avc_* intel_sub_group_ime_*", CALL_REFUSED, ".", "refused"},
    /* memory */
    {"mem_fence read_mem_fence write_mem_fence", CALL_FENCE, "f", "locks"},
    {"atomic_work_item_fence", CALL_FENCE, "fos", "locks"},
    {"atomic_inc atomic_dec atom_inc atom_dec", CALL_ATOMIC, "a", "atomics"},
    {"atomic_add atomic_sub atomic_xchg atomic_min atomic_max atomic_and atomic_or atomic_xor atom_add atom_sub "
     "atom_xchg "
     "atom_min atom_max atom_and atom_or atom_xor",
     CALL_ATOMIC, "an", "atomics"},
    {"atomic_cmpxchg atom_cmpxchg", CALL_ATOMIC, "ann", "exchange_64_bits"},
    {"atomic_init atomic_store atomic_exchange atomic_fetch_add atomic_fetch_sub atomic_fetch_min atomic_fetch_max "
     "atomic_fetch_and atomic_fetch_or atomic_fetch_xor",
     CALL_ATOMIC, "an", "atomics_2"},
    {"atomic_store_explicit atomic_exchange_explicit atomic_fetch_add_explicit atomic_fetch_sub_explicit "
     "atomic_fetch_min_explicit atomic_fetch_max_explicit atomic_fetch_and_explicit atomic_fetch_or_explicit "
     "atomic_fetch_xor_explicit",
     CALL_ATOMIC, "ano|anos", "atomics_2"},
    {"atomic_load atomic_flag_test_and_set atomic_flag_clear", CALL_ATOMIC, "a", "atomics_2"},
    {"atomic_load_explicit atomic_flag_test_and_set_explicit atomic_flag_clear_explicit", CALL_ATOMIC, "ao|aos",
     "atomics_2"},
    {"atomic_compare_exchange_strong atomic_compare_exchange_weak", CALL_ATOMIC, "axn", "atomics_2"},
    {"atomic_compare_exchange_strong_explicit atomic_compare_exchange_weak_explicit", CALL_ATOMIC, "axnoo|axnoos",
     "atomics_2"},
    {"vload# vload_half# vloada_half#", CALL_VLOAD, "nr", "components"},
    {"vstore# vstore_half#~ vstorea_half#~", CALL_VSTORE, "nnw", "components"},
    {"prefetch", CALL_NOTHING, "tt", "calls_and_types"},
    {"printf", CALL_PRINTF, ".", "calls_and_types"},
    {"__translate_sampler_initializer", CALL_NOTHING, "t", "images"},
    /* images */
    {"read_imagef read_imagei read_imageui read_imageh", CALL_READ_IMAGE, "ic|icl|ihc|ihcl|ihcgg", "image"},
    {"write_imagef write_imagei write_imageui write_imageh", CALL_WRITE_IMAGE, "icn|icln", "image"},
    {"get_image_width get_image_height get_image_depth get_image_dim get_image_array_size get_image_channel_data_type "
     "get_image_channel_order get_image_num_mip_levels get_image_num_samples",
     CALL_IMAGE_SIZE, "i", "images"},
    /* functions on integers that are computed, and others */
    {"min", CALL_MIN, "nn", "test_builtins"},
    {"max", CALL_MAX, "nn", "test_builtins"},
    {"clamp", CALL_CLAMP, "nnn", "test_builtins"},
    {"mul24", CALL_MUL24, "nn", "test_builtins"},
    {"mad24", CALL_MAD24, "nnn", "test_builtins"},
    {"abs", CALL_ABS, "n", "test_builtins"},
    {"clz ctz popcount any all", CALL_PURE, "n", "test_builtins"},
    {"abs_diff add_sat sub_sat hadd rhadd mul_hi rotate upsample shuffle", CALL_PURE, "nn", "test_builtins"},
    {"mad_hi mad_sat bitselect select shuffle2", CALL_PURE, "nnn", "test_builtins"},
    {"bit_reverse dot_4x8packed_uu_uint dot_4x8packed_ss_int dot_4x8packed_us_int dot_4x8packed_su_int dot_acc_sat "
     "dot_acc_sat_4x8packed_uu_uint dot_acc_sat_4x8packed_ss_int dot_acc_sat_4x8packed_us_int "
     "dot_acc_sat_4x8packed_su_int bitfield_insert bitfield_extract_signed bitfield_extract_unsigned amd_bfe amd_bfm "
     "amd_bitalign amd_bytealign amd_lerp amd_max3 amd_median3 amd_min3 amd_mqsad amd_msad amd_pack amd_qsad amd_sad "
     "amd_sad4 amd_sadd amd_sadhi amd_sadw amd_unpack0 amd_unpack1 amd_unpack2 amd_unpack3 arm_dot arm_dot_acc "
     "arm_dot_acc_sat",
     CALL_PURE, "n|nn|nnn|nnnn", "function_of_numbers"},
    {"acos acosh acospi asin asinh asinpi atan atanh atanpi cbrt ceil cos cosh cospi degrees erf erfc exp exp2 exp10 "
     "expm1 "
     "fabs floor ilogb lgamma log log2 log10 log1p logb nan radians rint round rsqrt sign sin sinh sinpi sqrt tan tanh "
     "tanpi tgamma trunc length normalize fast_length fast_normalize isfinite isinf isnan isnormal signbit @cos @exp "
     "@exp2 @exp10 @log @log2 @log10 @recip @rsqrt @sin @sqrt @tan",
     CALL_PURE, "n", "function_of_numbers"},
    {"atan2 atan2pi copysign cross distance dot fast_distance fdim fmax fmin fmod hypot isequal isgreater "
     "isgreaterequal "
     "isless islessequal islessgreater isnotequal isordered isunordered ldexp maxmag minmag nextafter pow pown powr "
     "remainder rootn step @divide @powr",
     CALL_PURE, "nn", "function_of_numbers"},
    {"fma mad mix smoothstep", CALL_PURE, "nnn", "function_of_numbers"},
    {"fract modf sincos", CALL_PURE, "np", "out_pointer"},
    {"frexp lgamma_r", CALL_PURE, "nq", "out_pointer"},
    {"remquo", CALL_PURE, "nnq", "out_pointer"},
    /* what gives another number each time */
    {"clock_read_device clock_read_work_group clock_read_sub_group clock_read_hilo_device clock_read_hilo_work_group "
     "clock_read_hilo_sub_group",
     CALL_ANY_VALUE, "", "clock"},
    {"__cltc_unset_*", CALL_ANY_VALUE, "", "undefined"}, /* what nobody has set */
    {"llvm.readcyclecounter llvm.readsteadycounter", CALL_ANY_VALUE, "", "clock"},
    {"get_fence llvm.objectsize.* llvm.is.constant.*", CALL_ANY_VALUE, "t.", "clock"},
    /* pipes, and kernels that start others */
    {"__read_pipe_* __write_pipe_* __reserve_read_pipe __reserve_write_pipe __commit_read_pipe __commit_write_pipe "
     "__work_group_reserve_* __work_group_commit_* __sub_group_reserve_* __sub_group_commit_* __get_pipe_* "
     "is_valid_reserve_id __enqueue_kernel_* __get_kernel_* enqueue_marker get_default_queue ndrange_1D ndrange_2D "
     "ndrange_3D create_user_event retain_event release_event set_user_event_status is_valid_event "
     "capture_event_profiling_info __to_global __to_local __to_private",
     CALL_REFUSED, ".", "refused"},
    /* annotations */
    {"__cltc_requires __cltc_global_requires", CALL_REQUIRES, "n", "annotations"},
    {"__cltc_assume", CALL_ASSUME, "n", "annotations"},
    {"__cltc_assert __cltc_global_assert", CALL_ASSERT, "n", "annotations"},
    {"__cltc_invariant", CALL_INVARIANT, "n", "annotations"},
    {"__cltc_candidate", CALL_CANDIDATE, "n", "annotations"},
    {"__cltc_any", CALL_ANY, "", "annotations"},
    {"__cltc_enabled", CALL_ENABLED, "", "annotations"},
    {"__cltc_same_group", CALL_SAME_GROUP, "", "annotations"},
    {"__cltc_uniform", CALL_UNIFORM, "n", "annotations"},
    {"__cltc_distinct", CALL_DISTINCT, "n", "annotations"},
    {"__cltc_other", CALL_OTHER, "n", "annotations"},
    {"__cltc_all", CALL_ALL, "n", "annotations"},
    {"__cltc_read", CALL_READ_BEFORE, "t", "annotations"},
    {"__cltc_written", CALL_WRITTEN_BEFORE, "t", "annotations"},
    {"__cltc_read_at", CALL_READ_AT, "t", "annotations"},
    {"__cltc_written_at", CALL_WRITTEN_AT, "t", "annotations"},
    {"__cltc_offset", CALL_OFFSET, "t", "annotations"},
    {"__cltc_unchecked", CALL_UNCHECKED, "", "annotations"},
    {"__cltc_reads_from", CALL_READS_FROM, "r", "annotations"},
    {"__cltc_writes_to", CALL_WRITES_TO, "w", "annotations"},
    {"__cltc_unknown*", CALL_REFUSED, ".", "attributes"}, /* see module.c */
    /* what clang makes of the source, and LLVM's passes */
    {"__cltc_unreachable llvm.trap llvm.ubsantrap", CALL_UNREACHABLE, ".", "unreachable"},
    {"llvm.assume", CALL_ASSUME, "n", "assume"},
    {"llvm.ptrmask.*", CALL_MASK, "rn", "align"},
    {"llvm.memcpy.* llvm.memmove.*", CALL_MEMCPY, "wrnt", "calls_and_types"},
    {"llvm.memset.*", CALL_MEMSET, "wnnt", "calls_and_types"},
    {"__cltc_keep llvm.lifetime.* llvm.dbg.* llvm.stack* llvm.donothing llvm.experimental.noalias.* llvm.prefetch.*",
     CALL_NOTHING, ".", "calls_and_types"},
    {"llvm.abs.* llvm.bitreverse.* llvm.bswap.* llvm.ceil.* llvm.copysign.* llvm.cos.* llvm.ctlz.* llvm.ctpop.* "
     "llvm.cttz.* "
     "llvm.exp* llvm.fabs.* llvm.floor.* llvm.fma.* llvm.fmuladd.* llvm.fptosi.sat.* llvm.fptoui.sat.* llvm.fshl.* "
     "llvm.fshr.* llvm.is.fpclass.* llvm.ldexp.* llvm.log* llvm.lrint.* llvm.maximum.* llvm.maxnum.* llvm.minimum.* "
     "llvm.minnum.* llvm.nearbyint.* llvm.pow.* llvm.powi.* llvm.rint.* llvm.round.* llvm.roundeven.* llvm.sadd.* "
     "llvm.sin.* llvm.smax.* llvm.smin.* llvm.smul.* llvm.sqrt.* llvm.sshl.* llvm.ssub.* llvm.tan.* llvm.trunc.* "
     "llvm.uadd.* llvm.umax.* llvm.umin.* llvm.umul.* llvm.ushl.* llvm.usub.* llvm.vector.reduce.* "
     "llvm.convert.from.fp16.* llvm.convert.to.fp16.*",
     CALL_PURE, "n|nn|nnn", "function_of_numbers"},
};

/* Whether the name is one that the pattern stands for. */
static bool fits(const char *pattern, const char *end, const char *name) {
  static const struct {
    char mark;
    const char *texts[7];
  } marks[] = {
      {'#', {"", "2", "3", "4", "8", "16"}}, {'~', {"", "_rte", "_rtz", "_rtp", "_rtn"}}, {'@', {"native_", "half_"}}};
  while (pattern < end && *pattern == *name) {
    pattern++;
    name++;
  }
  if (pattern == end || *pattern == '*') return pattern < end || *name == '\0';
  for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
    for (const char *const *text = marks[i].texts; *pattern == marks[i].mark && *text != NULL; text++)
      if (strncmp(name, *text, strlen(*text)) == 0 && fits(pattern + 1, end, name + strlen(*text))) return true;
  }
  return false;
}

/* convert_uchar4_sat_rte and the like. */
static bool is_conversion(const char *name) {
  static const char types[] =
      "convert_char# convert_uchar# convert_short# convert_ushort# convert_int# convert_uint# convert_long# "
      "convert_ulong# "
      "convert_half# convert_float# convert_double#";
  const size_t whole = strcspn(name + (strncmp(name, "convert_", 8) == 0 ? 8 : 0), "_");
  char head[32];
  const size_t length = strncmp(name, "convert_", 8) == 0 ? 8 + whole : 0;
  if (length >= sizeof head) return false; /* limit: no name of a conversion is so long */
  memcpy(head, name, length);
  head[length] = '\0';
  const char *rest = name + length;
  rest += strncmp(rest, "_sat", 4) == 0 ? 4 : 0;
  static const char rounding[] = "~";
  const bool known = fits(rounding, rounding + 1, rest);
  bool found = false;
  for (const char *at = types; known && *at != '\0'; at += strspn(at, " ")) {
    const char *end = at + strcspn(at, " ");
    found = found || fits(at, end, head);
    at = end;
  }
  return found;
}

/* NULL: there is none. */
static const row *row_of(const char *name) {
  static const row conversion = {"convert_*", CALL_PURE, "n", "test_builtins"};
  if (is_conversion(name)) return &conversion;
  for (const row *r = rows; r < rows + sizeof rows / sizeof *rows; r++) {
    for (const char *at = r->names; *at != '\0'; at += strspn(at, " ")) {
      const char *end = at + strcspn(at, " ");
      if (fits(at, end, name)) return r;
      at = end;
    }
  }
  return NULL;
}

const char *call_shown(const char *name) {
  const row *r = row_of(name);
  return r == NULL ? NULL : r->shown;
}

/* Whether such an operand can be of the type. */
static bool may_be(char letter, LLVMTypeRef type) {
  const LLVMTypeKind kind = LLVMGetTypeKind(type);
  if (strchr("rwaxpqv", letter) != NULL) return kind == LLVMPointerTypeKind;
  if (strchr("ihe", letter) != NULL) return kind == LLVMTargetExtTypeKind;
  const LLVMTypeRef element = kind == LLVMVectorTypeKind ? LLVMGetElementType(type) : type;
  const LLVMTypeKind of = LLVMGetTypeKind(element);
  const bool integer = of == LLVMIntegerTypeKind;
  return letter == 't' || integer ||
         (strchr("nulcg", letter) != NULL &&
          (of == LLVMHalfTypeKind || of == LLVMFloatTypeKind || of == LLVMDoubleTypeKind));
}

/* The list, of those of the row, that the call's operands are as. NULL: none. */
static const char *operands_as(const char *lists, LLVMValueRef v) {
  const unsigned count = LLVMGetNumArgOperands(v);
  for (const char *at = lists; at != NULL; at = strchr(at, '|') == NULL ? NULL : strchr(at, '|') + 1) {
    unsigned n = 0;
    while (n < count && at[n] != '.' && at[n] != '|' && at[n] != '\0' &&
           may_be(at[n], LLVMTypeOf(LLVMGetOperand(v, n))))
      n++;
    if (at[n] == '.' || (n == count && (at[n] == '\0' || at[n] == '|'))) return at;
  }
  return NULL;
}

unsigned call_operand(const call *c, char letter) {
  unsigned n = 0;
  while (c->operands[n] != '\0' && c->operands[n] != '|' && c->operands[n] != letter) n++;
  return c->operands[n] == letter ? n : CALL_NO_OPERAND;
}

bool call_may_write(const call *c, unsigned operand) {
  for (unsigned n = 0; n < operand && c->kind != CALL_UNKNOWN; n++)
    if (c->operands[n] == '.' || c->operands[n] == '|' || c->operands[n] == '\0') return c->kind == CALL_REFUSED;
  return c->kind == CALL_UNKNOWN || c->kind == CALL_REFUSED ||
         (c->operands[operand] != '\0' && strchr("waxpq", c->operands[operand]) != NULL);
}

bool call_meets(const call *c) {
  return c->kind == CALL_BARRIER || c->kind == CALL_VOTE || c->kind == CALL_SCAN || c->kind == CALL_ASYNC_COPY ||
         c->kind == CALL_ASYNC_WAIT || c->kind == CALL_SUB_GROUP_BARRIER || c->kind == CALL_SUB_GROUP_MEETING;
}

LLVMValueRef call_given(const call *c, LLVMValueRef v, char letter) {
  const unsigned n = call_operand(c, letter);
  return n == CALL_NO_OPERAND ? NULL : LLVMGetOperand(v, n);
}

static void refuse(call *c, const char *reason) {
  c->kind = CALL_REFUSED;
  c->reason = reason;
}

/* What the scope of a barrier makes of it: below the one of those who meet it orders no memory. */
static void take_scope(call *c, LLVMValueRef v) {
  const LLVMValueRef given = call_given(c, v, 's');
  if (given != NULL && LLVMIsAConstantInt(given) == NULL) {
    refuse(c, "a scope that is no constant");
  } else if (given != NULL && c->kind != CALL_FENCE && c->kind != CALL_ATOMIC) {
    const unsigned long long scope = LLVMConstIntGetZExtValue(given); /* as memory_scope_… */
    const bool few = scope == 0 || scope > 4 || (scope == 4 && c->kind == CALL_BARRIER);
    c->kind = !few ? c->kind : c->kind == CALL_BARRIER ? CALL_VOTE : CALL_SUB_GROUP_MEETING;
  }
}

static void take_name(call *c, mem_arena *memory) {
  c->name = c->symbol;
  c->parameters = "";
  if (strncmp(c->symbol, "_Z", 2) == 0) {
    char *end = NULL;
    const unsigned long length = strtoul(c->symbol + 2, &end, 10);
    if (length > 0 && length < strlen(end)) {
      char *name = mem_arena_copy(memory, end);
      name[length] = '\0';
      c->name = name;
      c->parameters = mem_arena_copy(memory, end + length);
    }
  }
}

/* What the call is; in `memory`. */
static const call *call_find(LLVMValueRef v, mem_arena *memory) {
  const LLVMValueRef called = LLVMGetCalledValue(v);
  call *c = mem_arena_array(memory, 1, sizeof *c);
  *c = (call){.kind = CALL_UNKNOWN, .symbol = "", .operands = ""};
  if (LLVMIsAFunction(called) != NULL) c->symbol = mem_arena_copy(memory, module_name(called));
  take_name(c, memory);
  if (LLVMIsAFunction(called) == NULL) {
    refuse(c, LLVMIsAInlineAsm(called) != NULL ? "assembly" : "a call of what is no function");
  } else if (LLVMIsDeclaration(called) == 0) {
    c->body = true;
  } else {
    const bool mangled = c->name != c->symbol; /* as all functions of OpenCL C are but printf */
    const bool may = mangled || strchr(c->name, '.') != NULL || c->name[0] == '_' || strcmp(c->name, "printf") == 0;
    const bool own = LLVMGetStringAttributeAtIndex(called, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, MODULE_OWN,
                                                   sizeof MODULE_OWN - 1) != NULL;
    const row *r = may && !own ? row_of(c->name) : NULL;
    const char *operands = r == NULL ? NULL : operands_as(r->operands, v);
    if (operands != NULL) {
      c->kind = r->kind;
      c->operands = operands;
      c->reason = strncmp(c->name, MODULE_UNKNOWN, sizeof MODULE_UNKNOWN - 1) == 0 ? c->name + sizeof MODULE_UNKNOWN - 1
                  : c->kind == CALL_REFUSED ? mem_arena_printf(memory, "a call of %s", c->name)
                                            : NULL;
      take_scope(c, v);
    } else if (r != NULL) {
      refuse(c, mem_arena_printf(memory, "a call of %s with operands that are not known", c->name));
    } else if (strncmp(c->symbol, "llvm.", 5) == 0) {
      refuse(c, mem_arena_printf(memory, "a call of %s", c->name));
    }
  }
  return c;
}

bool call_is_annotation(const call *c) { return c->kind >= CALL_REQUIRES && c->kind <= CALL_UNCHECKED; }

/* The letter of the last scalar type in a mangled list: 'i' of "Dv4_iS_". */
static char last_scalar(const char *parameters) {
  char found = '\0';
  for (const char *c = parameters; *c != '\0'; c++) {
    if (*c == 'D' && c[1] == 'v') { /* Dv4_ */
      c += 2 + strspn(c + 2, "0123456789");
    } else if (*c == 'D' && c[1] == 'h') { /* half */
      found = 'H';
      c++;
    } else if (*c == 'U') { /* U3AS1: an address space */
      c += 1;
      char *end = NULL;
      const unsigned long length = strtoul(c, &end, 10);
      c = length > 0 && length < strlen(end) ? end + length - 1 : c;
    } else if (*c == 'S') { /* S_, S0_: what came before */
      c += strcspn(c, "_");
      c -= *c == '\0' ? 1 : 0;
    } else if (strchr("chstijlmfd", *c) != NULL) {
      found = *c;
    }
  }
  return found;
}

bool call_is_signed(const call *c, bool *real) {
  const char scalar = last_scalar(c->parameters);
  *real = scalar == 'f' || scalar == 'd' || scalar == 'H';
  return scalar == 'c' || scalar == 's' || scalar == 'i' || scalar == 'l';
}

unsigned call_element_bytes(const call *c) {
  if (strstr(c->name, "half") != NULL) return 2;
  switch (last_scalar(c->parameters)) {
    case 'c':
    case 'h': return 1;
    case 's':
    case 't':
    case 'H': return 2;
    case 'i':
    case 'j':
    case 'f': return 4;
    case 'l':
    case 'm':
    case 'd': return 8;
    default: return 0;
  }
}

/* --- blocks, dominators and loops --------------------------------------------------------------------------------- */

/* Reads a function of LLVM into blocks, and finds dominators and loops.
 * Soundness: docs/verify.md, Why it is right, Control. */

/* --- numbers of values ------------------------------------------------------------------------------------------- */

/* Open addressing by pointer; never full. */
typedef struct value_index {
  const void **keys;
  uint32_t *numbers;
  size_t mask;
} value_index;

static size_t slot_of(const value_index *x, const void *key) {
  size_t slot = ((size_t)(uintptr_t)key >> 4) * (size_t)0x9E3779B97F4A7C15U & x->mask;
  while (x->keys[slot] != NULL && x->keys[slot] != key) slot = (slot + 1) & x->mask;
  return slot;
}

static void put(value_index *x, const void *key, uint32_t number) {
  const size_t slot = slot_of(x, key);
  x->keys[slot] = key;
  x->numbers[slot] = number;
}

static uint32_t get(const value_index *x, const void *key) {
  const size_t slot = slot_of(x, key);
  return x->keys[slot] == NULL ? NONE : x->numbers[slot];
}

static value_index *new_index(mem_arena *memory, size_t count) {
  size_t size = 64;
  while (size < count * 2) size *= 2;
  value_index *x = mem_arena_array(memory, 1, sizeof *x);
  x->keys = mem_arena_array(memory, size, sizeof *x->keys);
  x->numbers = mem_arena_array(memory, size, sizeof *x->numbers);
  x->mask = size - 1;
  return x;
}

uint32_t kernel_number(const kernel *k, LLVMValueRef value) { return get(k->index, value); }

const instruction *kernel_instruction(const kernel *k, uint32_t number) {
  return number < k->argument_count ? NULL : &k->instructions[number - k->argument_count];
}

/* --- blocks in reverse post-order -------------------------------------------------------------------------------- */

typedef struct visit {
  LLVMBasicBlockRef block;
  unsigned next;
} visit;

static unsigned successor_count(LLVMBasicBlockRef b) {
  const LLVMValueRef end = LLVMGetBasicBlockTerminator(b);
  return end == NULL ? 0 : LLVMGetNumSuccessors(end);
}

/* The reachable blocks, each after all that are before it but for back edges. */
static LLVMBasicBlockRef *sorted_blocks(LLVMValueRef f, value_index *seen, mem_arena *memory, uint32_t *count) {
  const unsigned all = LLVMCountBasicBlocks(f);
  LLVMBasicBlockRef *post = mem_arena_array(memory, all + 1, sizeof(LLVMBasicBlockRef));
  visit *stack = mem_arena_array(memory, all + 1, sizeof *stack);
  size_t depth = 0;
  *count = 0;
  stack[depth++] = (visit){LLVMGetEntryBasicBlock(f), 0};
  put(seen, stack[0].block, 0);
  while (depth > 0) {
    visit *top = &stack[depth - 1];
    if (top->next == successor_count(top->block)) {
      post[(*count)++] = top->block;
      depth--;
      continue;
    }
    const LLVMBasicBlockRef next = LLVMGetSuccessor(LLVMGetBasicBlockTerminator(top->block), top->next++);
    if (get(seen, next) == NONE) {
      put(seen, next, 0);
      stack[depth++] = (visit){next, 0};
    }
  }
  for (uint32_t i = 0; i < *count / 2; i++) {
    const LLVMBasicBlockRef other = post[i];
    post[i] = post[*count - 1 - i];
    post[*count - 1 - i] = other;
  }
  return post;
}

static void read_instructions(kernel *k, LLVMBasicBlockRef *order) {
  size_t total = 0;
  for (uint32_t b = 0; b < k->block_count; b++)
    for (LLVMValueRef i = LLVMGetFirstInstruction(order[b]); i != NULL; i = LLVMGetNextInstruction(i)) total++;
  k->instructions = mem_arena_array(k->memory, total + 1, sizeof *k->instructions);
  for (uint32_t b = 0; b < k->block_count; b++) {
    block *to = &k->blocks[b];
    to->first = k->instruction_count;
    for (LLVMValueRef i = LLVMGetFirstInstruction(order[b]); i != NULL; i = LLVMGetNextInstruction(i)) {
      instruction *n = &k->instructions[k->instruction_count];
      *n = (instruction){.value = i, .opcode = LLVMGetInstructionOpcode(i), .block = b};
      if (n->opcode == LLVMCall) {
        n->callee = call_find(i, k->memory);
        k->copies = k->copies || n->callee->kind == CALL_ASYNC_COPY;
      }
      put(k->index, i, k->argument_count + k->instruction_count++);
    }
    to->count = k->instruction_count - to->first;
  }
}

static bool contains(const uint32_t *list, uint32_t count, uint32_t what) {
  for (uint32_t i = 0; i < count; i++)
    if (list[i] == what) return true;
  return false;
}

static void read_edges(kernel *k, LLVMBasicBlockRef *order) {
  for (uint32_t b = 0; b < k->block_count; b++) {
    block *from = &k->blocks[b];
    const unsigned count = successor_count(order[b]);
    from->successors = mem_arena_array(k->memory, count + 1, sizeof(uint32_t));
    for (unsigned i = 0; i < count; i++) {
      const uint32_t to = get(k->index, LLVMGetSuccessor(LLVMGetBasicBlockTerminator(order[b]), i));
      if (!contains(from->successors, from->successor_count, to)) {
        from->successors[from->successor_count++] = to;
        k->blocks[to].predecessor_count++;
      }
    }
  }
  for (uint32_t b = 0; b < k->block_count; b++) {
    k->blocks[b].predecessors = mem_arena_array(k->memory, k->blocks[b].predecessor_count + 1, sizeof(uint32_t));
    k->blocks[b].predecessor_count = 0;
  }
  for (uint32_t b = 0; b < k->block_count; b++) {
    for (uint32_t i = 0; i < k->blocks[b].successor_count; i++) {
      block *to = &k->blocks[k->blocks[b].successors[i]];
      to->predecessors[to->predecessor_count++] = b;
    }
  }
}

/* --- dominators (Cooper, Harvey, Kennedy) ------------------------------------------------------------------------- */

static uint32_t common(const uint32_t *parents, uint32_t a, uint32_t b) {
  while (a != b) {
    while (a > b) a = parents[a];
    while (b > a) b = parents[b];
  }
  return a;
}

static void find_dominators(kernel *k) {
  uint32_t *parents = mem_arena_array(k->memory, k->block_count, sizeof *parents);
  for (uint32_t b = 1; b < k->block_count; b++) parents[b] = NONE;
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t b = 1; b < k->block_count; b++) {
      uint32_t found = NONE;
      for (uint32_t i = 0; i < k->blocks[b].predecessor_count; i++) {
        const uint32_t p = k->blocks[b].predecessors[i];
        if (parents[p] != NONE) found = found == NONE ? p : common(parents, p, found);
      }
      changed = changed || parents[b] != found;
      parents[b] = found;
    }
  }
  for (uint32_t b = 0; b < k->block_count; b++) k->blocks[b].dominator = parents[b];
}

/* Whether x is on every way from the block to the end, by what is known of the blocks that follow. */
static bool is_ahead(const kernel *k, const bool *on, uint32_t from, uint32_t x) {
  const block *at = &k->blocks[from];
  bool all = at->successor_count > 0 || k->instructions[at->first + at->count - 1].opcode == LLVMUnreachable;
  for (uint32_t i = 0; i < at->successor_count && all; i++) all = on[(size_t)at->successors[i] * k->block_count + x];
  return x == from || all;
}

/* Of those ahead of the block the nearest: from which most are still to come. */
static uint32_t nearest(const bool *on, const uint32_t *behind, uint32_t n, uint32_t from) {
  uint32_t found = NONE;
  for (uint32_t x = 0; x < n; x++)
    if (x != from && on[(size_t)from * n + x] && (found == NONE || behind[x] > behind[found])) found = x;
  return found;
}

/* Post-dominators, as sets: kernels are small. Bit x of row b: x is on every way from b to the end. */
static void find_post_dominators(kernel *k) {
  const uint32_t n = k->block_count;
  bool *on = mem_calloc((size_t)n * n, sizeof *on);
  memset(on, true, (size_t)n * n);
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t b = n; b-- > 0;) {
      for (uint32_t x = 0; x < n; x++) {
        const bool now = is_ahead(k, on, b, x);
        changed = changed || now != on[(size_t)b * n + x];
        on[(size_t)b * n + x] = now;
      }
    }
  }
  uint32_t *behind = mem_calloc(n, sizeof *behind);
  for (size_t i = 0; i < (size_t)n * n; i++) behind[i / n] += on[i] ? 1 : 0;
  for (uint32_t b = 0; b < n; b++) k->blocks[b].post_dominator = nearest(on, behind, n, b);
  free(behind);
  free(on);
}

static bool kernel_dominates(const kernel *k, uint32_t above, uint32_t b) {
  while (b > above) b = k->blocks[b].dominator;
  return b == above;
}

/* --- loops -------------------------------------------------------------------------------------------------------- */

static loop *loop_of(kernel *k, uint32_t header) {
  const uint32_t known = kernel_loop_of_header(k, header);
  if (known != NONE) return &k->loops[known];
  loop *l = &k->loops[k->loop_count++];
  *l = (loop){.header = header, .parent = NONE, .has = mem_arena_array(k->memory, k->block_count, sizeof(bool))};
  l->has[header] = true;
  return l;
}

/* All from which `from` is reached without the header. */
static void add_body(const kernel *k, loop *l, uint32_t from) {
  uint32_t *todo = mem_calloc(k->block_count + 1, sizeof *todo);
  size_t count = 0;
  if (!l->has[from]) {
    l->has[from] = true;
    todo[count++] = from;
  }
  while (count > 0) {
    const block *b = &k->blocks[todo[--count]];
    for (uint32_t i = 0; i < b->predecessor_count; i++) {
      if (!l->has[b->predecessors[i]]) {
        l->has[b->predecessors[i]] = true;
        todo[count++] = b->predecessors[i];
      }
    }
  }
  free(todo);
}

/* The innermost loop of a list of loops sorted from outer to inner that has the block, and that is not `but`. */
static uint32_t innermost(const kernel *k, uint32_t b, uint32_t but) {
  uint32_t found = NONE;
  for (uint32_t i = 0; i < k->loop_count; i++)
    if (i != but && k->loops[i].has[b] && (found == NONE || k->loops[i].block_count < k->loops[found].block_count))
      found = i;
  return found;
}

static void describe_loop(kernel *k, loop *l) {
  l->blocks = mem_arena_array(k->memory, k->block_count, sizeof(uint32_t));
  for (uint32_t b = 0; b < k->block_count; b++) {
    if (!l->has[b]) continue;
    l->blocks[l->block_count++] = b;
    for (uint32_t i = 0; i < k->blocks[b].count; i++) {
      const instruction *at = &k->instructions[k->blocks[b].first + i];
      l->barrier = l->barrier || (at->callee != NULL && call_meets(at->callee));
    }
  }
}

/* false: some loop has several entries. */
static bool find_loops(kernel *k, LLVMValueRef *where) {
  k->loops = mem_arena_array(k->memory, k->block_count + 1, sizeof *k->loops);
  for (uint32_t b = 0; b < k->block_count; b++) {
    for (uint32_t i = 0; i < k->blocks[b].successor_count; i++) {
      const uint32_t to = k->blocks[b].successors[i];
      if (to > b) continue;
      if (!kernel_dominates(k, to, b)) {
        *where = k->instructions[k->blocks[b].first + k->blocks[b].count - 1].value;
        return false;
      }
      add_body(k, loop_of(k, to), b);
    }
  }
  for (uint32_t i = 0; i < k->loop_count; i++) describe_loop(k, &k->loops[i]);
  for (uint32_t i = 0; i < k->loop_count; i++) k->loops[i].parent = innermost(k, k->loops[i].header, i);
  for (uint32_t i = 0; i < k->loop_count; i++) {
    k->loops[i].depth = 1;
    for (uint32_t p = k->loops[i].parent; p != NONE; p = k->loops[p].parent) k->loops[i].depth++;
  }
  for (uint32_t b = 0; b < k->block_count; b++) k->blocks[b].loop = innermost(k, b, NONE);
  return true;
}

uint32_t kernel_loop_of_header(const kernel *k, uint32_t b) {
  for (uint32_t i = 0; i < k->loop_count; i++)
    if (k->loops[i].header == b) return i;
  return NONE;
}

unsigned kernel_dimensions(const kernel *k, bool all) {
  unsigned most = 1;
  for (uint32_t n = 0; n < k->instruction_count; n++) {
    const instruction *i = &k->instructions[n];
    if (i->callee == NULL || i->callee->kind != CALL_WORK_ITEM) continue;
    const LLVMValueRef d = LLVMGetNumArgOperands(i->value) == 0 ? NULL : LLVMGetOperand(i->value, 0);
    if (d == NULL && !all) continue;
    const unsigned long long number = d == NULL || LLVMIsAConstantInt(d) == NULL ? 2 : LLVMConstIntGetZExtValue(d);
    most = number < 3 && number >= most ? (unsigned)number + 1 : most;
  }
  return most;
}

/* Which values are used after the loop that makes them. */
static void find_escaping(kernel *k) {
  for (uint32_t i = 0; i < k->instruction_count; i++) {
    instruction *n = &k->instructions[i];
    const uint32_t in = k->blocks[n->block].loop;
    for (LLVMUseRef use = LLVMGetFirstUse(n->value); use != NULL && in != NONE; use = LLVMGetNextUse(use)) {
      const uint32_t user = kernel_number(k, LLVMGetUser(use));
      const instruction *by = user == NONE ? NULL : kernel_instruction(k, user);
      n->escapes = n->escapes || (by != NULL && !k->loops[in].has[by->block]);
    }
  }
}

kernel *kernel_read(const module *m, LLVMValueRef function, mem_arena *memory, const char **reason,
                    LLVMValueRef *where) {
  kernel *k = mem_arena_array(memory, 1, sizeof *k);
  *k = (kernel){.module = m, .function = function, .memory = memory};
  k->name = module_name(function);
  k->argument_count = LLVMCountParams(function);
  size_t values = k->argument_count + LLVMCountBasicBlocks(function);
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b != NULL; b = LLVMGetNextBasicBlock(b))
    for (LLVMValueRef i = LLVMGetFirstInstruction(b); i != NULL; i = LLVMGetNextInstruction(i)) values++;
  value_index *seen = new_index(memory, LLVMCountBasicBlocks(function));
  LLVMBasicBlockRef *order = sorted_blocks(function, seen, memory, &k->block_count);
  k->index = new_index(memory, values);
  for (uint32_t i = 0; i < k->argument_count; i++) put(k->index, LLVMGetParam(function, i), i);
  for (uint32_t b = 0; b < k->block_count; b++) put(k->index, order[b], b);
  k->blocks = mem_arena_array(memory, k->block_count, sizeof *k->blocks);
  read_instructions(k, order);
  read_edges(k, order);
  find_dominators(k);
  find_post_dominators(k);
  if (!find_loops(k, where)) {
    *reason = "a loop that is entered at several places";
    return NULL;
  }
  find_escaping(k);
  return k;
}
