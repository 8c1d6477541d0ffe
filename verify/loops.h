/* What the two ways to execute a loop share: for any number of iterations, and the first ones. Private to this room. */
#ifndef CLTC_VERIFY_LOOPS_H
#define CLTC_VERIFY_LOOPS_H

#include "verify/proof.h"

/* A loop that is executed. */
typedef struct loop_frame {
  const loop *loop;
  uint32_t number; /* of the loop */
  uint32_t phis;   /* how many; they are the first instructions of the header */
  uint32_t first;  /* number of the value of the first */
  environment initial[THREADS];
  environment entry[THREADS]; /* variables before the loop */
  formula entered[THREADS];
} loop_frame;

/* The first iterations, as many as the proof wants. */
void loop_turns(proof *p, const loop_frame *f, state *s, walk w, edges *e);

environment environment_new(proof *p);
state state_copy(proof *p, const state *s);
const instruction *loop_phi(const proof *p, const loop_frame *f, uint32_t n);
/* What the phis are behind the edges of blocks inside (or outside) of the loop. */
environment loop_phi_values(proof *p, const loop_frame *f, const environment variables, const edges *e, bool inside,
                            unsigned thread);
/* The edges of an iteration that leave the loop. */
void loop_leave(proof *p, const loop_frame *f, const edges *from, edges *to);
/* The one way out of the loop; false: there are several. */
bool loop_only_exit(const proof *p, const loop *l, uint32_t *from, uint32_t *to);

#endif
