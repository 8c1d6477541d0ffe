/* What all work-items of a group do together: barriers, and that all come there. */
#include "base/memory.h"
#include "verify/logged.h"
#include "verify/models.h"
#include "verify/waits.h"

static bool both_always(const proof *p, const state *s) {
  return s->enabled[0] == s->enabled[1] || (s->enabled[0] == p->smt.yes && s->enabled[1] == p->smt.yes);
}

/* What comes later is looked at where this did not happen: after a divergence nothing is defined. */
void barrier_note_divergence(proof *p, const instruction *i, const state *s, formula condition) {
  if (condition == p->smt.no || p->single) {
    return;
  }
  *ARRAY_ADD(p->mishaps, p->mishap_count, p->mishap_capacity) =
      (mishap){.kind = MISHAP_DIVERGENCE,
               .reached = p->chain,
               .condition = condition,
               .instruction = kernel_number(p->kernel, i->value),
               .enabled = {s->enabled[0], s->enabled[1]},
               .steps = p->step_count};
  proof_assume(p, smt_not(&p->smt, condition));
}

formula barrier_both_meet(proof *p, const instruction *i) {
  const bool few = i->callee->kind == CALL_SUB_GROUP_BARRIER || i->callee->kind == CALL_SUB_GROUP_MEETING;
  return few ? sub_group_is_one(p) : smt_truth(&p->smt, p->same_group);
}

void barrier_divergence(proof *p, const instruction *i, const state *s, walk w) {
  if (w.record && p->same_group && !both_always(p, s)) {
    const formula differ = smt_differ(&p->smt, s->enabled[0], s->enabled[1]);
    barrier_note_divergence(p, i, s, smt_and(&p->smt, barrier_both_meet(p, i), differ));
  }
}

/* --- barriers ----------------------------------------------------------------------------------------------------- */

/* Before OpenCL C 2.0 images count as global memory. */
static unsigned flag_of(const proof *p, const object *o) {
  const unsigned image = p->kernel->module->language >= 200 ? FLAG_IMAGE : FLAG_IMAGE | FLAG_GLOBAL;
  return o->image ? image : o->space == SPACE_LOCAL ? FLAG_LOCAL : FLAG_GLOBAL;
}

/* What was accessed before it is ordered where the condition holds, for memory of one of these flags. */
void order_before(proof *p, formula condition, unsigned flags) {
  const formula not_ordered = smt_not(&p->smt, condition);
  size_t kept = 0;
  for (size_t i = 0; i < p->log_count; i++) {
    access *a = p->log[i];
    if ((flag_of(p, &p->objects[a->object]) & flags) != 0 && !a->copy) {
      a->live = smt_and(&p->smt, a->live, not_ordered);
    }
    if (a->live != p->smt.no) {
      p->log[kept++] = a;
    }
  }
  p->log_count = kept;
}

void barrier_execute(proof *p, const instruction *i, state *s, walk w) {
  if (LLVMIsAConstantInt(LLVMGetOperand(i->value, 0)) != NULL) {
    logged_clear(p, s->enabled, (unsigned)LLVMConstIntGetZExtValue(LLVMGetOperand(i->value, 0)));
  }
  if (!p->same_group || (p->without != NULL && p->without[kernel_number(p->kernel, i->value)])) {
    return;
  }
  barrier_divergence(p, i, s, w);
  const formula both = smt_simplify(&p->smt, smt_and(&p->smt, s->enabled[0], s->enabled[1]));
  if (w.record && waits_before(p, i->block)) { /* those that it waits for may wait here */
    barrier_note_divergence(p, i, s, smt_and(&p->smt, both, smt_fresh(&p->smt, "waits", 0, true)));
  }
  counters_interval(p, both);
  const LLVMValueRef given = LLVMGetOperand(i->value, 0);
  if (LLVMIsAConstantInt(given) != NULL) {
    order_before(p, both, (unsigned)LLVMConstIntGetZExtValue(given));
    return;
  }
  const formula flags = smt_apply_binary(&p->smt, Z3_mk_bvand, operand_number(p, s->variables[0], given),
                                         operand_number(p, s->variables[1], given)); /* what both have */
  for (unsigned bit = FLAG_LOCAL; bit <= FLAG_IMAGE; bit *= 2) {
    const unsigned bits = smt_bits(&p->smt, flags);
    const formula masked = smt_apply_binary(&p->smt, Z3_mk_bvand, flags, smt_number(&p->smt, bit, bits));
    const formula has = smt_differ(&p->smt, masked, smt_number(&p->smt, 0, bits));
    order_before(p, smt_and(&p->smt, both, has), bit);
  }
}
