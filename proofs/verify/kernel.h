/* A kernel as the proof walks it: its blocks, and what is known of the functions that it calls. */
#ifndef CLTC_VERIFY_KERNEL_H
#define CLTC_VERIFY_KERNEL_H

#include "base/memory.h"
#include "proofs/verify/module.h"

/* --- calls -------------------------------------------------------------------------------------------------------- */

/* What the proofs know of functions: those of OpenCL C, of annotations, and of LLVM, each with its operands. A function that is not
 * known, or with other operands, is never one that only computes: see CALL_UNKNOWN and CALL_REFUSED. */

typedef enum call_kind {
  CALL_PURE,      /* its result depends on its arguments alone; where it has pointers, it may write through them */
  CALL_ANY_VALUE, /* it gives another number each time */
  CALL_WORK_ITEM, /* get_global_id and the like */
  CALL_BARRIER,
  CALL_SUB_GROUP_BARRIER,
  CALL_SUB_GROUP_MEETING, /* what all work-items of a sub-group have to come to */
  CALL_NOTHING,           /* touches no memory: fences, prefetch, assumptions of LLVM */
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
  CALL_REQUIRES,  /* annotations */
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
  CALL_READ_BEFORE, /* annotations about accesses */
  CALL_WRITTEN_BEFORE,
  CALL_READ_AT,
  CALL_WRITTEN_AT,
  CALL_OFFSET,
  CALL_UNCHECKED,  /* an annotation that is not understood */
  CALL_READS_FROM, /* anything in the memory of a pointer */
  CALL_WRITES_TO,
  CALL_VOTE,        /* work_group_all and other functions of the whole group, which give all the same */
  CALL_SCAN,        /* the same, but each its own */
  CALL_MASK,        /* an address with some of its bits */
  CALL_UNREACHABLE, /* what the source says never to be reached */
  CALL_REFUSED,     /* nothing is known of what it does: see `reason` */
  CALL_UNKNOWN      /* no function of OpenCL C */
} call_kind;

typedef struct call {
  call_kind kind;
  const char *name;       /* "get_global_id" */
  const char *parameters; /* as the name is mangled: "j", "Dv4_fmPU3AS1f" */
  const char *symbol;     /* the whole */
  const char *operands;   /* a letter each, up to `|` or the end: see calls.c */
  const char *reason;     /* of CALL_REFUSED */
  bool body;              /* of CALL_UNKNOWN: it calls itself */
} call;

/* Of a function of this name: the tests that show what is known of it; NULL: nothing is. */
const char *call_shown(const char *name);
/* The number of the first operand of this kind. */
#define CALL_NO_OPERAND (~0U)
unsigned call_operand(const call *c, char letter);
/* That operand of the call; NULL: there is none. */
LLVMValueRef call_given(const call *c, LLVMValueRef v, char letter);
/* Whether it may write through that operand, where that is a pointer. */
bool call_may_write(const call *c, unsigned operand);
/* Whether all work-items of a group (or sub-group) have to come to it. */
bool call_meets(const call *c);
/* Whether it is an annotation, which touches no memory. */
bool call_is_annotation(const call *c);
/* Whether the (last) parameter is a signed number, for functions of integers; floating point: false with `*real` set. */
bool call_is_signed(const call *c, bool *real);
/* The bytes of an element that a vload or vstore moves. 0: not known. */
unsigned call_element_bytes(const call *c);

/* --- kernels ------------------------------------------------------------------------------------------------------ */

/* A kernel as the proof walks it: blocks in an order in which each comes after those before it, dominators, loops, and which
 * parts work-items of a group can do differently. */

enum { NONE = UINT32_MAX };

typedef struct instruction {
  LLVMValueRef value;
  LLVMOpcode opcode;
  uint32_t block;
  const call *callee; /* of a call; NULL else */
  bool escapes;       /* used outside of the innermost loop that it is in */
} instruction;

typedef struct block {
  uint32_t first, count; /* instructions */
  uint32_t *successors, *predecessors;
  uint32_t successor_count, predecessor_count;
  uint32_t dominator;      /* immediate; of block 0: itself */
  uint32_t post_dominator; /* immediate; NONE: the end of the kernel */
  uint32_t loop;           /* innermost, NONE: none */
} block;

typedef struct loop {
  uint32_t header;  /* block */
  uint32_t parent;  /* loop, NONE: none */
  bool *has;        /* by block */
  uint32_t *blocks; /* those that it has, in order */
  uint32_t block_count;
  uint32_t depth; /* 1: outermost */
  bool barrier;   /* has a barrier or an asynchronous copy */
} loop;

typedef struct kernel {
  const module *module;
  LLVMValueRef function;
  const char *name;
  mem_arena *memory;
  uint32_t argument_count;
  instruction *instructions; /* values are numbered: arguments, then instructions */
  uint32_t instruction_count;
  block *blocks; /* 0 is the first */
  uint32_t block_count;
  loop *loops; /* outer ones before inner ones */
  uint32_t loop_count;
  bool copies; /* it has asynchronous copies */
  struct value_index *index;
} kernel;

/* Reads a kernel; all of it is in `memory`. NULL: a loop has several entries; `*reason` says so, `*where` is where. */
kernel *kernel_read(const module *m, LLVMValueRef function, mem_arena *memory, const char **reason,
                    LLVMValueRef *where);

/* The number of an argument or instruction, NONE for other values. */
uint32_t kernel_number(const kernel *k, LLVMValueRef value);
/* The instruction of a number; NULL: an argument. */
const instruction *kernel_instruction(const kernel *k, uint32_t number);
/* The dimensions that the kernel asks about; `all`: get_work_dim and the like ask about three. */
unsigned kernel_dimensions(const kernel *k, bool all);
/* The loop whose header it is, NONE: of none. */
uint32_t kernel_loop_of_header(const kernel *k, uint32_t block);

#endif
