/* What the replaying program and the layer below it say to each other in a process that replays again and again for
 * cltestcheck. The program gets the functions by asking OpenCL for the address of the extension function
 * REPLAY_FUNCTION; without a layer, or when it was not started as a worker (ENV_WORKER), there is none.
 *
 *   const replay_functions *f = ...;
 *   replay_turn turn;
 *   replay_result result = {0};
 *   while (f->next(&result, &turn)) {
 *     programs of turn.setup: those of an earlier turn with this setup, else built now, like a program that starts
 *     f->begin(commands left out);
 *     kernels, arguments, commands; a queue of its own, released at the end, which sends all evidence
 *   } */
#ifndef CLTC_WIRE_TURN_H
#define CLTC_WIRE_TURN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ENV_WORKER "CLTESTCHECK_WORKER" /* "1": the process replays for cltestcheck */
#define REPLAY_FUNCTION "clReplayCLTESTCHECK"
/* "1": memory has zones of the replaying program around it, which it looks at. Only calls that read are a program's. */
#define ENV_GUARDED "CLTESTCHECK_GUARDED"

typedef struct replay_turn {
  uint64_t setup; /* turns with equal setups use the same built programs */
  bool keep;      /* false: the setup is not used again after this turn */
  bool mends;     /* where nobody is told of the turn: kernels that leave their memory altogether go on all the same */
  unsigned char
      filling; /* of the bytes around each buffer and of those that nobody has written, which no kernel should read */
  /* Kernels that may do something else than in the captured run; count 0: any may. Commands before the first launch of
   * one of them can be left out if what they leave in memory is put there. Lent until the next call of `next`. */
  const char *const *kernels;
  size_t kernel_count;
} replay_turn;

typedef struct replay_result {
  bool complete; /* all commands were done, or the turn was over before that */
  bool escaped;  /* a kernel wrote outside of a buffer */
  bool reached;  /* a kernel read outside of its buffers, as far from them that it was seen */
  bool faulted;  /* a kernel reached for memory that is not there: the program would have crashed */
  bool spoiled;  /* and may have written to memory of others: the process is not to be trusted any more */
} replay_result;

typedef struct replay_functions {
  /* Says how the turn before went (not looked at in the first call) and waits for the next one. False: there is none
   * any more. */
  bool (*next)(const replay_result *last, replay_turn *out);
  /* The turn's programs are built, its kernels come next. `reads`: READ commands that are left out because they are
   * before the commands that the turn does. */
  void (*begin)(uint64_t reads);
  /* Something differed that settles the turn: the rest need not be done. */
  bool (*over)(void);
} replay_functions;

/* What a replay tells the one who started it, in the file of its --record: this, as it lies in memory. */
typedef struct replay_record {
  uint64_t known;   /* reads whose bytes the capture knows */
  uint64_t differs; /* 1: one of them is not as captured, */
  uint64_t number;  /* and this is the first such */
} replay_record;

#endif
