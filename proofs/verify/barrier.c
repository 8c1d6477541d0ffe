/* What all work-items of a group do together: barriers, and that all come there.
 * Soundness: docs/verify.md, Why it is right, Barriers. */
#include "proofs/verify/barrier.h"

#include <string.h>

#include "base/memory.h"
#include "proofs/verify/annotate.h"
#include "proofs/verify/products.h"
#include "proofs/verify/proof.h"

/* --- sub-groups --------------------------------------------------------------------------------------------------- */

/* Sub-groups: which work-items are of one is the device's choice. What is known: a work-item has a place of its own in its
 * sub-group, and a sub-group is no larger than the largest.
 * Soundness: docs/verify.md, Why it is right, Sub-groups. */

enum { BITS = 16 };

static formula wide(const proof *p, formula f) { return smt_resize(&p->smt, f, 32, false); }

static void below(proof *p, formula a, formula b) { proof_fact(p, Z3_mk_bvult(p->smt.z3, a, b)); }

/* With --warp-sync it is said how large they are. */
static void number_by_size(proof *p) {
  const formula size = smt_number(&p->smt, p->request->warp, ADDRESS_BITS);
  for (unsigned t = 0; t < THREADS; t++) {
    const formula linear = linear_local_id(p, t);
    p->sub_groups.id[t] = smt_resize(&p->smt, smt_apply_binary(&p->smt, Z3_mk_bvudiv, linear, size), 32, false);
    p->sub_groups.place[t] = smt_resize(&p->smt, smt_apply_binary(&p->smt, Z3_mk_bvurem, linear, size), 32, false);
    p->sub_groups.size[t] = wide(p, smt_fresh(&p->smt, "sub-group", BITS, true));
  }
  p->sub_groups.most = smt_number(&p->smt, p->request->warp, 32);
}

static void number_freely(proof *p) {
  for (unsigned t = 0; t < THREADS; t++) {
    p->sub_groups.id[t] = wide(p, smt_fresh(&p->smt, "sub-group", BITS, true));
    p->sub_groups.place[t] = wide(p, smt_fresh(&p->smt, "sub-group", BITS, true));
    p->sub_groups.size[t] = wide(p, smt_fresh(&p->smt, "sub-group", BITS, true));
  }
  p->sub_groups.most = wide(p, smt_fresh(&p->smt, "sub-group", BITS, true));
}

static void make(proof *p) {
  const smt *s = &p->smt;
  if (p->sub_groups.most != NULL) return;
  if (p->request->warp > 0)
    number_by_size(p);
  else
    number_freely(p);
  for (unsigned t = 0; t < THREADS; t++) { /* a smaller group may have fewer */
    const bool same = t > 0 && (p->same_group || !p->launch->uneven);
    p->sub_groups.count[t] = same ? p->sub_groups.count[0] : wide(p, smt_fresh(&p->smt, "sub-group", BITS, true));
  }
  const formula items = product_of(p, product_of(p, p->local_size[0], p->local_size[1], true), p->local_size[2], true);
  const formula all = smt_resize(s, items, 32, false);
  proof_fact(p, Z3_mk_bvule(s->z3, p->sub_groups.most, all));
  for (unsigned t = 0; t < THREADS; t++) {
    proof_fact(p, Z3_mk_bvule(s->z3, p->sub_groups.count[t], all));
    below(p, p->sub_groups.id[t], p->sub_groups.count[t]);
    below(p, p->sub_groups.place[t], p->sub_groups.size[t]);
    proof_fact(p, Z3_mk_bvule(s->z3, p->sub_groups.size[t], p->sub_groups.most));
  }
  if (p->same_group && p->request->warp == 0) {
    const formula one = smt_equal(s, p->sub_groups.id[0], p->sub_groups.id[1]);
    proof_fact(p, smt_implies(s, one, smt_differ(s, p->sub_groups.place[0], p->sub_groups.place[1])));
    proof_fact(p, smt_implies(s, one, smt_equal(s, p->sub_groups.size[0], p->sub_groups.size[1])));
  }
}

const value *sub_group_question(proof *p, unsigned thread, const instruction *i) {
  const char *name = i->callee->name;
  const LLVMTypeRef type = LLVMTypeOf(i->value);
  make(p);
  const formula found = strcmp(name, "get_sub_group_id") == 0         ? p->sub_groups.id[thread]
                        : strcmp(name, "get_sub_group_local_id") == 0 ? p->sub_groups.place[thread]
                        : strcmp(name, "get_sub_group_size") == 0     ? p->sub_groups.size[thread]
                        : strcmp(name, "get_max_sub_group_size") == 0 ? p->sub_groups.most
                        : strcmp(name, "get_num_sub_groups") == 0     ? p->sub_groups.count[thread]
                                                                      : NULL;
  return found == NULL ? fresh_value(p, type, "call", true)
                       : value_number(&p->values, smt_resize(&p->smt, found, type_bits(p, type), false));
}

/* That both work-items are of one. */
formula sub_group_is_one(proof *p) {
  if (!p->same_group) return p->smt.no;
  make(p);
  return smt_equal(&p->smt, p->sub_groups.id[0], p->sub_groups.id[1]);
}

void sub_group_barrier(proof *p, const instruction *i, const state *s) {
  const LLVMValueRef flags = LLVMGetOperand(i->value, 0);
  if (p->same_group && LLVMIsAConstantInt(flags) != NULL) {
    const formula both = smt_and(&p->smt, s->enabled[0], s->enabled[1]);
    order_before(p, smt_and(&p->smt, both, sub_group_is_one(p)), (unsigned)LLVMConstIntGetZExtValue(flags));
  }
}

/* --- loops that wait for others ----------------------------------------------------------------------------------- */

/* A loop waits if each way out depends on what is read in it of memory that others write, and on nothing that the loop itself
 * brings forward.
 * Soundness: docs/verify.md, Why it is right, Loops that wait. */

/* What a condition depends on. */
typedef struct search {
  proof *p;
  const loop *loop;
  bool awaits;   /* something that others write */
  bool advances; /* something that the loop changes */
  bool local;
  unsigned left; /* values that are still looked at */
} search;

static bool is_constant(LLVMValueRef v) { return LLVMIsAConstant(v) != NULL; }

/* Exchanges of constants, and what leaves the memory as it is, can be repeated in vain. */
static bool asks_only(const instruction *i) {
  const char *name = i->callee->name;
  if (strstr(name, "load") != NULL || strstr(name, "flag_test") != NULL) return true;
  if (strstr(name, "cmpxchg") != NULL || strstr(name, "xchg") != NULL || strstr(name, "exchange") != NULL) {
    return strstr(name, "compare_exchange") != NULL ? is_constant(LLVMGetOperand(i->value, 2))
                                                    : is_constant(LLVMGetOperand(i->value, 1));
  }
  const bool changes = strstr(name, "_or") != NULL || strstr(name, "_and") != NULL || strstr(name, "_add") != NULL;
  return changes && is_constant(LLVMGetOperand(i->value, 1)) && LLVMIsNull(LLVMGetOperand(i->value, 1)) != 0;
}

static bool loop_writes(proof *p, const loop *l, uint32_t memory) {
  for (uint32_t n = 0; n < l->block_count; n++) {
    const block *b = &p->kernel->blocks[l->blocks[n]];
    for (uint32_t i = b->first; i < b->first + b->count; i++) {
      const instruction *at = &p->kernel->instructions[i];
      if (at->opcode != LLVMStore) continue;
      for (const uint32_t *o = objects_of(p, LLVMGetOperand(at->value, 1)); *o != NONE; o++)
        if (p->objects[*o].memory == memory) return true;
    }
  }
  return false;
}

/* The value is read of memory in the loop. */
static void take_read(search *s, const instruction *i, bool atomic) {
  for (const uint32_t *o = objects_of(s->p, LLVMGetOperand(i->value, 0)); *o != NONE; o++) {
    const object *memory = &s->p->objects[s->p->objects[*o].memory];
    const bool shared = memory->space == SPACE_GLOBAL || memory->space == SPACE_LOCAL;
    if (atomic ? !asks_only(i) : loop_writes(s->p, s->loop, s->p->objects[*o].memory)) {
      s->advances = true;
    } else if (memory->written && shared) {
      s->awaits = true;
      s->local = s->local || memory->space == SPACE_LOCAL;
    }
  }
}

static void look(search *s, LLVMValueRef v) {
  const uint32_t number = kernel_number(s->p->kernel, v);
  const instruction *i =
      number == NONE || LLVMIsABasicBlock(v) != NULL ? NULL : kernel_instruction(s->p->kernel, number);
  if (i == NULL || !s->loop->has[i->block] || s->left == 0) return;
  s->left--;
  if (i->opcode == LLVMPHI && i->block == s->loop->header)
    s->advances = true;
  else if (i->opcode == LLVMLoad)
    take_read(s, i, false);
  else if (i->callee != NULL && i->callee->kind == CALL_ATOMIC)
    take_read(s, i, true);
  else
    for (unsigned n = 0; n < (unsigned)LLVMGetNumOperands(i->value); n++) look(s, LLVMGetOperand(i->value, n));
}

bool waits_for_others(proof *p, uint32_t loop_number, bool *local) {
  const loop *l = &p->kernel->loops[loop_number];
  bool exits = false, waits = !l->barrier;
  *local = false;
  for (uint32_t n = 0; n < l->block_count && waits; n++) {
    const block *b = &p->kernel->blocks[l->blocks[n]];
    const instruction *last = &p->kernel->instructions[b->first + b->count - 1];
    bool leaves = false;
    for (uint32_t i = 0; i < b->successor_count; i++) leaves = leaves || !l->has[b->successors[i]];
    if (leaves && last->opcode == LLVMBr && b->successor_count == 2) {
      search s = {.p = p, .loop = l, .left = 200};
      look(&s, LLVMGetCondition(last->value));
      exits = true;
      waits = s.awaits && !s.advances;
      *local = *local || s.local;
    }
  }
  return exits && waits;
}

/* Whether such a loop may come before the block. */
static bool waits_before(proof *p, uint32_t number) {
  const kernel *k = p->kernel;
  bool found = false, local = false;
  for (uint32_t n = 0; n < k->loop_count && !found; n++) {
    bool before = number > k->loops[n].header; /* blocks stand in the order of the ways through them */
    for (uint32_t around = k->loops[n].parent; around != NONE; around = k->loops[around].parent)
      before = before || k->loops[around].has[number];
    found = before && waits_for_others(p, n, &local);
  }
  return found;
}

static bool both_always(const proof *p, const state *s) {
  return s->enabled[0] == s->enabled[1] || (s->enabled[0] == p->smt.yes && s->enabled[1] == p->smt.yes);
}

/* What comes later is looked at where this did not happen: after a divergence nothing is defined. */
void barrier_note_divergence(proof *p, const instruction *i, const state *s, formula condition) {
  if (p->request->only != NULL) return;
  if (condition == p->smt.no || p->single) return;
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
    if ((flag_of(p, &p->objects[a->object]) & flags) != 0 && !a->copy) a->live = smt_and(&p->smt, a->live, not_ordered);
    if (a->live != p->smt.no) p->log[kept++] = a;
  }
  p->log_count = kept;
}

void barrier_execute(proof *p, const instruction *i, state *s, walk w) {
  if (LLVMIsAConstantInt(LLVMGetOperand(i->value, 0)) != NULL)
    logged_clear(p, s->enabled, (unsigned)LLVMConstIntGetZExtValue(LLVMGetOperand(i->value, 0)));
  if (!p->same_group || (p->without != NULL && p->without[kernel_number(p->kernel, i->value)])) return;
  barrier_divergence(p, i, s, w);
  const formula both = smt_simplify(&p->smt, smt_and(&p->smt, s->enabled[0], s->enabled[1]));
  if (w.record && waits_before(p, i->block)) /* those that it waits for may wait here */
    barrier_note_divergence(p, i, s, smt_and(&p->smt, both, smt_fresh(&p->smt, "waits", 0, true)));
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
