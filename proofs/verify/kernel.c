/* Reads a function of LLVM into blocks, and finds dominators and loops.
 * Soundness: docs/verify.md, Why it is right, Control. */
#include "proofs/verify/kernel.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* --- numbers of values ------------------------------------------------------------------------------------------- */

/* Open addressing by pointer; never full. */
typedef struct value_index {
  const void **keys;
  uint32_t *numbers;
  size_t mask;
} value_index;

static size_t slot_of(const value_index *x, const void *key) {
  size_t slot = ((size_t)(uintptr_t)key >> 4) * (size_t)0x9E3779B97F4A7C15U & x->mask;
  while (x->keys[slot] != NULL && x->keys[slot] != key) slot = (slot + 1) & x->mask;
  return slot;
}

static void put(value_index *x, const void *key, uint32_t number) {
  const size_t slot = slot_of(x, key);
  x->keys[slot] = key;
  x->numbers[slot] = number;
}

static uint32_t get(const value_index *x, const void *key) {
  const size_t slot = slot_of(x, key);
  return x->keys[slot] == NULL ? NONE : x->numbers[slot];
}

static value_index *new_index(mem_arena *memory, size_t count) {
  size_t size = 64;
  while (size < count * 2) size *= 2;
  value_index *x = mem_arena_array(memory, 1, sizeof *x);
  x->keys = mem_arena_array(memory, size, sizeof *x->keys);
  x->numbers = mem_arena_array(memory, size, sizeof *x->numbers);
  x->mask = size - 1;
  return x;
}

uint32_t kernel_number(const kernel *k, LLVMValueRef value) { return get(k->index, value); }

const instruction *kernel_instruction(const kernel *k, uint32_t number) {
  return number < k->argument_count ? NULL : &k->instructions[number - k->argument_count];
}

/* --- blocks in reverse post-order -------------------------------------------------------------------------------- */

typedef struct visit {
  LLVMBasicBlockRef block;
  unsigned next;
} visit;

static unsigned successor_count(LLVMBasicBlockRef b) {
  const LLVMValueRef end = LLVMGetBasicBlockTerminator(b);
  return end == NULL ? 0 : LLVMGetNumSuccessors(end);
}

/* The reachable blocks, each after all that are before it but for back edges. */
static LLVMBasicBlockRef *sorted_blocks(LLVMValueRef f, value_index *seen, mem_arena *memory, uint32_t *count) {
  const unsigned all = LLVMCountBasicBlocks(f);
  LLVMBasicBlockRef *post = mem_arena_array(memory, all + 1, sizeof(LLVMBasicBlockRef));
  visit *stack = mem_arena_array(memory, all + 1, sizeof *stack);
  size_t depth = 0;
  *count = 0;
  stack[depth++] = (visit){LLVMGetEntryBasicBlock(f), 0};
  put(seen, stack[0].block, 0);
  while (depth > 0) {
    visit *top = &stack[depth - 1];
    if (top->next == successor_count(top->block)) {
      post[(*count)++] = top->block;
      depth--;
      continue;
    }
    const LLVMBasicBlockRef next = LLVMGetSuccessor(LLVMGetBasicBlockTerminator(top->block), top->next++);
    if (get(seen, next) == NONE) {
      put(seen, next, 0);
      stack[depth++] = (visit){next, 0};
    }
  }
  for (uint32_t i = 0; i < *count / 2; i++) {
    const LLVMBasicBlockRef other = post[i];
    post[i] = post[*count - 1 - i];
    post[*count - 1 - i] = other;
  }
  return post;
}

static void read_instructions(kernel *k, LLVMBasicBlockRef *order) {
  size_t total = 0;
  for (uint32_t b = 0; b < k->block_count; b++)
    for (LLVMValueRef i = LLVMGetFirstInstruction(order[b]); i != NULL; i = LLVMGetNextInstruction(i)) total++;
  k->instructions = mem_arena_array(k->memory, total + 1, sizeof *k->instructions);
  for (uint32_t b = 0; b < k->block_count; b++) {
    block *to = &k->blocks[b];
    to->first = k->instruction_count;
    for (LLVMValueRef i = LLVMGetFirstInstruction(order[b]); i != NULL; i = LLVMGetNextInstruction(i)) {
      instruction *n = &k->instructions[k->instruction_count];
      *n = (instruction){.value = i, .opcode = LLVMGetInstructionOpcode(i), .block = b};
      if (n->opcode == LLVMCall) {
        n->callee = call_find(i, k->memory);
        k->copies = k->copies || n->callee->kind == CALL_ASYNC_COPY;
      }
      put(k->index, i, k->argument_count + k->instruction_count++);
    }
    to->count = k->instruction_count - to->first;
  }
}

static bool contains(const uint32_t *list, uint32_t count, uint32_t what) {
  for (uint32_t i = 0; i < count; i++)
    if (list[i] == what) return true;
  return false;
}

static void read_edges(kernel *k, LLVMBasicBlockRef *order) {
  for (uint32_t b = 0; b < k->block_count; b++) {
    block *from = &k->blocks[b];
    const unsigned count = successor_count(order[b]);
    from->successors = mem_arena_array(k->memory, count + 1, sizeof(uint32_t));
    for (unsigned i = 0; i < count; i++) {
      const uint32_t to = get(k->index, LLVMGetSuccessor(LLVMGetBasicBlockTerminator(order[b]), i));
      if (!contains(from->successors, from->successor_count, to)) {
        from->successors[from->successor_count++] = to;
        k->blocks[to].predecessor_count++;
      }
    }
  }
  for (uint32_t b = 0; b < k->block_count; b++) {
    k->blocks[b].predecessors = mem_arena_array(k->memory, k->blocks[b].predecessor_count + 1, sizeof(uint32_t));
    k->blocks[b].predecessor_count = 0;
  }
  for (uint32_t b = 0; b < k->block_count; b++) {
    for (uint32_t i = 0; i < k->blocks[b].successor_count; i++) {
      block *to = &k->blocks[k->blocks[b].successors[i]];
      to->predecessors[to->predecessor_count++] = b;
    }
  }
}

/* --- dominators (Cooper, Harvey, Kennedy) ------------------------------------------------------------------------- */

static uint32_t common(const uint32_t *parents, uint32_t a, uint32_t b) {
  while (a != b) {
    while (a > b) a = parents[a];
    while (b > a) b = parents[b];
  }
  return a;
}

static void find_dominators(kernel *k) {
  uint32_t *parents = mem_arena_array(k->memory, k->block_count, sizeof *parents);
  for (uint32_t b = 1; b < k->block_count; b++) parents[b] = NONE;
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t b = 1; b < k->block_count; b++) {
      uint32_t found = NONE;
      for (uint32_t i = 0; i < k->blocks[b].predecessor_count; i++) {
        const uint32_t p = k->blocks[b].predecessors[i];
        if (parents[p] != NONE) found = found == NONE ? p : common(parents, p, found);
      }
      changed = changed || parents[b] != found;
      parents[b] = found;
    }
  }
  for (uint32_t b = 0; b < k->block_count; b++) k->blocks[b].dominator = parents[b];
}

/* Whether x is on every way from the block to the end, by what is known of the blocks that follow. */
static bool is_ahead(const kernel *k, const bool *on, uint32_t from, uint32_t x) {
  const block *at = &k->blocks[from];
  bool all = at->successor_count > 0 || k->instructions[at->first + at->count - 1].opcode == LLVMUnreachable;
  for (uint32_t i = 0; i < at->successor_count && all; i++) all = on[(size_t)at->successors[i] * k->block_count + x];
  return x == from || all;
}

/* Of those ahead of the block the nearest: from which most are still to come. */
static uint32_t nearest(const bool *on, const uint32_t *behind, uint32_t n, uint32_t from) {
  uint32_t found = NONE;
  for (uint32_t x = 0; x < n; x++)
    if (x != from && on[(size_t)from * n + x] && (found == NONE || behind[x] > behind[found])) found = x;
  return found;
}

/* Post-dominators, as sets: kernels are small. Bit x of row b: x is on every way from b to the end. */
static void find_post_dominators(kernel *k) {
  const uint32_t n = k->block_count;
  bool *on = mem_calloc((size_t)n * n, sizeof *on);
  memset(on, true, (size_t)n * n);
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t b = n; b-- > 0;) {
      for (uint32_t x = 0; x < n; x++) {
        const bool now = is_ahead(k, on, b, x);
        changed = changed || now != on[(size_t)b * n + x];
        on[(size_t)b * n + x] = now;
      }
    }
  }
  uint32_t *behind = mem_calloc(n, sizeof *behind);
  for (size_t i = 0; i < (size_t)n * n; i++) behind[i / n] += on[i] ? 1 : 0;
  for (uint32_t b = 0; b < n; b++) k->blocks[b].post_dominator = nearest(on, behind, n, b);
  free(behind);
  free(on);
}

static bool kernel_dominates(const kernel *k, uint32_t above, uint32_t b) {
  while (b > above) b = k->blocks[b].dominator;
  return b == above;
}

/* --- loops -------------------------------------------------------------------------------------------------------- */

static loop *loop_of(kernel *k, uint32_t header) {
  const uint32_t known = kernel_loop_of_header(k, header);
  if (known != NONE) return &k->loops[known];
  loop *l = &k->loops[k->loop_count++];
  *l = (loop){.header = header, .parent = NONE, .has = mem_arena_array(k->memory, k->block_count, sizeof(bool))};
  l->has[header] = true;
  return l;
}

/* All from which `from` is reached without the header. */
static void add_body(const kernel *k, loop *l, uint32_t from) {
  uint32_t *todo = mem_calloc(k->block_count + 1, sizeof *todo);
  size_t count = 0;
  if (!l->has[from]) {
    l->has[from] = true;
    todo[count++] = from;
  }
  while (count > 0) {
    const block *b = &k->blocks[todo[--count]];
    for (uint32_t i = 0; i < b->predecessor_count; i++) {
      if (!l->has[b->predecessors[i]]) {
        l->has[b->predecessors[i]] = true;
        todo[count++] = b->predecessors[i];
      }
    }
  }
  free(todo);
}

/* The innermost loop of a list of loops sorted from outer to inner that has the block, and that is not `but`. */
static uint32_t innermost(const kernel *k, uint32_t b, uint32_t but) {
  uint32_t found = NONE;
  for (uint32_t i = 0; i < k->loop_count; i++)
    if (i != but && k->loops[i].has[b] && (found == NONE || k->loops[i].block_count < k->loops[found].block_count))
      found = i;
  return found;
}

static void describe_loop(kernel *k, loop *l) {
  l->blocks = mem_arena_array(k->memory, k->block_count, sizeof(uint32_t));
  for (uint32_t b = 0; b < k->block_count; b++) {
    if (!l->has[b]) continue;
    l->blocks[l->block_count++] = b;
    for (uint32_t i = 0; i < k->blocks[b].count; i++) {
      const instruction *at = &k->instructions[k->blocks[b].first + i];
      l->barrier = l->barrier || (at->callee != NULL && call_meets(at->callee));
    }
  }
}

/* false: some loop has several entries. */
static bool find_loops(kernel *k, LLVMValueRef *where) {
  k->loops = mem_arena_array(k->memory, k->block_count + 1, sizeof *k->loops);
  for (uint32_t b = 0; b < k->block_count; b++) {
    for (uint32_t i = 0; i < k->blocks[b].successor_count; i++) {
      const uint32_t to = k->blocks[b].successors[i];
      if (to > b) continue;
      if (!kernel_dominates(k, to, b)) {
        *where = k->instructions[k->blocks[b].first + k->blocks[b].count - 1].value;
        return false;
      }
      add_body(k, loop_of(k, to), b);
    }
  }
  for (uint32_t i = 0; i < k->loop_count; i++) describe_loop(k, &k->loops[i]);
  for (uint32_t i = 0; i < k->loop_count; i++) k->loops[i].parent = innermost(k, k->loops[i].header, i);
  for (uint32_t i = 0; i < k->loop_count; i++) {
    k->loops[i].depth = 1;
    for (uint32_t p = k->loops[i].parent; p != NONE; p = k->loops[p].parent) k->loops[i].depth++;
  }
  for (uint32_t b = 0; b < k->block_count; b++) k->blocks[b].loop = innermost(k, b, NONE);
  return true;
}

uint32_t kernel_loop_of_header(const kernel *k, uint32_t b) {
  for (uint32_t i = 0; i < k->loop_count; i++)
    if (k->loops[i].header == b) return i;
  return NONE;
}

/* Which values are used after the loop that makes them. */
static void find_escaping(kernel *k) {
  for (uint32_t i = 0; i < k->instruction_count; i++) {
    instruction *n = &k->instructions[i];
    const uint32_t in = k->blocks[n->block].loop;
    for (LLVMUseRef use = LLVMGetFirstUse(n->value); use != NULL && in != NONE; use = LLVMGetNextUse(use)) {
      const uint32_t user = kernel_number(k, LLVMGetUser(use));
      const instruction *by = user == NONE ? NULL : kernel_instruction(k, user);
      n->escapes = n->escapes || (by != NULL && !k->loops[in].has[by->block]);
    }
  }
}

kernel *kernel_read(const module *m, LLVMValueRef function, mem_arena *memory, const char **reason,
                    LLVMValueRef *where) {
  kernel *k = mem_arena_array(memory, 1, sizeof *k);
  size_t length = 0;
  *k = (kernel){.module = m, .function = function, .memory = memory};
  k->name = LLVMGetValueName2(function, &length);
  k->argument_count = LLVMCountParams(function);
  size_t values = k->argument_count + LLVMCountBasicBlocks(function);
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b != NULL; b = LLVMGetNextBasicBlock(b))
    for (LLVMValueRef i = LLVMGetFirstInstruction(b); i != NULL; i = LLVMGetNextInstruction(i)) values++;
  value_index *seen = new_index(memory, LLVMCountBasicBlocks(function));
  LLVMBasicBlockRef *order = sorted_blocks(function, seen, memory, &k->block_count);
  k->index = new_index(memory, values);
  for (uint32_t i = 0; i < k->argument_count; i++) put(k->index, LLVMGetParam(function, i), i);
  for (uint32_t b = 0; b < k->block_count; b++) put(k->index, order[b], b);
  k->blocks = mem_arena_array(memory, k->block_count, sizeof *k->blocks);
  read_instructions(k, order);
  read_edges(k, order);
  find_dominators(k);
  find_post_dominators(k);
  if (!find_loops(k, where)) {
    *reason = "a loop that is entered at several places";
    return NULL;
  }
  find_escaping(k);
  return k;
}
