/* Memory that atomic functions only count in, in one direction: each call gives another number, as long as nothing sets it again
 * in between, and it does not come round.
 * Soundness: docs/verify.md, Atomics. */
#include "verify/counters.h"

#include <string.h>

#include "base/memory.h"

/* By how much it counts up (or, negative, down); 0: it does not, or not by a constant. */
static int64_t counting(const instruction *i) {
  if (i->callee == NULL || i->callee->kind != CALL_ATOMIC) {
    return 0;
  }
  const char *name = strchr(i->callee->name, '_') + 1;
  if (strncmp(name, "fetch_", 6) == 0) {
    name += 6;
  }
  if (strcmp(name, "inc") == 0 || strcmp(name, "dec") == 0) {
    return name[0] == 'i' ? 1 : -1;
  }
  const bool adds = strncmp(name, "add", 3) == 0;
  if (!adds && strncmp(name, "sub", 3) != 0) {
    return 0;
  }
  const LLVMValueRef by = LLVMGetOperand(i->value, 1);
  const long long number = LLVMIsAConstantInt(by) == NULL ? 0 : LLVMConstIntGetSExtValue(by);
  return number == INT64_MIN ? 0 : adds ? number : -number;
}

bool points_into_memory(proof *p, LLVMValueRef pointer, uint32_t number) {
  if (LLVMGetTypeKind(LLVMTypeOf(pointer)) != LLVMPointerTypeKind) {
    return false;
  }
  for (const uint32_t *o = objects_of(p, pointer); *o != NONE; o++) {
    if (p->objects[*o].memory == p->objects[number].memory) {
      return true;
    }
  }
  return false;
}

bool counter_is_set(proof *p, const instruction *i, uint32_t number) {
  if (i->opcode == LLVMStore) {
    return points_into_memory(p, LLVMGetOperand(i->value, 1), number);
  }
  for (unsigned n = 0; i->callee != NULL && n < LLVMGetNumArgOperands(i->value); n++) {
    if (call_may_write(i->callee, n) && points_into_memory(p, LLVMGetOperand(i->value, n), number)) {
      return true;
    }
  }
  return false;
}

static bool has_width(const instruction *i, unsigned bits) {
  const LLVMTypeRef type = LLVMTypeOf(i->value);
  return LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) == bits;
}

bool counter_is_atomic(const instruction *i) {
  return i->opcode == LLVMAtomicRMW || i->opcode == LLVMAtomicCmpXchg ||
         (i->callee != NULL && i->callee->kind == CALL_ATOMIC);
}

counter_use counter_use_of(proof *p, uint32_t number, unsigned bits) {
  counter_use u = {.counts = true};
  int64_t direction = 0;
  for (uint32_t n = 0; n < p->kernel->instruction_count && u.counts; n++) {
    const instruction *i = &p->kernel->instructions[n];
    if (!counter_is_atomic(i)) {
      u.stored = u.stored || counter_is_set(p, i, number);
      continue;
    }
    if (!points_into_memory(p, LLVMGetOperand(i->value, 0), number)) {
      continue;
    }
    const int64_t here = counting(i);
    u.counts = u.counts && here != 0 && (direction == 0 || (here > 0) == (direction > 0)) && has_width(i, bits);
    const bool again = p->kernel->blocks[i->block].loop != NONE;
    u.in_loop = u.in_loop || again;
    u.calls += again ? 0 : 1;
    direction = here;
    u.unit = greatest_divisor(u.unit, here < 0 ? -here : here);
  }
  return u;
}

/* --- does it come round? ---------------------------------------------------------------------------------------------- */

uint64_t counter_items(const proof *p, uint32_t number) {
  uint64_t items = 1;
  for (unsigned d = 0; d < DIMENSIONS; d++) {
    uint64_t local = 0, groups = 0;
    local = smt_is_number(&p->smt, p->local_size[d], &local) ? local : 1024;
    groups = p->objects[number].space == SPACE_LOCAL         ? 1
             : smt_is_number(&p->smt, p->groups[d], &groups) ? groups
                                                             : UINT64_C(1) << 20;
    items = local * groups > (UINT64_C(1) << 30) / items ? UINT64_C(1) << 30 : items * local * groups;
  }
  return items;
}

/* Steps of a power of two come round the sooner the larger they are. A loop may call so often as memory has elements. */
static bool comes_round(const proof *p, const access *a, unsigned bits, const counter_use *u) {
  enum { IN_LOOP = 1 << 24 };
  const uint64_t low = (uint64_t)u->unit & (~(uint64_t)u->unit + 1);
  const uint64_t period = bits >= 64 ? UINT64_MAX / low : (UINT64_C(1) << bits) / low;
  const uint64_t calls = u->calls * counter_items(p, a->object) + (u->in_loop ? IN_LOOP : 0);
  return (low > 1 || bits < 32) && period < calls; /* in other steps nobody counts so far */
}

/* --- facts ------------------------------------------------------------------------------------------------------------ */

void counters_note(proof *p, unsigned thread, const instruction *i, const value *pointer, const value *result,
                   formula enabled) {
  if (counting(i) == 0 || pointer->count != 1 || result->kind != VALUE_NUMBER) {
    return;
  }
  const target *at = &pointer->targets[0];
  access *a = arena_get(p->memory, 1, sizeof *a);
  *a = (access){.thread = thread, .instruction = kernel_number(p->kernel, i->value), .enabled = enabled};
  a->object = at->object;
  a->at = at->at;
  const struct counted made = {.access = a, .number = result->number, .interval = p->smt.yes};
  for (size_t n = 0; n < p->counted_count; n++) {
    const struct counted *before = &p->counted[n];
    if (before->access->thread != thread && before->access->object == a->object) {
      *ARRAY_ADD(p->counted_pairs, p->counted_pair_count, p->counted_pair_capacity) =
          (struct counted_pair){*before, made, before->interval};
    }
  }
  *ARRAY_ADD(p->counted, p->counted_count, p->counted_capacity) = made;
}

void counters_interval(proof *p, formula ends) {
  const formula goes_on = smt_not(&p->smt, ends);
  for (size_t n = 0; n < p->counted_count; n++) {
    p->counted[n].interval = smt_and(&p->smt, p->counted[n].interval, goes_on);
  }
}

/* The condition under which they give each another number; `*unit` divides the distance of both. Where something sets the counter
 * again that is known between two barriers: whoever set it there would race. */
static formula counts_apart(proof *p, const struct counted_pair *both, counter_use *u) {
  const access *a = both->first.access;
  const unsigned bits = smt_bits(&p->smt, both->first.number);
  if (!p->same_group && p->objects[a->object].space != SPACE_GLOBAL) {
    return p->smt.no;
  }
  *u = counter_use_of(p, a->object, bits);
  if (!u->counts || bits != smt_bits(&p->smt, both->second.number)) {
    return p->smt.no;
  }
  return p->same_group && u->stored ? both->interval : p->smt.yes;
}

void counters_add(proof *p) {
  const smt *s = &p->smt;
  for (size_t n = 0; n < p->counted_pair_count; n++) {
    const struct counted_pair *both = &p->counted_pairs[n];
    const access *a = both->first.access, *b = both->second.access;
    const formula x = both->first.number, y = both->second.number;
    counter_use u = {0};
    const formula condition = counts_apart(p, both, &u);
    if (condition == s->no || comes_round(p, a, smt_bits(s, x), &u)) {
      continue;
    }
    const formula same = smt_equal(s, offset_number(&p->values, &a->at, 1), offset_number(&p->values, &b->at, 1));
    const formula when = smt_and(s, condition, smt_and(s, smt_and(s, a->enabled, b->enabled), same));
    formula apart = smt_differ(s, x, y);
    const uint64_t low = (uint64_t)u.unit & (~(uint64_t)u.unit + 1);
    if (low > 1) { /* in steps of this */
      const unsigned bits = smt_bits(s, x);
      const formula rest = smt_apply_binary(s, Z3_mk_bvand, smt_subtract(s, x, y), smt_number(s, low - 1, bits));
      apart = smt_and(s, apart, smt_equal(s, rest, smt_number(s, 0, bits)));
    }
    proof_fact(p, smt_implies(s, when, apart));
  }
}
