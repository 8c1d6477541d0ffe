/* A loop waits if each way out depends on what is read in it of memory that others write, and on nothing that the loop itself
 * brings forward.
 * Soundness: docs/verify.md, Assumptions, Ends. */
#include "verify/waits.h"

#include <string.h>

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
  if (strstr(name, "load") != NULL || strstr(name, "flag_test") != NULL) {
    return true;
  }
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
      if (at->opcode != LLVMStore) {
        continue;
      }
      for (const uint32_t *o = objects_of(p, LLVMGetOperand(at->value, 1)); *o != NONE; o++) {
        if (p->objects[*o].memory == memory) {
          return true;
        }
      }
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
  if (i == NULL || !s->loop->has[i->block] || s->left == 0) {
    return;
  }
  s->left--;
  if (i->opcode == LLVMPHI && i->block == s->loop->header) {
    s->advances = true;
  } else if (i->opcode == LLVMLoad) {
    take_read(s, i, false);
  } else if (i->callee != NULL && i->callee->kind == CALL_ATOMIC) {
    take_read(s, i, true);
  } else {
    for (unsigned n = 0; n < (unsigned)LLVMGetNumOperands(i->value); n++) {
      look(s, LLVMGetOperand(i->value, n));
    }
  }
}

bool waits_for_others(proof *p, uint32_t loop_number, bool *local) {
  const loop *l = &p->kernel->loops[loop_number];
  bool exits = false, waits = !l->barrier;
  *local = false;
  for (uint32_t n = 0; n < l->block_count && waits; n++) {
    const block *b = &p->kernel->blocks[l->blocks[n]];
    const instruction *last = &p->kernel->instructions[b->first + b->count - 1];
    bool leaves = false;
    for (uint32_t i = 0; i < b->successor_count; i++) {
      leaves = leaves || !l->has[b->successors[i]];
    }
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

bool waits_before(proof *p, uint32_t number) {
  const kernel *k = p->kernel;
  bool found = false, local = false;
  for (uint32_t n = 0; n < k->loop_count && !found; n++) {
    bool before = number > k->loops[n].header; /* blocks stand in the order of the ways through them */
    for (uint32_t around = k->loops[n].parent; around != NONE; around = k->loops[around].parent) {
      before = before || k->loops[around].has[number];
    }
    found = before && waits_for_others(p, n, &local);
  }
  return found;
}
