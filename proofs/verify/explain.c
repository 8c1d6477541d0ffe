/* Reads candidates, barriers and atomics of a kernel for a person.
 * Soundness: docs/verify.md, Why it is right, One result. */
#include "proofs/verify/explain.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "proofs/verify/candidates.h"
#include "proofs/verify/counterexample.h"

/* --- invariants --------------------------------------------------------------------------------------------------- */

/* A variable as the source names it: LLVM's name up to the point. */
static const char *variable_text(proof *p, LLVMValueRef v) {
  size_t length = 0;
  const char *name = LLVMGetValueName2(v, &length);
  char *text = mem_arena_copy(p->memory, length == 0 ? "a value" : name);
  text[strcspn(text, ".")] = '\0';
  return text;
}

static const char *operand_text(proof *p, LLVMValueRef v) {
  if (LLVMIsAConstantInt(v) != NULL) return mem_arena_printf(p->memory, "%lld", LLVMConstIntGetSExtValue(v));
  const uint32_t number = kernel_number(p->kernel, v);
  const instruction *i = number == NONE ? NULL : kernel_instruction(p->kernel, number);
  if (i == NULL || i->opcode == LLVMPHI) return variable_text(p, v);
  static const struct {
    LLVMOpcode opcode;
    const char *sign;
  } signs[] = {{LLVMAdd, "+"},  {LLVMSub, "-"},  {LLVMMul, "*"}, {LLVMSDiv, "/"},
               {LLVMUDiv, "/"}, {LLVMSRem, "%"}, {LLVMURem, "%"}};
  for (size_t n = 0; n < sizeof signs / sizeof *signs; n++) {
    if (signs[n].opcode == i->opcode) {
      return mem_arena_printf(p->memory, "(%s %s %s)", operand_text(p, LLVMGetOperand(v, 0)), signs[n].sign,
                              operand_text(p, LLVMGetOperand(v, 1)));
    }
  }
  if (i->callee != NULL && i->callee->kind == CALL_WORK_ITEM && LLVMGetNumArgOperands(v) == 1)
    return mem_arena_printf(p->memory, "%s(%s)", i->callee->name, operand_text(p, LLVMGetOperand(v, 0)));
  if (i->opcode == LLVMSExt || i->opcode == LLVMZExt || i->opcode == LLVMTrunc)
    return operand_text(p, LLVMGetOperand(v, 0));
  return variable_text(p, v);
}

static const char *candidate_text(proof *p, const candidate *c) {
  const char *x = variable_text(p, kernel_instruction(p->kernel, c->phi)->value);
  const char *other = c->operand == NULL ? "" : operand_text(p, c->operand);
  mem_arena *m = p->memory;
  switch (c->kind) {
    case AT_LEAST_INITIAL:
    case AT_LEAST_INITIAL_UNSIGNED: return mem_arena_printf(m, "%s >= its first value", x);
    case AT_MOST_INITIAL:
    case AT_MOST_INITIAL_UNSIGNED: return mem_arena_printf(m, "%s <= its first value", x);
    case NOT_NEGATIVE: return mem_arena_printf(m, "%s >= 0", x);
    case EQUALS_INITIAL: return mem_arena_printf(m, "%s == its first value", x);
    case STRIDE: return mem_arena_printf(m, "(%s - its first value) %% %s == 0", x, other);
    case POWER_OF_TWO_OR_ZERO: return mem_arena_printf(m, "(%s & (%s - 1)) == 0", x, x);
    case POWER_OF_TWO: return mem_arena_printf(m, "%s != 0 && (%s & (%s - 1)) == 0", x, x, x);
    case NOT_ZERO: return mem_arena_printf(m, "%s != 0", x);
    case AT_MOST_BOUND:
    case AT_MOST_BOUND_UNSIGNED: return mem_arena_printf(m, "%s <= %s", x, other);
    case AT_LEAST_BOUND:
    case AT_LEAST_BOUND_UNSIGNED: return mem_arena_printf(m, "%s >= %s", x, other);
    case AT_MOST_BOUND_OR_INITIAL: return mem_arena_printf(m, "%s <= %s || %s == its first value", x, other, x);
    case AT_LEAST_BOUND_OR_INITIAL: return mem_arena_printf(m, "%s >= %s || %s == its first value", x, other, x);
    case SAME_PACE:
      return mem_arena_printf(m, "%s and %s go at one pace", x,
                              variable_text(p, kernel_instruction(p->kernel, c->other)->value));
    default: return "the annotation here";
  }
}

static bool has_same(const json_t *list, const json_t *one) {
  for (size_t i = 0; i < json_array_size(list); i++)
    if (json_equal(json_array_get(list, i), one)) return true;
  return false;
}

/* Where a loop is written: at the end of its header's block, as phis have no place. */
static uint32_t place_of(const proof *p, const candidate *c) {
  if (c->kind == ANNOTATED) return c->phi;
  const block *b = &p->kernel->blocks[p->kernel->loops[c->loop].header];
  return p->kernel->argument_count + b->first + b->count - 1;
}

static void add_text(const proof *p, uint32_t number, const char *text, json_t *list) {
  json_t *one = counterexample_place(p, number);
  json_object_del(one, "column");
  json_object_del(one, "inlined");
  json_object_set_new(one, "text", json_string(text));
  if (has_same(list, one))
    json_decref(one);
  else
    json_array_append_new(list, one);
}

/* Variables that grow by the same in each iteration: true by how they are computed. */
static void explain_growth(proof *p, json_t *list) {
  for (uint32_t n = 0; n < p->kernel->loop_count; n++) {
    const block *b = &p->kernel->blocks[p->kernel->loops[n].header];
    for (uint32_t i = b->first; p->kernel->instructions[i].opcode == LLVMPHI; i++) {
      bool shrinks = false;
      int64_t bytes = 1;
      const uint32_t number = p->kernel->argument_count + i;
      const LLVMValueRef by = steady_growth(p, n, number, &shrinks, &bytes);
      if (by != NULL) {
        const char *x = variable_text(p, p->kernel->instructions[i].value);
        add_text(p, p->kernel->argument_count + b->first + b->count - 1,
                 mem_arena_printf(p->memory, "%s == its first value %s iterations * %s", x, shrinks ? "-" : "+",
                                  operand_text(p, by)),
                 list);
      }
    }
  }
}

void explain_invariants(proof *p, const bool *used, json_t *list) {
  explain_growth(p, list);
  for (size_t i = 0; i < p->candidate_count; i++) {
    if (!used[i]) continue;
    const candidate *c = p->candidates[i];
    add_text(p, place_of(p, c), candidate_text(p, c), list);
  }
}

/* --- barriers ----------------------------------------------------------------------------------------------------- */

/* Without these: true: still proved, false: goes wrong; `*known` false: neither is shown. */
static bool proved_without(const trial *t, const bool *without, const launch *launches, size_t count, bool *known) {
  *known = true;
  for (size_t i = 0; i < count; i++) {
    trial one = *t;
    one.without = without;
    one.launch = &launches[i];
    one.finding = NULL;
    trial_run(&one);
    json_decref(one.finding);
    if (one.verdict != VERIFIED) {
      *known = one.verdict >= OUT_OF_BOUNDS;
      return false;
    }
  }
  return true;
}

json_t *explain_barriers(const trial *t, const launch *launches, size_t count) {
  const kernel *k = t->kernel;
  json_t *list = json_array();
  bool *without = mem_calloc((size_t)k->argument_count + k->instruction_count + 1, sizeof *without);
  for (uint32_t n = 0; n < k->instruction_count; n++) {
    const instruction *i = &k->instructions[n];
    source_place s;
    if (i->callee == NULL || i->callee->kind != CALL_BARRIER || !module_place(i->value, 0, &s)) continue;
    bool known = false;
    without[k->argument_count + n] = true;
    const bool still = effort_now() < t->effort.deadline && proved_without(t, without, launches, count, &known);
    without[k->argument_count + n] = false;
    json_t *one = json_object();
    json_object_set_new(one, "file", json_stringn_nocheck(s.file, s.file_length));
    json_object_set_new(one, "line", json_integer(s.line));
    json_object_set_new(one, "column", json_integer(s.column));
    json_object_set_new(one, "needed", known ? json_boolean(!still) : json_null());
    json_array_append_new(list, one);
  }
  free(without);
  return list;
}

/* --- one result --------------------------------------------------------------------------------------------------- */

/* Kinds of atomics that can change places among themselves; NULL: one that cannot. */
static const char *kind_that_commutes(const instruction *i) {
  static const char *const kinds[][2] = {{"add", "sum"}, {"sub", "sum"}, {"inc", "sum"}, {"dec", "sum"}, {"min", "min"},
                                         {"max", "max"}, {"and", "and"}, {"or", "or"},   {"xor", "xor"}};
  const char *name = strchr(i->callee->name, '_');
  name = name == NULL ? "" : strncmp(name + 1, "fetch_", 6) == 0 ? name + 7 : name + 1;
  for (size_t n = 0; n < sizeof kinds / sizeof *kinds; n++) {
    const size_t length = strlen(kinds[n][0]);
    if (strncmp(name, kinds[n][0], length) == 0 && (name[length] == '\0' || name[length] == '_')) return kinds[n][1];
  }
  return NULL;
}

bool explain_one_result(const kernel *k) {
  const char *kind = NULL;
  for (uint32_t n = 0; n < k->instruction_count; n++) {
    const instruction *i = &k->instructions[n];
    if (i->callee == NULL || i->callee->kind != CALL_ATOMIC) continue;
    const char *here = kind_that_commutes(i);
    const bool integer = LLVMGetTypeKind(LLVMTypeOf(i->value)) == LLVMIntegerTypeKind;
    if (here == NULL || !integer || LLVMGetFirstUse(i->value) != NULL || (kind != NULL && strcmp(kind, here) != 0))
      return false;
    kind = here;
  }
  return true;
}
