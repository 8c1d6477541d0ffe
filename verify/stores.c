/* What a work-item wrote, it reads again: until the next barrier nobody else writes there, or there is a race. After that
 * barrier others of its group read it, too: whoever wrote there again, before the barrier or after it, would race with one of
 * both. Numbers of one width only; what cannot be followed is forgotten.
 * Soundness: docs/verify.md, Why it is right, Stores. */
#include "verify/stores.h"

#include <stdlib.h>

#include "base/memory.h"
#include "verify/models.h"

struct store {
  uint32_t memory; /* object */
  unsigned thread;
  formula when, at; /* bytes from the beginning of the memory */
  formula written;
  bool before; /* the last barrier */
};

void stores_forget(proof *p, uint32_t memory) {
  size_t kept = 0;
  for (size_t i = 0; i < p->store_count && memory != NONE; i++) {
    if (p->stores[i].memory != memory) {
      p->stores[kept++] = p->stores[i];
    }
  }
  p->store_count = kept;
}

static bool is_private(const proof *p, uint32_t memory) { return p->objects[memory].kind == OBJECT_PRIVATE; }

void stores_forget_shared(proof *p) {
  size_t kept = 0;
  for (size_t i = 0; i < p->store_count; i++) {
    if (is_private(p, p->stores[i].memory)) {
      p->stores[kept++] = p->stores[i];
    }
  }
  p->store_count = kept;
}

void stores_barrier(proof *p) {
  size_t kept = 0;
  for (size_t i = 0; i < p->store_count; i++) {
    if (is_private(p, p->stores[i].memory)) { /* nobody else writes there */
      p->stores[kept++] = p->stores[i];
    } else if (!p->stores[i].before) {
      p->stores[kept] = p->stores[i];
      p->stores[kept++].before = true;
    }
  }
  p->store_count = kept;
}

/* Whether a number that is written through the pointer can be followed in all the memory that it points into. */
static bool can_follow(proof *p, const value *pointer, const value *written) {
  enum { MOST = 16 };
  if (pointer->kind != VALUE_POINTER || written->kind != VALUE_NUMBER || pointer->count == 0 || p->store_count > MOST) {
    return false;
  }
  const bool others = p->request->warp == 0 && !p->request->alias;
  const unsigned bits = smt_bits(&p->smt, written->number);
  for (size_t i = 0; i < pointer->count; i++) {
    const target *t = &pointer->targets[i];
    const object *o = &p->objects[t->object], *memory = &p->objects[o->memory];
    const offset within = o->distance == NULL ? offset_move(&p->values, t->at, o->at) : t->at;
    if ((!others && o->kind != OBJECT_PRIVATE) || o->kind == OBJECT_UNKNOWN || o->kind == OBJECT_NULL ||
        o->distance != NULL || memory->atomic || memory->other_widths || memory->read_bits != bits || bits < 8 ||
        offset_unit(&within, (int64_t)bits / 8) != (int64_t)bits / 8) {
      return false;
    }
  }
  return true;
}

bool stores_note(proof *p, const instruction *i, const state *s) {
  const value *pointers[THREADS], *written[THREADS];
  for (unsigned t = 0; t < THREADS; t++) {
    pointers[t] = operand(p, s->variables[t], LLVMGetOperand(i->value, 1));
    written[t] = operand(p, s->variables[t], LLVMGetOperand(i->value, 0));
    if (!can_follow(p, pointers[t], written[t])) {
      return false;
    }
  }
  for (unsigned t = 0; t < THREADS; t++) {
    for (size_t n = 0; n < pointers[t]->count; n++) {
      const target *at = &pointers[t]->targets[n];
      const formula when = smt_and(&p->smt, s->enabled[t], at->when);
      const offset within = object_within(p, at->object, at->at);
      *ARRAY_ADD(p->stores, p->store_count, p->store_capacity) = (struct store){
          p->objects[at->object].memory, t, when, offset_number(&p->values, &within, 1), written[t]->number, false};
    }
  }
  return true;
}

formula stores_read(proof *p, uint32_t memory, unsigned thread, bool both, formula at, bool whole, formula found) {
  for (size_t i = 0; i < p->store_count; i++) {
    const struct store *s = &p->stores[i];
    if (s->memory != memory || (s->thread != thread && !both && !(s->before && p->same_group))) {
      continue;
    }
    if (!whole || smt_bits(&p->smt, s->written) != smt_bits(&p->smt, found)) {
      return smt_fresh(&p->smt, "part", smt_bits(&p->smt, found), true);
    }
    const formula here = smt_and(&p->smt, s->when, smt_equal(&p->smt, at, s->at));
    found = smt_if(&p->smt, here, s->written, found);
  }
  return found;
}
