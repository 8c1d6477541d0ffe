/* The first iterations of a loop, one after another, to find what really happens. */
#include <string.h>

#include "base/memory.h"
#include "verify/loops.h"

/* What the iteration gave is what the loop gave, where it is the one that was left. */
static void merge_escaping(proof *p, const loop_frame *f, const state *turn, const formula left[THREADS],
                           state *merged) {
  for (unsigned t = 0; t < THREADS; t++) {
    const formula leaves = left[t];
    for (uint32_t n = 0; n < f->loop->block_count; n++) {
      const block *b = &p->kernel->blocks[f->loop->blocks[n]];
      for (uint32_t i = b->first; i < b->first + b->count; i++) {
        const uint32_t number = p->kernel->argument_count + i;
        const value *here = turn->variables[t][number], *before = merged->variables[t][number];
        if (p->kernel->instructions[i].escapes && here != NULL && leaves != p->smt.no) {
          merged->variables[t][number] = before == NULL ? here : value_if(&p->values, leaves, here, before);
        }
      }
    }
  }
}

/* A loop that goes on for certain, for long: what comes after it happens, too, with values that are not known. Not where
 * barriers are left out with the iterations. */
static bool skip_rest(proof *p, const loop_frame *f, state *turn, state *merged, edges *e) {
  uint32_t from = 0, to = 0;
  environment phis[THREADS];
  if ((f->loop->barrier && p->same_group) || !loop_only_exit(p, f->loop, &from, &to)) {
    return false;
  }
  for (unsigned t = 0; t < THREADS; t++) {
    phis[t] = environment_new(p);
    for (uint32_t n = 0; n < f->phis; n++) {
      const instruction *phi = loop_phi(p, f, n);
      const bool pointer = LLVMGetTypeKind(LLVMTypeOf(phi->value)) == LLVMPointerTypeKind;
      if (pointer) {
        return false;
      }
      phis[t][f->first + n] = fresh_value(p, LLVMTypeOf(phi->value), "skipped", true);
    }
  }
  state here = state_copy(p, turn);
  memory_all_changed(p);
  (void)region_run(p, f->number, &here, (walk){false, false, NONE}, phis);
  merge_escaping(p, f, &here, turn->enabled, merged);
  edges_add(p, e, from, to, turn->enabled);
  p->complete = false;
  return true;
}

/* What was cut is taken not to be: whoever enters leaves, and where there is one way out, by that. Not where an end depends on what
 * is not known. */
static void leave_at_once(const proof *p, const loop_frame *f, const state *s, const formula leaves[THREADS],
                          const edges *e) {
  uint32_t from = 0, to = 0;
  if (!loop_only_exit(p, f->loop, &from, &to)) {
    return;
  }
  for (edge *at = edges_first(e, to); at != NULL; at = at->next) {
    for (unsigned t = 0; t < THREADS && at->to == to && at->from == from; t++) {
      at->taken[t] = smt_is_abstract(&p->smt, leaves[t]) ? at->taken[t] : s->enabled[t];
    }
  }
}

void loop_turns(proof *p, const loop_frame *f, state *s, walk w, edges *e) {
  const unsigned depth = f->loop->depth - 1 < 31 ? f->loop->depth - 1 : 31;
  environment phis[THREADS] = {f->initial[0], f->initial[1]};
  state merged = {{environment_new(p), environment_new(p)}, {NULL, NULL}};
  state turn = *s;
  formula leaves[THREADS] = {p->smt.no, p->smt.no};
  for (unsigned n = 0;; n++) {
    /* a loop whose end is a constant may be followed further */
    const bool certain = turn.enabled[0] == s->enabled[0] && turn.enabled[1] == s->enabled[1];
    const bool cut = n >= p->turns && !(certain && n < p->most_turns);
    p->turn[depth] = n;
    state here = turn;
    for (unsigned t = 0; t < THREADS; t++) {
      here.variables[t] = environment_copy(p, s->variables[t]);
    }
    const edges body = region_run(p, f->number, &here, (walk){w.record, false, NONE}, phis);
    const formula left[THREADS] = {edges_taken(p, &body, f->number, false, 0),
                                   edges_taken(p, &body, f->number, false, 1)};
    merge_escaping(p, f, &here, left, &merged);
    loop_leave(p, f, &body, e);
    for (unsigned t = 0; t < THREADS; t++) {
      leaves[t] = smt_or(&p->smt, leaves[t], left[t]);
      turn.enabled[t] = smt_simplify(&p->smt, edges_taken(p, &body, f->number, true, t));
      phis[t] = loop_phi_values(p, f, here.variables[t], &body, true, t);
    }
    if (cut || (turn.enabled[0] == p->smt.no && turn.enabled[1] == p->smt.no)) {
      break;
    }
  }
  const bool goes_on = turn.enabled[0] == s->enabled[0] && turn.enabled[1] == s->enabled[1];
  turn.variables[0] = s->variables[0];
  turn.variables[1] = s->variables[1];
  const bool skipped = goes_on && skip_rest(p, f, &turn, &merged, e);
  for (unsigned t = 0; t < THREADS; t++) { /* a way that was cut must not look like one that skips what follows */
    if (turn.enabled[t] != p->smt.no && !skipped) {
      p->complete = false;
      proof_assume(p, smt_not(&p->smt, turn.enabled[t]));
    }
    for (uint32_t n = 0; n < p->kernel->instruction_count; n++) {
      const uint32_t number = p->kernel->argument_count + n;
      if (merged.variables[t][number] != NULL) {
        s->variables[t][number] = merged.variables[t][number];
      }
    }
  }
  if (!skipped) {
    leave_at_once(p, f, s, leaves, e);
  }
  p->turn[depth] = 0;
}
