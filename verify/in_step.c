/* Loops with a barrier, for any number of iterations: the work-items of a group go in step as long as all of them are there.
 * An iteration, and one that comes after it, the last that both begin. Whoever goes round again is alone then: a barrier that
 * it comes to is one that the other does not reach.
 * Soundness: docs/verify.md, Loops with a barrier. */
#include "base/memory.h"
#include "verify/logged.h"
#include "verify/loops.h"
#include "verify/models.h"

static unsigned written_flags(const proof *p) {
  unsigned flags = 0;
  for (uint32_t i = 0; i < p->object_count; i++) {
    if (p->objects[i].written && object_is_shared(p, i)) {
      const bool apart = p->objects[i].image && p->kernel->module->language >= 200;
      flags |= apart ? FLAG_IMAGE : p->objects[i].space == SPACE_LOCAL ? FLAG_LOCAL : FLAG_GLOBAL;
    }
  }
  return flags;
}

/* The memory, by flags, that a barrier in each iteration orders: what happened two iterations ago is over there. */
static unsigned always_ordered(const proof *p, const loop *l) {
  const block *header = &p->kernel->blocks[l->header];
  unsigned ordered = 0;
  for (uint32_t n = 0; n < l->block_count; n++) {
    const block *b = &p->kernel->blocks[l->blocks[n]];
    bool always = p->kernel->blocks[l->blocks[n]].loop != NONE && &p->kernel->loops[b->loop] == l;
    for (uint32_t i = 0; i < header->predecessor_count; i++) {
      const uint32_t from = header->predecessors[i];
      always = always && (!l->has[from] || kernel_dominates(p->kernel, l->blocks[n], from));
    }
    for (uint32_t i = 0; i < b->count && always; i++) {
      const instruction *at = &p->kernel->instructions[b->first + i];
      const bool away = p->without != NULL && p->without[p->kernel->argument_count + b->first + i];
      if (at->callee != NULL && at->callee->kind == CALL_BARRIER && !away &&
          LLVMIsAConstantInt(LLVMGetOperand(at->value, 0)) != NULL) {
        ordered |= (unsigned)LLVMConstIntGetZExtValue(LLVMGetOperand(at->value, 0));
      }
    }
  }
  return ordered;
}

/* An iteration that is followed by another: both go round again. */
static edges run_earlier(proof *p, const loop_frame *f, state *before, walk w) {
  environment earlier[THREADS];
  loop_any_iteration(p, f, "earlier", true, earlier);
  loop_assume_candidates(p, f, earlier, before->enabled);
  const formula entered[THREADS] = {before->enabled[0], before->enabled[1]};
  const edges body = region_run(p, f->number, before, w, earlier);
  if (w.oblige) {
    loop_oblige_step(p, f, before, &body);
  }
  memory_all_changed(p);
  for (unsigned t = 0; t < THREADS; t++) {
    proof_assume(p, smt_implies(&p->smt, entered[t], edges_taken(p, &body, f->number, true, t)));
  }
  return body;
}

/* The phis of the first iteration, of the next, or of any later one; there, what a barrier orders in each iteration is over. */
static void any_later(proof *p, const loop_frame *f, const state *before, const edges *body, formula first,
                      environment now[THREADS]) {
  environment next[THREADS];
  const unsigned ordered = always_ordered(p, f->loop), written = written_flags(p);
  const formula consecutive = (written & ~ordered) == 0  ? p->smt.yes
                              : (written & ordered) == 0 ? p->smt.no
                                                         : smt_fresh(&p->smt, "consecutive", 0, false);
  const formula over = smt_not(&p->smt, smt_or(&p->smt, consecutive, first));
  order_before(p, over, ordered & written);
  logged_clear(p, (formula[THREADS]){over, over}, ordered);
  loop_any_iteration(p, f, "later", true, next);
  for (unsigned t = 0; t < THREADS; t++) {
    const environment after = loop_phi_values(p, f, before->variables[t], body, true, t);
    now[t] = environment_new(p);
    for (uint32_t n = f->first; n < f->first + f->phis; n++) {
      const bool shared = t == 1 && !p->divergent[n];
      const value *then = value_if(&p->values, consecutive, after[n], next[t][n]);
      now[t][n] = shared ? now[0][n] : value_if(&p->values, first, f->initial[t][n], then);
    }
  }
}

/* What left the loop alone, where it did, is what the loop gave. */
static void merge_alone(proof *p, const loop_frame *f, const state *left, const formula alone[THREADS], state *s) {
  for (uint32_t n = 0; n < f->loop->block_count; n++) {
    const block *b = &p->kernel->blocks[f->loop->blocks[n]];
    for (uint32_t i = b->first; i < b->first + b->count; i++) {
      const uint32_t number = p->kernel->argument_count + i;
      for (unsigned t = 0; t < THREADS && p->kernel->instructions[i].escapes; t++) {
        const value *here = left->variables[t][number], *before = s->variables[t][number];
        if (here != NULL) {
          s->variables[t][number] = before == NULL ? here : value_if(&p->values, alone[t], here, before);
        }
      }
    }
  }
}

/* Those who went round again while the other did not: some iteration of each, and its last. `outside`: before the loop. */
static void run_alone(proof *p, const loop_frame *f, const state *outside, const formula alone[THREADS], walk w,
                      const edges *together, state *s, edges *e) {
  environment phis[THREADS];
  loop_any_iteration(p, f, "alone", false, phis);
  state inside = state_copy(p, outside);
  inside.enabled[0] = alone[0];
  inside.enabled[1] = alone[1];
  loop_assume_candidates(p, f, phis, alone);
  w.oblige = false;
  (void)region_run(p, f->number, &inside, w, phis);
  counters_interval(p, p->smt.yes);
  memory_all_changed(p);
  loop_any_iteration(p, f, "last", false, phis);
  state left = state_copy(p, outside);
  left.enabled[0] = alone[0];
  left.enabled[1] = alone[1];
  loop_assume_candidates(p, f, phis, alone);
  const edges out = region_run(p, f->number, &left, (walk){false, false, NONE}, phis);
  memory_all_changed(p);
  for (unsigned t = 0; t < THREADS; t++) {
    const formula leaves = smt_if(&p->smt, alone[t], edges_taken(p, &out, f->number, false, t),
                                  edges_taken(p, together, f->number, false, t));
    proof_assume(p, smt_implies(&p->smt, s->enabled[t], leaves));
  }
  merge_alone(p, f, &left, alone, s);
  loop_leave(p, f, together, e);
  loop_leave(p, f, &out, e);
}

void loop_in_step(proof *p, const loop_frame *f, state *s, walk w, edges *e) {
  const formula first = smt_fresh(&p->smt, "first", 0, false);
  state before = state_copy(p, s);
  counters_interval(p, p->smt.yes); /* iterations are left out, and barriers with them */
  for (unsigned t = 0; t < THREADS; t++) {
    before.enabled[t] = smt_simplify(&p->smt, smt_and(&p->smt, s->enabled[t], smt_not(&p->smt, first)));
  }
  const edges body = run_earlier(p, f, &before, w);
  environment now[THREADS];
  counters_interval(p, p->smt.yes);
  any_later(p, f, &before, &body, first, now);
  loop_assume_candidates(p, f, now, s->enabled);
  walk last = w;
  last.oblige = false;
  const state outside = state_copy(p, s);
  const edges out = region_run(p, f->number, s, last, now);
  counters_interval(p, p->smt.yes);
  memory_all_changed(p);
  formula alone[THREADS];
  for (unsigned t = 0; t < THREADS; t++) {
    alone[t] = smt_simplify(&p->smt, edges_taken(p, &out, f->number, true, t));
  }
  if (alone[0] == alone[1]) { /* nobody goes on without the other */
    loop_assume_end(p, f, s, &out, e);
    return;
  }
  proof_assume(p, smt_not(&p->smt, smt_and(&p->smt, alone[0], alone[1])));
  run_alone(p, f, &outside, alone, w, &out, s, e);
}
