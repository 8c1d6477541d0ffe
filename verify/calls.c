/* Names of functions, as the linker sees them, to kinds: one table. */
#include "verify/calls.h"

#include <stdlib.h>
#include <string.h>

typedef struct row {
  const char *name;
  call_kind kind;
  bool begins; /* all names that begin so */
} row;

/* The first that fits holds. */
static const row rows[] = {
    {"barrier", CALL_BARRIER, false},
    {"work_group_barrier", CALL_BARRIER, false},
    {"sub_group_barrier", CALL_SUB_GROUP_BARRIER, false},
    {"mem_fence", CALL_FENCE, false},
    {"read_mem_fence", CALL_FENCE, false},
    {"write_mem_fence", CALL_FENCE, false},
    {"atomic_work_item_fence", CALL_FENCE, false},
    {"atomic_", CALL_ATOMIC, true},
    {"atom_", CALL_ATOMIC, true},
    {"get_sub_group", CALL_SUB_GROUP, true},
    {"get_max_sub_group_size", CALL_SUB_GROUP, false},
    {"get_num_sub_groups", CALL_SUB_GROUP, false},
    {"get_enqueued_num_sub_groups", CALL_SUB_GROUP, false},
    {"sub_group_", CALL_SUB_GROUP, true},
    {"intel_sub_group_", CALL_SUB_GROUP, true},
    {"get_global_id", CALL_WORK_ITEM, false},
    {"get_local_id", CALL_WORK_ITEM, false},
    {"get_group_id", CALL_WORK_ITEM, false},
    {"get_global_size", CALL_WORK_ITEM, false},
    {"get_local_size", CALL_WORK_ITEM, false},
    {"get_enqueued_local_size", CALL_WORK_ITEM, false},
    {"get_num_groups", CALL_WORK_ITEM, false},
    {"get_global_offset", CALL_WORK_ITEM, false},
    {"get_work_dim", CALL_WORK_ITEM, false},
    {"get_global_linear_id", CALL_WORK_ITEM, false},
    {"get_local_linear_id", CALL_WORK_ITEM, false},
    {"work_group_", CALL_VOTE, true},
    {"async_work_group_", CALL_ASYNC_COPY, true},
    {"wait_group_events", CALL_ASYNC_WAIT, false},
    {"prefetch", CALL_NOTHING, false},
    {"__translate_sampler_initializer", CALL_NOTHING, false},
    {"printf", CALL_PRINTF, false},
    {"vload", CALL_VLOAD, true},
    {"vstore", CALL_VSTORE, true},
    {"get_image_", CALL_IMAGE_SIZE, true},
    {"read_image", CALL_READ_IMAGE, true},
    {"write_image", CALL_WRITE_IMAGE, true},
    {"min", CALL_MIN, false},
    {"max", CALL_MAX, false},
    {"clamp", CALL_CLAMP, false},
    {"mul24", CALL_MUL24, false},
    {"mad24", CALL_MAD24, false},
    {"abs", CALL_ABS, false},
    {"__cltc_requires", CALL_REQUIRES, false},
    {"__cltc_assume", CALL_ASSUME, false},
    {"__cltc_assert", CALL_ASSERT, false},
    {"__cltc_invariant", CALL_INVARIANT, false},
    {"__cltc_candidate", CALL_CANDIDATE, false},
    {"__cltc_any", CALL_ANY, false},
    {"__cltc_enabled", CALL_ENABLED, false},
    {"__cltc_same_group", CALL_SAME_GROUP, false},
    {"__cltc_uniform", CALL_UNIFORM, false},
    {"__cltc_distinct", CALL_DISTINCT, false},
    {"__cltc_other", CALL_OTHER, false},
    {"__cltc_all", CALL_ALL, false},
    {"__cltc_global_requires", CALL_REQUIRES, false},
    {"__cltc_global_assert", CALL_ASSERT, false},
    {"__cltc_read", CALL_READ_BEFORE, false},
    {"__cltc_written", CALL_WRITTEN_BEFORE, false},
    {"__cltc_read_at", CALL_READ_AT, false},
    {"__cltc_written_at", CALL_WRITTEN_AT, false},
    {"__cltc_offset", CALL_OFFSET, false},
    {"__cltc_unchecked", CALL_UNCHECKED, false},
    {"__cltc_reads_from", CALL_READS_FROM, false},
    {"__cltc_writes_to", CALL_WRITES_TO, false},
    {"llvm.memcpy.", CALL_MEMCPY, true},
    {"llvm.memmove.", CALL_MEMCPY, true},
    {"llvm.memset.", CALL_MEMSET, true},
    {"llvm.lifetime.", CALL_NOTHING, true},
    {"llvm.dbg.", CALL_NOTHING, true},
    {"llvm.assume", CALL_NOTHING, true},
    {"llvm.stack", CALL_NOTHING, true},
    {"llvm.donothing", CALL_NOTHING, true},
    {"llvm.experimental.noalias", CALL_NOTHING, true},
    {"llvm.", CALL_PURE, true},
};

static call_kind kind_of(const char *name) {
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    if (rows[i].begins ? strncmp(name, rows[i].name, strlen(rows[i].name)) == 0 : strcmp(name, rows[i].name) == 0) {
      return rows[i].kind;
    }
  }
  return CALL_PURE;
}

const call *call_find(const char *symbol, arena *memory) {
  call *c = arena_get(memory, 1, sizeof *c);
  c->symbol = arena_text(memory, symbol);
  c->name = c->symbol;
  c->parameters = "";
  if (strncmp(symbol, "_Z", 2) == 0) {
    char *end = NULL;
    const unsigned long length = strtoul(symbol + 2, &end, 10);
    if (length > 0 && length < strlen(end)) {
      char *name = arena_text(memory, end);
      name[length] = '\0';
      c->name = name;
      c->parameters = arena_text(memory, end + length);
    }
  }
  c->kind = kind_of(c->name);
  if (c->kind == CALL_PURE && strncmp(symbol, "_Z", 2) != 0 && strncmp(symbol, "llvm.", 5) != 0) {
    c->kind = CALL_UNKNOWN; /* no function of OpenCL C */
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
  if (strstr(c->name, "half") != NULL) {
    return 2;
  }
  switch (last_scalar(c->parameters)) {
    case 'c':
    case 'h':
      return 1;
    case 's':
    case 't':
    case 'H':
      return 2;
    case 'i':
    case 'j':
    case 'f':
      return 4;
    case 'l':
    case 'm':
    case 'd':
      return 8;
    default:
      return 0;
  }
}
