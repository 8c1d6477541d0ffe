/* Which values, and which blocks, can differ between the two work-items. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "verify/proof.h"

static bool is_divergent(const proof *p, LLVMValueRef v) {
  const uint32_t number = kernel_number(p->kernel, v);
  return number != NONE && p->divergent[number] && LLVMIsABasicBlock(v) == NULL;
}

/* What nothing was put into may be another number for each. */
static bool is_undefined(LLVMValueRef v) { return LLVMIsUndef(v) != 0 || LLVMIsPoison(v) != 0; }

static bool any_operand(const proof *p, LLVMValueRef v, unsigned count) {
  for (unsigned i = 0; i < count; i++) {
    if (is_divergent(p, LLVMGetOperand(v, i))) {
      return true;
    }
  }
  return false;
}

static bool call_diverges(const proof *p, const instruction *i) {
  const char *name = i->callee->name;
  switch (i->callee->kind) {
    case CALL_WORK_ITEM:
      if (strcmp(name, "get_group_id") == 0) {
        return !p->same_group || any_operand(p, i->value, LLVMGetNumArgOperands(i->value));
      }
      if (strcmp(name, "get_local_size") == 0 && !p->same_group && p->launch->uneven) {
        return true;
      }
      return strstr(name, "_id") != NULL || any_operand(p, i->value, LLVMGetNumArgOperands(i->value));
    case CALL_VOTE:
      return !p->same_group;
    case CALL_NOTHING:
    case CALL_SAME_GROUP:
    case CALL_IMAGE_SIZE:
      return false;
    case CALL_MASK:
    case CALL_PURE:
    case CALL_MIN:
    case CALL_MAX:
    case CALL_CLAMP:
    case CALL_MUL24:
    case CALL_MAD24:
    case CALL_ABS:
      return any_operand(p, i->value, LLVMGetNumArgOperands(i->value));
    default:
      return true;
  }
}

/* What is read: the same for both only where the place is the same, and both read the same memory. */
static bool load_diverges(proof *p, const instruction *i) {
  const LLVMValueRef pointer = LLVMGetOperand(i->value, 0);
  if (is_divergent(p, pointer)) {
    return true;
  }
  for (const uint32_t *o = objects_of(p, pointer); *o != NONE; o++) {
    const unsigned space = p->objects[*o].space;
    if (space == SPACE_PRIVATE || (space == SPACE_LOCAL && !p->same_group)) {
      return p->objects[*o].kind != OBJECT_ARGUMENT || p->objects[*o].written;
    }
  }
  return false;
}

/* The number of an address: each has other memory of its own. */
static bool address_diverges(proof *p, const instruction *i) {
  bool own = is_divergent(p, LLVMGetOperand(i->value, 0));
  for (const uint32_t *o = objects_of(p, LLVMGetOperand(i->value, 0)); *o != NONE; o++) {
    own = own || object_is_own(p, *o);
  }
  return own;
}

static bool diverges(proof *p, const instruction *i) {
  switch (i->opcode) {
    case LLVMPtrToInt:
      return address_diverges(p, i);
    case LLVMCall:
      return call_diverges(p, i);
    case LLVMLoad:
      return load_diverges(p, i);
    case LLVMPHI:
      if (p->divergent_block[i->block]) {
        return true;
      }
      for (unsigned n = 0; n < LLVMCountIncoming(i->value); n++) {
        if (is_divergent(p, LLVMGetIncomingValue(i->value, n)) || is_undefined(LLVMGetIncomingValue(i->value, n))) {
          return true;
        }
      }
      return false;
    case LLVMInsertElement: /* a vector begins as one of which nothing is known */
    case LLVMInsertValue:
    case LLVMShuffleVector:
      return any_operand(p, i->value, (unsigned)LLVMGetNumOperands(i->value));
    case LLVMAlloca:
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
      return true;
    default:
      for (unsigned n = 0; n < (unsigned)LLVMGetNumOperands(i->value); n++) {
        const LLVMValueRef given = LLVMGetOperand(i->value, n);
        const bool divides =
            i->opcode == LLVMUDiv || i->opcode == LLVMSDiv || i->opcode == LLVMURem || i->opcode == LLVMSRem;
        if (is_undefined(given) || (divides && n == 1 && LLVMIsAConstant(given) != NULL && LLVMIsNull(given) != 0)) {
          return true;
        }
      }
      return any_operand(p, i->value, (unsigned)LLVMGetNumOperands(i->value));
  }
}

/* Values that meet after a branch that only one of them takes differ: marks all blocks up to where the ways have met. */
static bool mark_from(proof *p, uint32_t branch) {
  const kernel *k = p->kernel;
  const uint32_t meeting = k->blocks[branch].post_dominator;
  uint32_t *todo = mem_calloc(k->block_count * (size_t)3 + 3, sizeof *todo);
  bool *seen = mem_calloc(k->block_count + 1, sizeof *seen);
  size_t count = 0;
  bool changed = false;
  for (uint32_t i = 0; i < k->blocks[branch].successor_count; i++) {
    todo[count++] = k->blocks[branch].successors[i];
  }
  while (count > 0) {
    const uint32_t b = todo[--count];
    if (seen[b]) {
      continue;
    }
    seen[b] = true;
    changed = changed || !p->divergent_block[b];
    p->divergent_block[b] = true;
    for (uint32_t i = 0; b != meeting && i < k->blocks[b].successor_count; i++) {
      todo[count++] = k->blocks[b].successors[i];
    }
  }
  free(todo);
  free(seen);
  return changed;
}

void divergent_find(proof *p) {
  const kernel *k = p->kernel;
  p->divergent = arena_get(p->memory, (size_t)k->argument_count + k->instruction_count + 1, sizeof(bool));
  p->divergent_block = arena_get(p->memory, k->block_count + 1, sizeof(bool));
  bool *branched = mem_calloc(k->block_count + 1, sizeof(bool));
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t n = 0; n < k->instruction_count; n++) {
      const instruction *i = &k->instructions[n];
      if (!p->divergent[k->argument_count + n] && diverges(p, i)) {
        p->divergent[k->argument_count + n] = true;
        changed = true;
      }
      if (i->opcode == LLVMBr && k->blocks[i->block].successor_count > 1 && !branched[i->block] &&
          is_divergent(p, LLVMGetCondition(i->value))) {
        branched[i->block] = true;
        changed = mark_from(p, i->block) || changed;
      }
    }
  }
  free(branched);
}
