/* A kernel as the proof walks it: blocks in an order in which each comes after those before it, dominators, loops, and which
 * parts work-items of a group can do differently. */
#ifndef CLTC_VERIFY_KERNEL_H
#define CLTC_VERIFY_KERNEL_H

#include <stdbool.h>
#include <stdint.h>

#include "base/memory.h"
#include "proofs/verify/calls.h"
#include "proofs/verify/module.h"

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
/* The loop whose header it is, NONE: of none. */
uint32_t kernel_loop_of_header(const kernel *k, uint32_t block);

#endif
