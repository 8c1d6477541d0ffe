/* The blocks of a loop's body, or of the kernel, executed once by both work-items: a block is enabled for a work-item where
 * one of the edges to it is taken.
 * Soundness: docs/verify.md, Why it is right, Control. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "proofs/verify/proof.h"
#include "proofs/verify/smt.h"
#include "proofs/verify/stores.h"

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
    copy_event_stored(p, i, s);
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
