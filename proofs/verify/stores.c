/* What a work-item wrote, it reads again: until the next barrier nobody else writes there, or there is a race. Numbers of one width
 * only; what cannot be followed is forgotten.
 * Soundness: docs/verify.md, Why it is right, Stores. */
#include "proofs/verify/stores.h"

#include <stdlib.h>

#include "base/memory.h"
#include "proofs/verify/proof.h"

/* --- what a loop leaves ------------------------------------------------------------------------------------------- */

/* What a loop leaves as it is: memory that nothing in it writes holds in each iteration, and after it, what it held before. Where the
 * loop has a barrier that is not used: others may be at another place of the kernel then.
 *
 * Another work-item that writes there is at a place before the loop or after it. No barrier of this loop stands between it and a
 * read in the loop, so it is as if there were no loop: in one group it would race with the read, or a barrier in front of the loop, or
 * after it, stands between them; of another group it would race in any case.
 * Soundness: docs/verify.md, Why it is right, Loops that do not write. */

static bool points_into(proof *p, LLVMValueRef pointer, uint32_t number) {
  if (LLVMGetTypeKind(LLVMTypeOf(pointer)) != LLVMPointerTypeKind) return false;
  for (const uint32_t *o = objects_of(p, pointer); *o != NONE; o++)
    if (p->objects[*o].memory == p->objects[number].memory) return true;
  return false;
}

/* Whether the instruction may write to the memory of the object. */
static bool may_write(proof *p, const instruction *i, uint32_t number) {
  if (i->opcode == LLVMStore) return points_into(p, LLVMGetOperand(i->value, 1), number);
  for (unsigned n = 0; i->callee != NULL && n < LLVMGetNumArgOperands(i->value); n++)
    if (call_may_write(i->callee, n) && points_into(p, LLVMGetOperand(i->value, n), number)) return true;
  return false;
}

static const bool *written_in(proof *p, uint32_t loop_number) {
  const loop *l = &p->kernel->loops[loop_number];
  if (p->loop_writes[loop_number] != NULL) return p->loop_writes[loop_number];
  bool *written = mem_arena_array(p->memory, p->object_count + 1, sizeof *written);
  for (uint32_t n = 0; n < l->block_count; n++) {
    const block *b = &p->kernel->blocks[l->blocks[n]];
    for (uint32_t k = b->first; k < b->first + b->count; k++)
      for (uint32_t o = 0; o < p->object_count; o++)
        written[o] = written[o] || may_write(p, &p->kernel->instructions[k], o);
  }
  p->loop_writes[loop_number] = written;
  return written;
}

void memory_loop(proof *p, uint32_t loop_number) {
  const bool *written = written_in(p, loop_number);
  bool any = p->kernel->loops[loop_number].barrier;
  for (uint32_t o = 0; o < p->object_count; o++) /* what cannot be followed may be anywhere */
    any = any || (written[o] && p->objects[o].kind == OBJECT_UNKNOWN);
  if (any || p->request->warp != 0) {
    memory_all_changed(p);
    return;
  }
  for (uint32_t o = 0; o < p->object_count; o++)
    if (written[o]) memory_changed(p, (const uint32_t[]){o, NONE});
}

struct store {
  uint32_t memory; /* object */
  unsigned thread;
  formula when, at; /* bytes from the beginning of the memory */
  formula written;
};

void stores_forget(proof *p, uint32_t memory) {
  size_t kept = 0;
  for (size_t i = 0; i < p->store_count && memory != NONE; i++)
    if (p->stores[i].memory != memory) p->stores[kept++] = p->stores[i];
  p->store_count = kept;
}

static bool is_private(const proof *p, uint32_t memory) { return p->objects[memory].kind == OBJECT_PRIVATE; }

void stores_forget_shared(proof *p) {
  size_t kept = 0;
  for (size_t i = 0; i < p->store_count; i++)
    if (is_private(p, p->stores[i].memory)) p->stores[kept++] = p->stores[i];
  p->store_count = kept;
}

/* Whether a number that is written through the pointer can be followed in all the memory that it points into. */
static bool can_follow(proof *p, const value *pointer, const value *written) {
  enum { MOST = 16 };
  if (written->kind != VALUE_NUMBER || p->store_count > MOST) return false; /* limit: of stores that are remembered */
  const bool others = p->request->warp == 0 && !p->request->alias;
  const unsigned bits = smt_bits(&p->smt, written->number);
  for (size_t i = 0; i < pointer->count; i++) {
    const target *t = &pointer->targets[i];
    const object *o = &p->objects[t->object], *memory = &p->objects[o->memory];
    const offset within = object_within(p, t->object, t->at);
    /* same: of atomic functions, its own take the store away, and those of others race with it */
    if ((!others && o->kind != OBJECT_PRIVATE) || memory->atomic || memory->other_widths || memory->read_bits != bits ||
        offset_unit(&within, (int64_t)bits / 8) != (int64_t)bits / 8)
      return false;
  }
  return true;
}

bool stores_note(proof *p, const instruction *i, const state *s) {
  const value *pointers[THREADS], *written[THREADS];
  for (unsigned t = 0; t < THREADS; t++) {
    pointers[t] = operand(p, s->variables[t], LLVMGetOperand(i->value, 1));
    written[t] = operand(p, s->variables[t], LLVMGetOperand(i->value, 0));
    if (!can_follow(p, pointers[t], written[t])) return false;
  }
  for (unsigned t = 0; t < THREADS; t++) {
    for (size_t n = 0; n < pointers[t]->count; n++) {
      const target *at = &pointers[t]->targets[n];
      const formula when = smt_and(&p->smt, s->enabled[t], at->when);
      const offset within = object_within(p, at->object, at->at);
      *ARRAY_ADD(p->stores, p->store_count, p->store_capacity) = (struct store){
          p->objects[at->object].memory, t, when, offset_number(&p->values, &within, 1), written[t]->number};
    }
  }
  return true;
}

formula stores_read(proof *p, uint32_t memory, unsigned thread, bool both, formula at, bool whole, formula found) {
  for (size_t i = 0; i < p->store_count; i++) {
    const struct store *s = &p->stores[i];
    if (s->memory != memory || (s->thread != thread && !both)) continue;
    if (!whole) return smt_fresh(&p->smt, "part", smt_bits(&p->smt, found), true);
    const formula here = smt_and(&p->smt, s->when, smt_equal(&p->smt, at, s->at));
    found = smt_if(&p->smt, here, s->written, found);
  }
  return found;
}
