/* The functions of OpenCL C that a kernel calls, and what kind each is. */
#ifndef CLTC_VERIFY_CALLS_H
#define CLTC_VERIFY_CALLS_H

#include <stdbool.h>

#include "verify/arena.h"

typedef enum call_kind {
  CALL_PURE,      /* its result depends on its arguments alone; where it has pointers, it may write through them */
  CALL_WORK_ITEM, /* get_global_id and the like */
  CALL_BARRIER,
  CALL_SUB_GROUP_BARRIER,
  CALL_NOTHING, /* touches no memory: fences, prefetch, assumptions of LLVM */
  CALL_FENCE,
  CALL_PRINTF,
  CALL_ATOMIC,
  CALL_VLOAD,
  CALL_VSTORE,
  CALL_ASYNC_COPY,
  CALL_ASYNC_WAIT,
  CALL_MEMCPY,
  CALL_MEMSET,
  CALL_MIN,
  CALL_MAX,
  CALL_CLAMP,
  CALL_MUL24,
  CALL_MAD24,
  CALL_ABS,
  CALL_READ_IMAGE,
  CALL_WRITE_IMAGE,
  CALL_IMAGE_SIZE,
  CALL_SUB_GROUP, /* a value that depends on the other work-items */
  CALL_REQUIRES,  /* annotations: see annotations.c */
  CALL_ASSUME,
  CALL_ASSERT,
  CALL_INVARIANT,
  CALL_CANDIDATE,
  CALL_ANY,
  CALL_ENABLED,
  CALL_SAME_GROUP,
  CALL_UNIFORM,
  CALL_DISTINCT,
  CALL_OTHER,
  CALL_ALL,
  CALL_READ_BEFORE, /* annotations about accesses: see logged.c */
  CALL_WRITTEN_BEFORE,
  CALL_READ_AT,
  CALL_WRITTEN_AT,
  CALL_OFFSET,
  CALL_UNCHECKED,  /* an annotation that is not understood */
  CALL_READS_FROM, /* anything in the memory of a pointer */
  CALL_WRITES_TO,
  CALL_VOTE,   /* work_group_all and other functions of the whole group */
  CALL_UNKNOWN /* of no known meaning */
} call_kind;

typedef struct call {
  call_kind kind;
  const char *name;       /* "get_global_id" */
  const char *parameters; /* as the name is mangled: "j", "Dv4_fmPU3AS1f" */
  const char *symbol;     /* the whole */
} call;

/* What the function of this name (as the linker sees it) is; in `memory`. */
const call *call_find(const char *symbol, arena *memory);
/* Whether it is an annotation, which touches no memory. */
bool call_is_annotation(const call *c);
/* Whether the (last) parameter is a signed number, for functions of integers; floating point: false with `*real` set. */
bool call_is_signed(const call *c, bool *real);
/* The bytes of an element that a vload or vstore moves. 0: not known. */
unsigned call_element_bytes(const call *c);

#endif
