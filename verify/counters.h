/* Memory that atomic functions only count in: how it is used, and what is noted of each call. Private to this room. */
#ifndef CLTC_VERIFY_COUNTERS_H
#define CLTC_VERIFY_COUNTERS_H

#include "verify/models.h"

/* How the memory is used. */
typedef struct counter_use {
  bool counts;     /* all atomics count by a constant, in one direction, and as numbers of one width */
  bool adds;       /* all add constants or other amounts, as numbers of one width */
  bool stored;     /* it is also set otherwise */
  bool in_loop;    /* some call may be made again and again */
  unsigned calls;  /* the others */
  unsigned places; /* of calls in the kernel: all of them */
  int64_t unit;    /* divides all steps that are constants */
  int64_t most;    /* the largest of these */
} counter_use;

/* A call that counts. */
struct counted {
  const access *access;
  formula number;   /* that it gave */
  formula amount;   /* that it added; of what counts down: NULL */
  formula start;    /* what was there before the calls since the last barrier, as far as it is known */
  formula reached;  /* what was assumed until then */
  formula interval; /* that no barrier has come since */
  formula passed;   /* that the work-item has come to a barrier since */
  bool lost;        /* something may have set the memory since */
};

/* Two calls, one of each work-item. */
struct counted_pair {
  struct counted first, second;
  formula interval; /* no barrier is between them */
};

/* What a counter holds that began with 0: how often it was called in the group, where `when` holds. */
struct tally {
  unsigned thread;
  formula number, when;
};

/* Of an object's memory, as numbers of so many bits. */
counter_use counter_use_of(proof *p, uint32_t number, unsigned bits);
/* How many work-items may count in it. */
uint64_t counter_items(const proof *p, uint32_t number);
/* Whether the pointer may point into the memory of the object. */
bool points_into_memory(proof *p, LLVMValueRef pointer, uint32_t number);
/* Whether the instruction, no atomic, may write to the memory. */
bool counter_is_set(proof *p, const instruction *i, uint32_t number);
/* A loop may change the memory. */
void counters_loop(proof *p, uint32_t memory);
/* Whether the instruction is an atomic function. */
bool counter_is_atomic(const instruction *i);
/* Whether, in a proof about two groups, the call is one that the first work-item of the group makes for it. */
bool counted_by_leader(const proof *p, const access *a);
/* That the call is made, and where the memory is that is counted in, in bytes. */
formula counted_when(const proof *p, const access *a);
formula counted_at(const proof *p, const access *a);

/* --- rooms.c --- */

/* Adds that ranges which calls reserve do not overlap, as facts. `condition`: where nothing sets the counter in between. */
void rooms_add(proof *p, const struct counted_pair *both, const counter_use *u, formula condition);

/* --- tallies.c --- */

/* A number is read from memory that is counted in, at `at` (bytes in the memory), where `when` holds. */
void tallies_read(proof *p, unsigned thread, uint32_t memory, formula at, formula number, formula when);

#endif
