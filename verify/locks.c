/* Locks. A work-item has a lock where it came by a branch that says that `atomic_cmpxchg`, `atomic_xchg` or
 * `atomic_flag_test_and_set` found it free, and has not given it back since. That is read from the graph of the kernel's
 * blocks; which lock it is, among those of a buffer, the solver compares. */
#include "verify/locks.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* --- atomics on locks ------------------------------------------------------------------------------------------------- */

typedef enum use_kind { USE_OTHER, USE_TAKE, USE_GIVE } use_kind;

/* What an atomic function does to a lock that is free when it holds `free`. */
typedef struct lock_use {
  use_kind kind;
  bool fences; /* it orders memory itself */
} lock_use;

static bool constant_of(LLVMValueRef v, int64_t *number) {
  const bool is = LLVMIsAConstantInt(v) != NULL;
  *number = is ? LLVMConstIntGetSExtValue(v) : 0;
  return is;
}

static bool named(const instruction *i, const char *ending) {
  const char *name = i->callee == NULL || i->callee->kind != CALL_ATOMIC ? "" : i->callee->name;
  const char *rest = strchr(name, '_');
  return rest != NULL && strcmp(rest + 1, ending) == 0;
}

static bool is_flag(const instruction *i) {
  return i->callee != NULL && i->callee->kind == CALL_ATOMIC && strncmp(i->callee->name, "atomic_flag_", 12) == 0;
}

static lock_use use_of(const instruction *i, int64_t free) {
  int64_t first = 0, second = 0;
  if (is_flag(i)) { /* without an order of its own it is sequentially consistent; with a scope it may be for few */
    const unsigned arguments = LLVMGetNumArgOperands(i->value);
    const use_kind kind = strstr(i->callee->name, "clear") != NULL ? USE_GIVE : USE_TAKE;
    return (lock_use){arguments > 2 ? USE_OTHER : kind, arguments == 1};
  }
  if (named(i, "cmpxchg")) {
    const bool both =
        constant_of(LLVMGetOperand(i->value, 1), &first) && constant_of(LLVMGetOperand(i->value, 2), &second);
    return (lock_use){both && first == free && second != free ? USE_TAKE : USE_OTHER, false};
  }
  if (named(i, "xchg") && constant_of(LLVMGetOperand(i->value, 1), &first)) {
    return (lock_use){first == free ? USE_GIVE : USE_TAKE, false};
  }
  return (lock_use){USE_OTHER, false};
}

/* --- ways through the kernel ------------------------------------------------------------------------------------------ */

/* What ends a way. */
typedef struct wall {
  uint32_t from, to; /* an edge, NONE: none */
  unsigned flags;    /* a fence for memory of this flag, 0: none */
  int64_t order;     /* that it needs, as memory_order_acquire or memory_order_release; -1: only a barrier will do */
  unsigned scope;    /* that it needs */
} wall;

enum { ORDER_ACQUIRE = 2, ORDER_RELEASE = 3, ORDER_BOTH = 4 }; /* as C11 counts; 5: sequentially consistent */

static bool is_fence(const instruction *i, const wall *w) {
  int64_t flags = 0, order = 0, scope = 0;
  if (i->callee == NULL || w->flags == 0 || (i->callee->kind != CALL_FENCE && i->callee->kind != CALL_BARRIER) ||
      !constant_of(LLVMGetOperand(i->value, 0), &flags) || ((unsigned)flags & w->flags) == 0) {
    return false;
  }
  if (i->callee->kind == CALL_BARRIER || w->order < 0) {
    return i->callee->kind == CALL_BARRIER;
  }
  if (strcmp(i->callee->name, "atomic_work_item_fence") == 0) {
    return constant_of(LLVMGetOperand(i->value, 1), &order) && (order == w->order || order >= ORDER_BOTH) &&
           constant_of(LLVMGetOperand(i->value, 2), &scope) && scope >= w->scope && scope <= SCOPE_ALL;
  }
  return strcmp(i->callee->name, "mem_fence") == 0;
}

/* From the instruction `at` of its block on: 1: comes to `goal`, -1: meets the wall, 0: the block ends. */
static int along_block(const kernel *k, uint32_t at, uint32_t end, uint32_t goal, const wall *w) {
  for (; at < end; at++) {
    if (at == goal) {
      return 1;
    }
    if (is_fence(&k->instructions[at], w)) {
      return -1;
    }
  }
  return 0;
}

/* Whether a way leads from the instruction `start` to `goal` (both as places in the kernel's list) that the wall does not end. */
static bool reaches(const kernel *k, uint32_t start, uint32_t goal, const wall *w) {
  bool *seen = mem_calloc(k->block_count + 1, sizeof *seen);
  uint32_t *todo = mem_calloc(k->block_count + 1, sizeof *todo);
  size_t count = 0;
  uint32_t b = k->instructions[start].block, at = start;
  bool found = false;
  for (;;) {
    const block *here = &k->blocks[b];
    const int met = along_block(k, at, here->first + here->count, goal, w);
    found = met > 0;
    for (uint32_t i = 0; i < here->successor_count && met == 0; i++) {
      const uint32_t to = here->successors[i];
      if (!seen[to] && !(b == w->from && to == w->to)) {
        seen[to] = true;
        todo[count++] = to;
      }
    }
    if (found || count == 0) {
      break;
    }
    b = todo[--count];
    at = k->blocks[b].first;
  }
  free(seen);
  free(todo);
  return found;
}

/* --- where a lock is taken -------------------------------------------------------------------------------------------- */

/* The successor (0 or 1) of a branch that is taken when the lock was free; -1: the condition does not say. */
static int free_way(const instruction *branch, const instruction *use, int64_t free) {
  const LLVMValueRef condition = LLVMGetCondition(branch->value);
  if (is_flag(use)) {
    return condition == use->value ? 1 : -1; /* true: it was set */
  }
  if (LLVMIsAICmpInst(condition) == NULL || LLVMGetOperand(condition, 0) != use->value) {
    return -1;
  }
  int64_t with = 0, taken = 0;
  const LLVMIntPredicate p = LLVMGetICmpPredicate(condition);
  if (!constant_of(LLVMGetOperand(condition, 1), &with) || (p != LLVMIntEQ && p != LLVMIntNE)) {
    return -1;
  }
  if (with == free) {
    return p == LLVMIntEQ ? 0 : 1;
  }
  const bool exchange = named(use, "xchg"); /* whatever else was there, this one replaced it */
  return exchange && constant_of(LLVMGetOperand(use->value, 1), &taken) && with == taken ? (p == LLVMIntEQ ? 1 : 0)
                                                                                         : -1;
}

static bool touches(proof *p, const instruction *i, uint32_t memory) {
  const unsigned operands =
      i->opcode == LLVMCall ? LLVMGetNumArgOperands(i->value)
      : i->opcode == LLVMStore || i->opcode == LLVMLoad || i->opcode == LLVMAtomicRMW || i->opcode == LLVMAtomicCmpXchg
          ? (unsigned)LLVMGetNumOperands(i->value)
          : 0;
  for (unsigned n = 0; n < operands; n++) {
    const LLVMValueRef v = LLVMGetOperand(i->value, n);
    if (LLVMGetTypeKind(LLVMTypeOf(v)) != LLVMPointerTypeKind) {
      continue;
    }
    for (const uint32_t *o = objects_of(p, v); *o != NONE; o++) {
      if (p->objects[*o].memory == memory) {
        return true;
      }
    }
  }
  return false;
}

static bool is_use(proof *p, uint32_t at, uint32_t memory) {
  const instruction *i = &p->kernel->instructions[at];
  return i->opcode == LLVMCall && touches(p, i, memory);
}

/* A plain store of the free number to locks of a group, before a barrier that all uses of the locks are after. */
static bool makes_ready(proof *p, uint32_t at, uint32_t memory, int64_t free) {
  const kernel *k = p->kernel;
  const instruction *i = &k->instructions[at];
  const wall barrier = {NONE, NONE, FLAG_LOCAL, -1, SCOPE_WORK_GROUP}, none = {.from = NONE, .to = NONE};
  int64_t number = 0;
  bool ready = i->opcode == LLVMStore && p->objects[memory].space == SPACE_LOCAL &&
               constant_of(LLVMGetOperand(i->value, 0), &number) && number == free;
  for (uint32_t n = 0; n < k->instruction_count && ready; n++) {
    ready = !is_use(p, n, memory) || (!reaches(k, at, n, &barrier) && !reaches(k, n, at, &none));
  }
  return ready;
}

static unsigned lock_bits(const instruction *i) {
  const LLVMTypeRef type = LLVMTypeOf(i->value);
  return is_flag(i) || LLVMGetTypeKind(type) != LLVMIntegerTypeKind ? 32 : LLVMGetIntTypeWidth(type);
}

/* All that is done to the memory takes or gives locks of one width that are free with this number. */
static bool only_locks(proof *p, uint32_t memory, int64_t free) {
  unsigned bits = 0;
  for (uint32_t n = 0; n < p->kernel->instruction_count; n++) {
    const instruction *i = &p->kernel->instructions[n];
    if (!touches(p, i, memory)) {
      continue;
    }
    if (use_of(i, free).kind == USE_OTHER) {
      if (!makes_ready(p, n, memory, free)) {
        return false;
      }
      continue;
    }
    if (bits != 0 && bits != lock_bits(i)) {
      return false;
    }
    bits = lock_bits(i);
  }
  return true;
}

/* Whoever exchanges puts the same number there, so that another number says that nobody has the lock. */
static bool one_taken_number(proof *p, uint32_t memory, int64_t free) {
  int64_t first = free;
  bool one = true;
  for (uint32_t n = 0; n < p->kernel->instruction_count && one; n++) {
    const instruction *i = &p->kernel->instructions[n];
    int64_t taken = 0;
    if (!is_flag(i) && touches(p, i, memory) && use_of(i, free).kind == USE_TAKE) {
      one =
          constant_of(LLVMGetOperand(i->value, named(i, "xchg") ? 1 : 2), &taken) && (first == free || first == taken);
      first = taken;
    }
  }
  return one;
}

/* The number that is there when a lock is free, as the function that takes or gives it says. */
static bool free_number(proof *p, const instruction *i, uint32_t memory, int64_t *free) {
  *free = 0;
  if (named(i, "cmpxchg") && constant_of(LLVMGetOperand(i->value, 1), free)) {
    return only_locks(p, memory, *free);
  }
  return only_locks(p, memory, 0);
}

static bool same_address(LLVMValueRef a, LLVMValueRef b) {
  if (a == b) {
    return true;
  }
  if (LLVMIsAInstruction(a) == NULL || LLVMIsAInstruction(b) == NULL ||
      LLVMGetInstructionOpcode(a) != LLVMGetInstructionOpcode(b) || LLVMTypeOf(a) != LLVMTypeOf(b) ||
      LLVMGetNumOperands(a) != LLVMGetNumOperands(b)) {
    return false;
  }
  const LLVMOpcode o = LLVMGetInstructionOpcode(a);
  bool same = o == LLVMGetElementPtr || o == LLVMSExt || o == LLVMZExt || o == LLVMTrunc || o == LLVMAdd ||
              o == LLVMMul || o == LLVMAnd || o == LLVMShl;
  same = same && (o != LLVMGetElementPtr || LLVMGetGEPSourceElementType(a) == LLVMGetGEPSourceElementType(b));
  for (int i = 0; same && i < LLVMGetNumOperands(a); i++) {
    same = same_address(LLVMGetOperand(a, (unsigned)i), LLVMGetOperand(b, (unsigned)i));
  }
  return same;
}

/* --- which memory has locks ------------------------------------------------------------------------------------------- */

static bool comes_by(const kernel *k, const lock_taken *l, uint32_t at) {
  return kernel_dominates(k, l->to, k->instructions[at].block);
}

/* Whether a lock of the memory may have been given back on the way from where this one was taken to `at`. */
static bool given_before(proof *p, const lock_taken *l, uint32_t at) {
  const wall again = {.from = l->from, .to = l->to};
  for (uint32_t n = 0; n < p->kernel->instruction_count; n++) {
    const instruction *i = &p->kernel->instructions[n];
    const bool last = n + 1 == p->kernel->blocks[i->block].first + p->kernel->blocks[i->block].count;
    if (touches(p, i, l->memory) && use_of(i, l->free).kind == USE_GIVE && !last &&
        reaches(p->kernel, n + 1, at, &again)) {
      return true;
    }
  }
  return false;
}

static bool is_owned(proof *p, uint32_t at, uint32_t memory) {
  const LLVMValueRef pointer = LLVMGetOperand(p->kernel->instructions[at].value, 0);
  for (size_t n = 0; n < p->lock_count; n++) {
    const lock_taken *l = &p->locks[n];
    if (l->memory == memory && comes_by(p->kernel, l, at) && same_address(l->pointer, pointer) &&
        !given_before(p, l, at)) {
      return true;
    }
  }
  return false;
}

/* Locks are given back by those who have them. */
static bool given_by_holders(proof *p, const lock_taken *of) {
  for (uint32_t n = 0; n < p->kernel->instruction_count; n++) {
    const instruction *i = &p->kernel->instructions[n];
    if (touches(p, i, of->memory) && use_of(i, of->free).kind == USE_GIVE && !is_owned(p, n, of->memory)) {
      return false;
    }
  }
  return true;
}

/* The branches that ask what this one found. */
static void add_branches(proof *p, const instruction *use, uint32_t memory, int64_t free) {
  const kernel *k = p->kernel;
  for (uint32_t b = 0; b < k->block_count; b++) {
    const instruction *last = &k->instructions[k->blocks[b].first + k->blocks[b].count - 1];
    const int way = last->opcode == LLVMBr && k->blocks[b].successor_count == 2 ? free_way(last, use, free) : -1;
    const uint32_t to = way < 0 ? NONE : k->blocks[b].successors[way];
    if (to != NONE && k->blocks[to].predecessor_count == 1) {
      *ARRAY_ADD(p->locks, p->lock_count, p->lock_capacity) =
          (lock_taken){.from = b, .to = to, .memory = memory, .free = free, .pointer = LLVMGetOperand(use->value, 0)};
    }
  }
}

void locks_find(proof *p) {
  for (uint32_t n = 0; n < p->kernel->instruction_count; n++) {
    const instruction *i = &p->kernel->instructions[n];
    if (!is_flag(i) && !named(i, "cmpxchg") && !named(i, "xchg")) {
      continue;
    }
    const uint32_t *objects = objects_of(p, LLVMGetOperand(i->value, 0));
    int64_t free = 0;
    if (objects[0] != NONE && objects[1] == NONE) {
      const uint32_t memory = p->objects[objects[0]].memory;
      if (free_number(p, i, memory, &free) && use_of(i, free).kind == USE_TAKE && one_taken_number(p, memory, free)) {
        add_branches(p, i, memory, free);
      }
    }
  }
  size_t kept = 0;
  bool *good = mem_calloc(p->lock_count + 1, sizeof *good);
  for (size_t l = 0; l < p->lock_count; l++) {
    good[l] = given_by_holders(p, &p->locks[l]);
  }
  for (size_t l = 0; l < p->lock_count; l++) {
    if (good[l]) {
      p->locks[kept++] = p->locks[l];
    }
  }
  p->lock_count = kept;
  free(good);
}

/* --- accesses --------------------------------------------------------------------------------------------------------- */

/* What a work-item did with the lock is seen by the next that has it: a fence after the taking, one before the giving. */
static bool is_fenced(proof *p, const lock_taken *l, uint32_t at, unsigned flag) {
  const kernel *k = p->kernel;
  const unsigned scope = p->same_group ? SCOPE_WORK_GROUP : SCOPE_DEVICE;
  const wall acquire = {l->from, l->to, flag, ORDER_ACQUIRE, scope},
             release = {l->from, l->to, flag, ORDER_RELEASE, scope};
  bool fenced = true;
  for (uint32_t n = 0; n < k->instruction_count && fenced; n++) {
    const instruction *i = &k->instructions[n];
    if (!touches(p, i, l->memory)) {
      continue;
    }
    const lock_use use = use_of(i, l->free);
    if (use.kind == USE_GIVE) {
      fenced = use.fences || !reaches(k, at, n, &release);
    } else if (same_address(LLVMGetOperand(i->value, 0), l->pointer)) {
      fenced = use.fences || !reaches(k, k->blocks[l->to].first, at, &acquire);
    }
  }
  return fenced;
}

/* `flag`: of the fence that has to stand after each of them was taken; 0: none has to. */
static const held_lock *held_at(proof *p, uint32_t number, unsigned flag, const environment variables) {
  const held_lock *held = NULL;
  const uint32_t at = number - p->kernel->argument_count;
  for (size_t n = 0; n < p->lock_count; n++) {
    const lock_taken *l = &p->locks[n];
    if (!comes_by(p->kernel, l, at) || given_before(p, l, at) || (flag != 0 && !is_fenced(p, l, at, flag))) {
      continue;
    }
    const value *pointer = operand(p, variables, l->pointer);
    if (pointer->kind == VALUE_POINTER && pointer->count == 1) {
      held_lock *made = arena_get(p->memory, 1, sizeof *made);
      *made = (held_lock){.next = held, .memory = l->memory};
      made->at = object_within(p, pointer->targets[0].object, pointer->targets[0].at);
      held = made;
    }
  }
  return held;
}

const held_lock *locks_held(proof *p, uint32_t number, unsigned space, const environment variables) {
  return held_at(p, number, space == SPACE_LOCAL ? FLAG_LOCAL : FLAG_GLOBAL, variables);
}

formula locks_both_hold(proof *p, uint32_t number, const environment variables[THREADS]) {
  const access a = {.held = held_at(p, number, 0, variables[0])}, b = {.held = held_at(p, number, 0, variables[1])};
  return locks_exclude(p, &a, &b);
}

formula locks_exclude(const proof *p, const access *a, const access *b) {
  formula any = p->smt.no;
  for (const held_lock *x = a->held; x != NULL; x = x->next) {
    for (const held_lock *y = b->held; y != NULL; y = y->next) {
      if (x->memory == y->memory && (p->same_group || p->objects[x->memory].space != SPACE_LOCAL)) {
        any = smt_or(&p->smt, any,
                     smt_equal(&p->smt, offset_number(&p->values, &x->at, 1), offset_number(&p->values, &y->at, 1)));
      }
    }
  }
  return any;
}
