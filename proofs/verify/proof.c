/* Setting a proof up, and executing the kernel.
 * Soundness: docs/verify.md, Why it is right, Two work-items. */
#include "proofs/verify/proof.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- the same for both -------------------------------------------------------------------------------------------- */

/* Which values, and which blocks, can differ between the two work-items.
 * Soundness: docs/verify.md, Why it is right, The same for both. */

static bool is_divergent(const proof *p, LLVMValueRef v) {
  const uint32_t number = kernel_number(p->kernel, v);
  return number != NONE && p->divergent[number] && LLVMIsABasicBlock(v) == NULL;
}

/* What nothing was put into may be another number for each. */
static bool is_undefined(LLVMValueRef v) { return LLVMIsUndef(v) != 0 || LLVMIsPoison(v) != 0; }

static bool any_operand(const proof *p, LLVMValueRef v, unsigned count) {
  for (unsigned i = 0; i < count; i++)
    if (is_divergent(p, LLVMGetOperand(v, i))) return true;
  return false;
}

static bool call_diverges(const proof *p, const instruction *i) {
  const char *name = i->callee->name;
  switch (i->callee->kind) {
    case CALL_WORK_ITEM:
      if (strcmp(name, "get_group_id") == 0)
        return !p->same_group || any_operand(p, i->value, LLVMGetNumArgOperands(i->value));
      if (strcmp(name, "get_local_size") == 0 && !p->same_group && p->launch->uneven) return true;
      return strstr(name, "_id") != NULL || any_operand(p, i->value, LLVMGetNumArgOperands(i->value));
    case CALL_VOTE: return !p->same_group;
    case CALL_NOTHING:
    case CALL_SAME_GROUP:
    case CALL_IMAGE_SIZE: return false;
    case CALL_MASK:
    case CALL_PURE:
    case CALL_MIN:
    case CALL_MAX:
    case CALL_CLAMP:
    case CALL_MUL24:
    case CALL_MAD24:
    case CALL_ABS: return any_operand(p, i->value, LLVMGetNumArgOperands(i->value));
    default: return true;
  }
}

/* What is read: the same for both only where the place is the same, and both read the same memory. */
static bool load_diverges(proof *p, const instruction *i) {
  const LLVMValueRef pointer = LLVMGetOperand(i->value, 0);
  if (is_divergent(p, pointer)) return true;
  for (const uint32_t *o = objects_of(p, pointer); *o != NONE; o++) {
    const unsigned space = p->objects[*o].space;
    if (space == SPACE_PRIVATE || (space == SPACE_LOCAL && !p->same_group))
      return p->objects[*o].kind != OBJECT_ARGUMENT || p->objects[*o].written;
  }
  return false;
}

/* The number of an address: each has other memory of its own. */
static bool address_diverges(proof *p, const instruction *i) {
  bool own = is_divergent(p, LLVMGetOperand(i->value, 0));
  for (const uint32_t *o = objects_of(p, LLVMGetOperand(i->value, 0)); *o != NONE; o++)
    own = own || object_is_own(p, *o);
  return own;
}

static bool diverges(proof *p, const instruction *i) {
  switch (i->opcode) {
    case LLVMPtrToInt: return address_diverges(p, i);
    case LLVMCall: return call_diverges(p, i);
    case LLVMLoad: return load_diverges(p, i);
    case LLVMPHI:
      if (p->divergent_block[i->block]) return true;
      for (unsigned n = 0; n < LLVMCountIncoming(i->value); n++)
        if (is_divergent(p, LLVMGetIncomingValue(i->value, n)) || is_undefined(LLVMGetIncomingValue(i->value, n)))
          return true;
      return false;
    case LLVMInsertElement: /* a vector begins as one of which nothing is known */
    case LLVMInsertValue: return any_operand(p, i->value, (unsigned)LLVMGetNumOperands(i->value));
    case LLVMShuffleVector: return any_operand(p, i->value, 2) || shuffle_is_undefined(i->value);
    case LLVMAlloca:
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg: return true;
    default:
      for (unsigned n = 0; n < (unsigned)LLVMGetNumOperands(i->value); n++) {
        const LLVMValueRef given = LLVMGetOperand(i->value, n);
        const bool divides =
            i->opcode == LLVMUDiv || i->opcode == LLVMSDiv || i->opcode == LLVMURem || i->opcode == LLVMSRem;
        if (is_undefined(given) || (divides && n == 1 && LLVMIsAConstant(given) != NULL && LLVMIsNull(given) != 0))
          return true;
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
  for (uint32_t i = 0; i < k->blocks[branch].successor_count; i++) todo[count++] = k->blocks[branch].successors[i];
  while (count > 0) {
    const uint32_t b = todo[--count];
    if (seen[b]) continue;
    seen[b] = true;
    changed = changed || !p->divergent_block[b];
    p->divergent_block[b] = true;
    for (uint32_t i = 0; b != meeting && i < k->blocks[b].successor_count; i++)
      todo[count++] = k->blocks[b].successors[i];
  }
  free(todo);
  free(seen);
  return changed;
}

static void divergent_find(proof *p) {
  const kernel *k = p->kernel;
  p->divergent = mem_arena_array(p->memory, (size_t)k->argument_count + k->instruction_count + 1, sizeof(bool));
  p->divergent_block = mem_arena_array(p->memory, k->block_count + 1, sizeof(bool));
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

_Noreturn void proof_refuse(proof *p, uint32_t where, const char *format, ...) {
  char text[256];
  va_list arguments;
  va_start(arguments, format);
  (void)vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  p->refused = mem_arena_copy(p->memory, text);
  p->refused_at = where;
  longjmp(*p->stop, 1);
}

void proof_fact(proof *p, formula f) {
  if (f != p->smt.yes) *ARRAY_ADD(p->facts, p->fact_count, p->fact_capacity) = f;
}

void proof_assume(proof *p, formula f) {
  if (f == p->smt.yes) return;
  const formula link = smt_fresh(&p->smt, "assumed", 0, false);
  proof_fact(p, smt_implies(&p->smt, link, smt_and(&p->smt, p->chain, f)));
  p->chain = link;
}

/* --- work-items --------------------------------------------------------------------------------------------------- */

/* group * local size + local id; of a size that is not known a number of its own, which is short. */
static formula global_id_of(proof *p, unsigned thread, unsigned d) {
  enum { BITS = 31 };
  const formula group = product_of(p, p->group_id[thread][d], p->local_size[d]);
  const formula sum = smt_add(&p->smt, group, p->local_id[thread][d]);
  uint64_t size = 0;
  if (!p->abstract_products || smt_is_number(&p->smt, p->local_size[d], &size)) return sum;
  const formula id = smt_resize(&p->smt, smt_fresh(&p->smt, "global", BITS, false), ADDRESS_BITS, false);
  proof_fact(p, smt_equal(&p->smt, id, sum));
  return id;
}

/* Sizes that are not given: at most so large, or few. */
enum { LOCAL_BITS = 11, GROUP_BITS = 22, FEW_BITS = 9, FEW = 32, FEW_DEEPER = 256, FEW_OF_THREE = 8 };

/* An id below a size: as few bits as it needs. */
static formula id_below(proof *p, const char *name, unsigned d, unsigned thread, uint64_t given, formula size) {
  char text[48];
  (void)snprintf(text, sizeof text, "%s%u.%u", name, d, thread);
  if (given == 1) return smt_number(&p->smt, 0, ADDRESS_BITS);
  unsigned bits = 1;
  while (bits < 32 && given != SIZE_FREE && (uint64_t)1 << bits < given) bits++;
  bits = given != SIZE_FREE            ? bits
         : p->few_work_items           ? FEW_BITS
         : strcmp(name, "local ") == 0 ? LOCAL_BITS
                                       : GROUP_BITS;
  const formula id = smt_unknown(&p->smt, text, bits);
  const formula wide = smt_resize(&p->smt, id, ADDRESS_BITS, false);
  if (given == SIZE_FREE || given != (uint64_t)1 << bits) proof_fact(p, Z3_mk_bvult(p->smt.z3, wide, size));
  return wide;
}

static formula size_of(proof *p, const char *name, unsigned d, uint64_t given, unsigned bits, uint64_t most) {
  char text[48];
  if (given != SIZE_FREE) return smt_number(&p->smt, given, ADDRESS_BITS);
  (void)snprintf(text, sizeof text, "%s%u", name, d);
  const formula size = smt_unknown(&p->smt, text, bits);
  proof_fact(p, Z3_mk_bvuge(p->smt.z3, size, smt_number(&p->smt, 1, bits)));
  proof_fact(p, Z3_mk_bvule(p->smt.z3, size, smt_number(&p->smt, most, bits)));
  return smt_resize(&p->smt, size, ADDRESS_BITS, false);
}

/* An offset that is not known. With it, ids stay numbers of 31 bits. */
static formula offset_of(proof *p, unsigned d) {
  enum { BITS = 30 };
  char text[48];
  if (!p->launch->any_offset[d]) return smt_number(&p->smt, p->launch->offset[d], ADDRESS_BITS);
  (void)snprintf(text, sizeof text, "offset %u", d);
  return smt_resize(&p->smt, smt_unknown(&p->smt, text, BITS), ADDRESS_BITS, false);
}

/* The last group has as many work-items as are left. */
static void make_uneven(proof *p, unsigned d) {
  char text[48];
  if (!p->launch->uneven || p->launch->local[d] == 1) return;
  (void)snprintf(text, sizeof text, "last size %u", d);
  const uint64_t local = p->launch->local[d];
  const unsigned bits = local == SIZE_FREE ? LOCAL_BITS : 64 - (unsigned)__builtin_clzll(local);
  const formula size = smt_unknown(&p->smt, text, bits);
  proof_fact(p, smt_differ(&p->smt, size, smt_number(&p->smt, 0, bits)));
  p->last_size[d] = smt_resize(&p->smt, size, ADDRESS_BITS, false);
  proof_fact(p, Z3_mk_bvule(p->smt.z3, p->last_size[d], p->local_size[d]));
  for (unsigned t = 0; t < THREADS; t++)
    proof_fact(p, Z3_mk_bvult(p->smt.z3, p->local_id[t][d], proof_local_size(p, t, d)));
}

formula proof_local_size(const proof *p, unsigned thread, unsigned d) {
  if (p->last_size[d] == NULL) return p->local_size[d];
  const formula last = smt_subtract(&p->smt, p->groups[d], smt_number(&p->smt, 1, ADDRESS_BITS));
  return smt_if(&p->smt, smt_equal(&p->smt, p->group_id[thread][d], last), p->last_size[d], p->local_size[d]);
}

/* Of sizes that are not known a number of its own, which is as short as they are together: see make_work_items. */
formula proof_global_size(proof *p, unsigned d) {
  enum { BITS = 31 };
  const smt *s = &p->smt;
  if (p->global_size[d] != NULL) return p->global_size[d];
  const formula all = product_of(p, p->local_size[d], p->groups[d]), last = p->last_size[d];
  const formula size = last == NULL ? all : smt_add(s, smt_subtract(s, all, p->local_size[d]), last);
  p->global_size[d] = size;
  if (p->abstract_products && product_is(p, all)) {
    p->global_size[d] = smt_resize(s, smt_fresh(&p->smt, "global", BITS, false), ADDRESS_BITS, false);
    proof_fact(p, smt_equal(s, p->global_size[d], size));
  }
  return p->global_size[d];
}

/* The most of a size in one dimension where few are looked for: no device has groups of more than so many work-items in all. */
static uint64_t few_of(const proof *p) {
  unsigned free_sizes = 0;
  for (unsigned d = 0; d < DIMENSIONS; d++) free_sizes += p->launch->local[d] == SIZE_FREE ? 1 : 0;
  return free_sizes > 2 ? FEW_OF_THREE : p->turns > 1 && free_sizes < 2 ? FEW_DEEPER : FEW;
}

static void make_sizes(proof *p, unsigned d) {
  const launch *l = p->launch;
  const uint64_t few = few_of(p);
  p->local_size[d] = size_of(p, "local size ", d, l->local[d], p->few_work_items ? FEW_BITS : LOCAL_BITS,
                             p->few_work_items ? few : MOST_LOCAL);
  p->groups[d] = size_of(p, "groups ", d, l->groups[d], p->few_work_items ? FEW_BITS : GROUP_BITS,
                         p->few_work_items ? few : MOST_GROUPS);
  p->global_offset[d] = offset_of(p, d);
}

static void make_ids(proof *p, unsigned d) {
  const launch *l = p->launch;
  for (unsigned t = 0; t < THREADS; t++) p->local_id[t][d] = id_below(p, "local ", d, t, l->local[d], p->local_size[d]);
  p->group_id[0][d] = id_below(p, "group ", d, 0, l->groups[d], p->groups[d]);
  p->group_id[1][d] = p->same_group ? p->group_id[0][d] : id_below(p, "group ", d, 1, l->groups[d], p->groups[d]);
  make_uneven(p, d);
  for (unsigned t = 0; t < THREADS; t++) p->global_id[t][d] = global_id_of(p, t, d);
}

static void make_work_items(proof *p) {
  const launch *l = p->launch;
  formula differ = p->smt.no;
  for (unsigned d = 0; d < DIMENSIONS; d++) {
    make_sizes(p, d);
    make_ids(p, d);
    const formula *ids[THREADS] = {p->same_group ? p->local_id[0] : p->group_id[0],
                                   p->same_group ? p->local_id[1] : p->group_id[1]};
    differ = smt_or(&p->smt, differ, smt_differ(&p->smt, ids[0][d], ids[1][d]));
    const uint64_t local = l->local[d] == SIZE_FREE ? 0 : l->local[d],
                   groups = l->groups[d] == SIZE_FREE ? 0 : l->groups[d];
    if ((l->local[d] == SIZE_FREE && groups > MOST_GROUPS) || (l->groups[d] == SIZE_FREE && local > MOST_LOCAL))
      p->unfit = mem_arena_printf(
          p->memory, "one of two sizes is given, and it is above %d work-items a group or %d groups: give both",
          MOST_LOCAL, MOST_GROUPS);
    if (p->abstract_products && (l->local[d] == SIZE_FREE || l->groups[d] == SIZE_FREE)) {
      const formula most = smt_number(&p->smt, (uint64_t)MOST_LOCAL * MOST_GROUPS, ADDRESS_BITS);
      const formula global = product_of(p, p->local_size[d], p->groups[d]);
      proof_fact(p, Z3_mk_bvule(p->smt.z3, global, most));
    }
  }
  p->differ = p->alone || p->single ? p->smt.yes : differ;
  p->differ_at = p->fact_count;
}

void proof_open(proof *p, const kernel *k, const request *r, const launch *l, bool same_group, unsigned turns,
                bool abstract_products, mem_arena *memory) {
  *p = (proof){.kernel = k, .request = r, .launch = l, .memory = memory, .same_group = same_group, .turns = turns};
  p->abstract_products = abstract_products;
  p->single = same_group && k->copies;
  p->alone = true;
  for (unsigned d = 0; d < DIMENSIONS; d++) {
    p->single = p->single && l->local[d] == 1;
    p->alone = p->alone && l->local[d] == 1 && l->groups[d] == 1;
  }
  p->alone = p->alone && !p->single;
  smt_open(&p->smt);
  p->shifted = mem_calloc(1, sizeof *p->shifted);
  p->shifted->smt = &p->smt;
  p->values = (values){&p->smt, memory};
  p->chain = p->smt.yes;
  p->executing = p->not_understood = NONE;
  p->logs = logged_is_asked(k);
  p->complete = true;
  p->scope = SCOPE_DEVICE;
  for (unsigned d = 0; d < DIMENSIONS; d++)
    p->few_work_items = p->few_work_items || (turns > 0 && (l->local[d] == SIZE_FREE || l->groups[d] == SIZE_FREE));
  p->complete = !p->few_work_items;
  p->most_turns = 40;
  p->budget = 6000;
  p->first_candidate = mem_arena_array(memory, k->loop_count + 1, sizeof(uint32_t));
  p->end_candidate = mem_arena_array(memory, k->loop_count + 1, sizeof(uint32_t));
  p->made_candidates = mem_arena_array(memory, k->loop_count + 1, sizeof(bool));
  p->loop_writes = mem_arena_array(memory, k->loop_count + 1, sizeof(bool *));
  make_work_items(p);
  objects_find(p);
  divergent_find(p);
  annotations_find(p);
}

void proof_close(proof *p) {
  free(p->facts);
  free(p->log);
  free(p->pairs);
  free(p->mishaps);
  free(p->steps);
  free(p->candidates);
  free(p->obligations);
  free(p->objects);
  free(p->products);
  free(p->laws);
  free(p->contents);
  free(p->cells);
  free(p->no_overflow);
  free(p->overflow_notes);
  free(p->exact);
  free(p->stores);
  free(p->events);
  logged_free(p);
  free(p->alive);
  shifts_free(p->shifted);
  free(p->shifted);
  smt_close(&p->smt);
}

/* --- executing ---------------------------------------------------------------------------------------------------- */

static state take_arguments(proof *p) {
  state s = {{NULL, NULL}, {p->smt.yes, p->smt.yes}};
  const size_t count = (size_t)p->kernel->argument_count + p->kernel->instruction_count + 1;
  for (unsigned t = 0; t < THREADS; t++) s.variables[t] = mem_arena_array(p->memory, count, sizeof(const value *));
  p->arguments = s.variables[0];
  for (uint32_t a = 0; a < p->kernel->argument_count; a++) s.variables[0][a] = argument_value(p, a);
  assumptions_add(p, s.variables[0]);
  for (uint32_t a = 0; a < p->kernel->argument_count; a++) s.variables[1][a] = s.variables[0][a];
  return s;
}

static void execute_kernel(proof *p) {
  state s = take_arguments(p);
  (void)region_run(p, NONE, &s, (walk){true, p->turns == 0, NONE}, NULL);
  contents_add(p);
  memory_make_races(p);
  products_add(p);
}

static bool run(proof *p, bool execute) {
  jmp_buf stop;
  p->stop = &stop;
  if (setjmp(stop) != 0) {
    p->stop = NULL;
    return false;
  }
  if (p->unfit != NULL) proof_refuse(p, NONE, "%s", p->unfit);
  if (execute)
    execute_kernel(p);
  else
    (void)take_arguments(p);
  p->stop = NULL;
  return true;
}

bool proof_run(proof *p) { return run(p, true); }

bool proof_take_launch(proof *p) { return run(p, false); }
