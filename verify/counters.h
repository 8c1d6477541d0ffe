/* Memory that atomic functions only count in: how it is used, and what is noted of each call. Private to this room. */
#ifndef CLTC_VERIFY_COUNTERS_H
#define CLTC_VERIFY_COUNTERS_H

#include "verify/models.h"

/* How the memory is used. */
typedef struct counter_use {
  bool counts;    /* all atomics count by a constant, in one direction, and as numbers of one width */
  bool stored;    /* it is also set otherwise */
  bool in_loop;   /* some call may be made again and again */
  unsigned calls; /* the others */
  int64_t unit;   /* divides all steps that are constants */
} counter_use;

/* A call that counts. */
struct counted {
  const access *access;
  formula number;   /* that it gave */
  formula interval; /* that no barrier has come since */
};

/* Two calls, one of each work-item. */
struct counted_pair {
  struct counted first, second;
  formula interval; /* no barrier is between them */
};

/* Of an object's memory, as numbers of so many bits. */
counter_use counter_use_of(proof *p, uint32_t number, unsigned bits);
/* How many work-items may count in it. */
uint64_t counter_items(const proof *p, uint32_t number);
/* Whether the pointer may point into the memory of the object. */
bool points_into_memory(proof *p, LLVMValueRef pointer, uint32_t number);
/* Whether the instruction, no atomic, may write to the memory. */
bool counter_is_set(proof *p, const instruction *i, uint32_t number);
/* Whether the instruction is an atomic function. */
bool counter_is_atomic(const instruction *i);

#endif
