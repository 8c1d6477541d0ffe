/* What a loop leaves as it is: memory that nothing in it writes holds in each iteration, and after it, what it held before. Where the
 * loop has a barrier that is not used: others may be at another place of the kernel then.
 *
 * Another work-item that writes there is at a place before the loop or after it. No barrier of this loop stands between it and a
 * read in the loop, so it is as if there were no loop: in one group it would race with the read, or a barrier in front of the loop, or
 * after it, stands between them; of another group it would race in any case.
 * Soundness: docs/verify.md, Why it is right, Loops that do not write. */
#include "verify/counters.h"
#include "verify/stores.h"

/* Whether the instruction may write to the memory of the object. */
static bool may_write(proof *p, const instruction *i, uint32_t number) {
  if (!counter_is_atomic(i)) {
    return counter_is_set(p, i, number);
  }
  const unsigned count = i->callee == NULL ? 1 : LLVMGetNumArgOperands(i->value);
  for (unsigned n = 0; n < count; n++) {
    if (points_into_memory(p, LLVMGetOperand(i->value, n), number)) {
      return true;
    }
  }
  return false;
}

static const bool *written_in(proof *p, uint32_t loop_number) {
  const loop *l = &p->kernel->loops[loop_number];
  if (p->loop_writes[loop_number] != NULL) {
    return p->loop_writes[loop_number];
  }
  bool *written = arena_get(p->memory, p->object_count + 1, sizeof *written);
  for (uint32_t n = 0; n < l->block_count; n++) {
    const block *b = &p->kernel->blocks[l->blocks[n]];
    for (uint32_t k = b->first; k < b->first + b->count; k++) {
      for (uint32_t o = 0; o < p->object_count; o++) {
        written[o] = written[o] || may_write(p, &p->kernel->instructions[k], o);
      }
    }
  }
  p->loop_writes[loop_number] = written;
  return written;
}

void memory_loop(proof *p, uint32_t loop_number) {
  const bool *written = written_in(p, loop_number);
  bool any = p->kernel->loops[loop_number].barrier;
  for (uint32_t o = 0; o < p->object_count; o++) { /* what cannot be followed may be anywhere */
    any = any || (written[o] && p->objects[o].kind == OBJECT_UNKNOWN);
  }
  if (any || p->request->warp != 0) {
    memory_all_changed(p);
    return;
  }
  for (uint32_t o = 0; o < p->object_count; o++) {
    if (written[o]) {
      memory_changed(p, (const uint32_t[]){o, NONE});
    }
  }
}
