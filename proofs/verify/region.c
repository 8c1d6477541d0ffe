/* The blocks of a loop's body, or of the kernel, executed once by both work-items: a block is enabled for a work-item where
 * one of the edges to it is taken.
 * Soundness: docs/verify.md, Why it is right, Control. */
#include <stdlib.h>
#include <string.h>

#include "proofs/verify/proof.h"

/* --- barriers ----------------------------------------------------------------------------------------------------- */

/* What all work-items of a group do together: barriers, and that all come there.
 * Soundness: docs/verify.md, Why it is right, Barriers. */

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

static void make(proof *p) {
  const smt *s = &p->smt;
  if (p->sub_groups.most != NULL) return;
  if (p->request->warp > 0)
    number_by_size(p);
  else {
    for (unsigned t = 0; t < THREADS; t++) {
      p->sub_groups.id[t] = wide(p, smt_fresh(&p->smt, "sub-group", BITS, true));
      p->sub_groups.place[t] = wide(p, smt_fresh(&p->smt, "sub-group", BITS, true));
      p->sub_groups.size[t] = wide(p, smt_fresh(&p->smt, "sub-group", BITS, true));
    }
    p->sub_groups.most = wide(p, smt_fresh(&p->smt, "sub-group", BITS, true));
  }
  for (unsigned t = 0; t < THREADS; t++) { /* a smaller group may have fewer */
    const bool same = t > 0 && (p->same_group || !p->launch->uneven);
    p->sub_groups.count[t] = same ? p->sub_groups.count[0] : wide(p, smt_fresh(&p->smt, "sub-group", BITS, true));
  }
  const formula items = product_of(p, product_of(p, p->local_size[0], p->local_size[1]), p->local_size[2]);
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

/* That both are of those who have to come to it. */
static formula barrier_both_meet(proof *p, const instruction *i) {
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

static void barrier_execute(proof *p, const instruction *i, state *s, walk w) {
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

/* --- joined conditions -------------------------------------------------------------------------------------------- */

/* Several conditions of which one holds, said without what chose between them: `a and c, or a and not c` is `a`. A work-item
 * after an `if` without a return is where it was before, whatever the condition depends on. */

/* Conditions that all hold. */
typedef struct conjunction {
  formula *items;
  size_t count, capacity;
} conjunction;

static bool has(const conjunction *of, formula f) {
  for (size_t i = 0; i < of->count; i++)
    if (of->items[i] == f) return true;
  return false;
}

static bool is_kind(const smt *s, formula f, Z3_decl_kind kind) {
  return Z3_get_ast_kind(s->z3, f) == Z3_APP_AST &&
         Z3_get_decl_kind(s->z3, Z3_get_app_decl(s->z3, Z3_to_app(s->z3, f))) == kind;
}

/* `and`, and `not` of an `or`, in each other. */
static void split(const smt *s, formula from, conjunction *out) {
  conjunction left = {0};
  *ARRAY_ADD(left.items, left.count, left.capacity) = from;
  while (left.count > 0) {
    const formula f = left.items[--left.count];
    const bool none_of = is_kind(s, f, Z3_OP_NOT) && is_kind(s, smt_not(s, f), Z3_OP_OR);
    if (!none_of && !is_kind(s, f, Z3_OP_AND)) {
      if (f != s->yes && !has(out, f)) *ARRAY_ADD(out->items, out->count, out->capacity) = f;
      continue;
    }
    const Z3_app parts = Z3_to_app(s->z3, none_of ? smt_not(s, f) : f);
    for (unsigned i = 0; i < Z3_get_app_num_args(s->z3, parts); i++) {
      const formula part = Z3_get_app_arg(s->z3, parts, i);
      *ARRAY_ADD(left.items, left.count, left.capacity) = none_of ? smt_not(s, part) : part;
    }
  }
  free(left.items);
}

/* The one that `of` has and `other` has not; NULL: there are none or several, as `*count` says. */
static formula only(const conjunction *of, const conjunction *other, size_t *count) {
  formula found = NULL;
  *count = 0;
  for (size_t i = 0; i < of->count; i++) {
    if (!has(other, of->items[i])) {
      found = of->items[i];
      ++*count;
    }
  }
  return *count == 1 ? found : NULL;
}

static void drop(conjunction *from, formula f) {
  for (size_t i = 0; i < from->count; i++) {
    if (from->items[i] == f) {
      from->items[i] = from->items[--from->count];
      return;
    }
  }
}

/* Makes `a` what `a` or `b` is, if that is one conjunction. */
static bool merge(const smt *s, conjunction *a, const conjunction *b) {
  size_t in_a = 0, in_b = 0;
  const formula x = only(a, b, &in_a), y = only(b, a, &in_b);
  if (in_a == 0) /* `b` says more */
    return true;
  if (in_b == 0) {
    a->count = 0;
    for (size_t i = 0; i < b->count; i++) *ARRAY_ADD(a->items, a->count, a->capacity) = b->items[i];
    return true;
  }
  /* same: two ways to one block part at a condition, so that what they differ in is that */
  if (x == NULL || y == NULL || (smt_not(s, x) != y && smt_not(s, y) != x)) return false;
  drop(a, x);
  return true;
}

/* Merges the last with those before it, as long as that goes. */
static size_t merge_last(const smt *s, conjunction *list, size_t count) {
  for (size_t i = 0; i + 1 < count; i++) {
    if (merge(s, &list[count - 1], &list[i])) {
      free(list[i].items);
      memmove(&list[i], &list[i + 1], (count - i - 1) * sizeof *list);
      list[count - 1] = (conjunction){0};
      return merge_last(s, list, count - 1);
    }
  }
  return count;
}

/* That one of them holds; the same as their `or`. */
static formula join(const smt *s, const formula *conditions, size_t count) {
  conjunction *list = mem_calloc(count + 1, sizeof *list);
  size_t left = 0;
  for (size_t i = 0; i < count; i++) {
    if (conditions[i] != s->no) {
      split(s, conditions[i], &list[left]);
      left = merge_last(s, list, left + 1);
    }
  }
  formula any = s->no;
  for (size_t i = 0; i < left; i++) {
    any = smt_or(s, any, list[i].count == 0 ? s->yes : smt_all(s, list[i].items, list[i].count));
    free(list[i].items);
  }
  free(list);
  return any;
}

/* --- edges -------------------------------------------------------------------------------------------------------- */

static edges edges_open(proof *p, size_t room) {
  uint32_t size = 8;
  while (size < room) size *= 2;
  return (edges){mem_arena_array(p->memory, size, sizeof(edge *)), size - 1};
}

edge *edges_first(const edges *e, uint32_t to) {
  edge *at = e->heads[to & e->mask];
  while (at != NULL && at->to != to) at = at->next;
  return at;
}

static edge *edges_next(edge *at) {
  const uint32_t to = at->to;
  do {
    at = at->next;
  } while (at != NULL && at->to != to);
  return at;
}

void edges_add(proof *p, edges *e, uint32_t from, uint32_t to, const formula taken[THREADS]) {
  for (edge *at = edges_first(e, to); at != NULL; at = edges_next(at)) {
    if (at->from == from) {
      for (unsigned t = 0; t < THREADS; t++) at->taken[t] = smt_or(&p->smt, at->taken[t], taken[t]);
      return;
    }
  }
  edge *made = mem_arena_array(p->memory, 1, sizeof *made);
  *made = (edge){e->heads[to & e->mask], from, to, {taken[0], taken[1]}};
  e->heads[to & e->mask] = made;
}

static formula enabled_by_edges(const proof *p, const edges *e, uint32_t to, unsigned thread) {
  formula *taken = NULL;
  size_t count = 0, capacity = 0;
  for (edge *at = edges_first(e, to); at != NULL; at = edges_next(at))
    *ARRAY_ADD(taken, count, capacity) = at->taken[thread];
  const formula any = join(&p->smt, taken, count);
  free(taken);
  return any;
}

formula edges_taken(const proof *p, const edges *e, uint32_t loop_number, bool back, unsigned thread) {
  const loop *l = &p->kernel->loops[loop_number];
  formula any = p->smt.no;
  for (uint32_t h = 0; h <= e->mask; h++) {
    for (const edge *at = e->heads[h]; at != NULL; at = at->next)
      if (back ? at->to == l->header : !l->has[at->to]) any = smt_or(&p->smt, any, at->taken[thread]);
  }
  return any;
}

environment environment_copy(proof *p, const environment from) {
  const size_t count = (size_t)p->kernel->argument_count + p->kernel->instruction_count + 1;
  environment made = mem_arena_array(p->memory, count, sizeof *made);
  memcpy(made, from, count * sizeof *made);
  return made;
}

/* --- blocks ------------------------------------------------------------------------------------------------------- */

const value *phi_value(proof *p, const instruction *i, const environment variables, const edges *in, unsigned thread,
                       const bool *from) {
  const value *found = NULL;
  for (unsigned n = 0; n < LLVMCountIncoming(i->value); n++) {
    const LLVMValueRef v = LLVMGetIncomingValue(i->value, n);
    const uint32_t before = kernel_number(p->kernel, LLVMBasicBlockAsValue(LLVMGetIncomingBlock(i->value, n)));
    edge *at = from != NULL && !from[before] ? NULL : edges_first(in, i->block);
    while (at != NULL && at->from != before) at = edges_next(at);
    const uint32_t number = kernel_number(p->kernel, v);
    if (at == NULL || (number != NONE && variables[number] == NULL)) continue;
    const value *here = operand(p, variables, v);
    found = found == NULL ? here : value_if(&p->values, at->taken[thread], here, found);
  }
  return found == NULL ? fresh_value(p, LLVMTypeOf(i->value), "undefined", true) : found;
}

static void note_step(proof *p, const instruction *i, unsigned thread, formula enabled, formula condition) {
  if (p->turns == 0 || enabled == p->smt.no) return;
  const uint32_t in = p->kernel->blocks[i->block].loop;
  const unsigned depth = in == NONE ? 0 : p->kernel->loops[in].depth;
  unsigned *turns = mem_arena_array(p->memory, depth + 1, sizeof *turns);
  memcpy(turns, p->turn, (depth < 31 ? depth : 31) * sizeof *turns);
  *ARRAY_ADD(p->steps, p->step_count, p->step_capacity) =
      (step){thread, kernel_number(p->kernel, i->value), enabled, condition, turns};
}

static void branch(proof *p, const instruction *i, state *s, walk w, edges *out) {
  const block *b = &p->kernel->blocks[i->block];
  if (b->successor_count < 2) {
    if (b->successor_count == 1) edges_add(p, out, i->block, b->successors[0], s->enabled);
    return;
  }
  formula taken[2][THREADS];
  for (unsigned t = 0; t < THREADS; t++) {
    const formula condition = smt_simplify(&p->smt, operand_number(p, s->variables[t], LLVMGetCondition(i->value)));
    taken[0][t] = smt_simplify(&p->smt, smt_and(&p->smt, s->enabled[t], condition));
    taken[1][t] = smt_simplify(&p->smt, smt_and(&p->smt, s->enabled[t], smt_not(&p->smt, condition)));
    if (w.record) note_step(p, i, t, s->enabled[t], condition);
  }
  edges_add(p, out, i->block, b->successors[0], taken[0]);
  edges_add(p, out, i->block, b->successors[1], taken[1]);
}

/* All have to give the same. */
static void operands_differ(proof *p, const instruction *i, const state *s) {
  const formula here = smt_and(&p->smt, s->enabled[0], s->enabled[1]);
  const formula both = smt_and(&p->smt, here, barrier_both_meet(p, i));
  for (unsigned n = 0; i->callee->operands[n] != '\0' && i->callee->operands[n] != '|'; n++) {
    const LLVMValueRef given = i->callee->operands[n] == 'u' ? LLVMGetOperand(i->value, n) : NULL;
    if (given != NULL) {
      const formula differ =
          smt_differ(&p->smt, operand_number(p, s->variables[0], given), operand_number(p, s->variables[1], given));
      barrier_note_divergence(p, i, s, smt_and(&p->smt, both, differ));
    }
  }
}

/* What the whole group does together gives both the same, but for scans. */
static void vote_execute(proof *p, const instruction *i, state *s, walk w) {
  barrier_divergence(p, i, s, w);
  if (w.record && p->same_group) operands_differ(p, i, s);
  if (LLVMGetTypeKind(LLVMTypeOf(i->value)) == LLVMVoidTypeKind) return;
  const uint32_t number = kernel_number(p->kernel, i->value);
  for (unsigned t = 0; t < THREADS; t++) {
    s->variables[t][number] =
        t == 1 && !p->divergent[number] ? s->variables[0][number] : fresh_value(p, LLVMTypeOf(i->value), "group", true);
  }
}

/* What is read after it may be something else. */
static void note_change(proof *p, const instruction *i, const state *s) {
  if (i->opcode == LLVMStore) {
    if (!stores_note(p, i, s)) memory_changed(p, objects_of(p, LLVMGetOperand(i->value, 1)));
  } else if (i->opcode != LLVMCall) {
    memory_changed(p, objects_of(p, LLVMGetOperand(i->value, 0)));
  } else if (i->callee->kind == CALL_ATOMIC) {
    for (unsigned a = 0; a < LLVMGetNumArgOperands(i->value); a++)
      if (LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(i->value, a))) == LLVMPointerTypeKind)
        memory_changed(p, objects_of(p, LLVMGetOperand(i->value, a)));
  } else {
    for (unsigned a = 0; a < LLVMGetNumArgOperands(i->value); a++)
      if (LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(i->value, a))) == LLVMPointerTypeKind &&
          call_may_write(i->callee, a))
        memory_changed(p, objects_of(p, LLVMGetOperand(i->value, a)));
  }
}

static void collective(proof *p, const instruction *i, state *s, walk w) {
  switch (i->callee->kind) {
    case CALL_BARRIER: barrier_execute(p, i, s, w); break;
    case CALL_SUB_GROUP_BARRIER:
      barrier_divergence(p, i, s, w);
      sub_group_barrier(p, i, s);
      break;
    case CALL_ASYNC_COPY: copy_execute(p, i, s, w); break;
    case CALL_ASYNC_WAIT: wait_execute(p, i, s, w); break;
    default: vote_execute(p, i, s, w);
  }
  memory_shared_changed(p);
}

static void block_run(proof *p, uint32_t number, state *s, walk w, edges *out, const edges *in,
                      environment phis[THREADS]) {
  const block *b = &p->kernel->blocks[number];
  if (p->budget == 0) proof_refuse(p, NONE, "more than could be executed"); /* limit: of time */
  p->budget--;
  p->visits++;
  const value *joined[THREADS];
  p->variables[0] = s->variables[0];
  p->variables[1] = s->variables[1];
  p->enabled[0] = s->enabled[0];
  p->enabled[1] = s->enabled[1];
  for (uint32_t n = 0; n < b->count; n++) {
    const instruction *i = &p->kernel->instructions[b->first + n];
    const uint32_t at = p->kernel->argument_count + b->first + n;
    p->executing = at;
    if (i->callee != NULL && call_meets(i->callee)) {
      collective(p, i, s, w);
      continue;
    }
    for (unsigned t = 0; t < THREADS; t++) {
      joined[t] = i->opcode != LLVMPHI ? execute(p, t, i, s->variables[t], s->enabled[t], w)
                  : phis != NULL       ? phis[t][at]
                                       : phi_value(p, i, s->variables[t], in, t, NULL);
      if (joined[t] != NULL) s->variables[t][at] = joined[t];
    }
    if (i->opcode == LLVMBr)
      branch(p, i, s, w, out);
    else if (i->opcode == LLVMStore || i->opcode == LLVMCall || i->opcode == LLVMAtomicRMW ||
             i->opcode == LLVMAtomicCmpXchg)
      note_change(p, i, s);
  }
  p->executing = NONE;
}

/* Whether the block is executed in the region itself, or begins a loop in it. */
static bool belongs(const kernel *k, uint32_t b, uint32_t region, uint32_t *inner) {
  *inner = kernel_loop_of_header(k, b);
  if (*inner == region && region != NONE) {
    *inner = NONE;
    return true;
  }
  if (*inner != NONE) return k->loops[*inner].parent == region;
  return k->blocks[b].loop == region;
}

edges region_run(proof *p, uint32_t region, state *s, walk w, environment phis[THREADS]) {
  const kernel *k = p->kernel;
  const uint32_t count = region == NONE ? k->block_count : k->loops[region].block_count;
  edges e = edges_open(p, count);
  for (uint32_t n = 0; n < count; n++) {
    const uint32_t b = region == NONE ? n : k->loops[region].blocks[n];
    const bool first = region == NONE ? b == 0 : b == k->loops[region].header;
    uint32_t inner = NONE;
    if (!belongs(k, b, region, &inner)) continue;
    state here = *s;
    for (unsigned t = 0; t < THREADS && !first; t++)
      here.enabled[t] = smt_simplify(&p->smt, enabled_by_edges(p, &e, b, t));
    if (!first && here.enabled[0] == p->smt.no && here.enabled[1] == p->smt.no) continue;
    if (inner != NONE)
      loop_run(p, inner, &here, w, &e);
    else
      block_run(p, b, &here, w, &e, &e, first ? phis : NULL);
  }
  return e;
}
