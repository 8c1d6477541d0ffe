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
/* What the phis are after the edges of blocks inside (or outside) of the loop. */
environment loop_phi_values(proof *p, const loop_frame *f, const environment variables, const edges *e, bool inside,
                            unsigned thread);
/* The edges of an iteration that leave the loop. */
void loop_leave(proof *p, const loop_frame *f, const edges *from, edges *to);
/* The one way out of the loop; false: there are several. */
bool loop_only_exit(const proof *p, const loop *l, uint32_t *from, uint32_t *to);
/* Unknown phis of some iteration; where `together`, it is the same for both, and those that cannot differ are. */
void loop_any_iteration(proof *p, const loop_frame *f, const char *name, bool together, environment out[THREADS]);
/* The candidates of the loop hold for these phis, where the work-item is there. */
void loop_assume_candidates(proof *p, const loop_frame *f, const environment phis[THREADS],
                            const formula enabled[THREADS]);
/* They are to be shown for what the phis are after the iteration. */
void loop_oblige_step(proof *p, const loop_frame *f, const state *s, const edges *e);
/* Work-items that enter the loop leave it; where there is one way out, by that. */
void loop_assume_end(proof *p, const loop_frame *f, const state *s, const edges *body, edges *to);

/* --- in_step.c --- */

/* Executes a loop with a barrier for work-items of one group. */
void loop_in_step(proof *p, const loop_frame *f, state *s, walk w, edges *e);

#endif
