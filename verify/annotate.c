/* Annotations, executed: what is required is assumed, what is asserted must be shown, and an invariant is a candidate that the
 * user has named. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "verify/candidates.h"
#include "verify/logged.h"

/* --- what annotations alone use ------------------------------------------------------------------------------------ */

static bool is_said(const instruction *i) { return i->callee != NULL && call_is_annotation(i->callee); }

/* Whether all that uses it is an annotation, or is itself used by these alone, as far as is known. */
static bool used_by_said(const proof *p, LLVMValueRef v) {
  bool used = false;
  for (LLVMUseRef use = LLVMGetFirstUse(v); use != NULL; use = LLVMGetNextUse(use)) {
    const uint32_t user = kernel_number(p->kernel, LLVMGetUser(use));
    if (user == NONE || (!p->only_said[user] && !is_said(kernel_instruction(p->kernel, user)))) {
      return false;
    }
    used = true;
  }
  return used;
}

static bool has_effect(const instruction *i) {
  return i->opcode == LLVMStore || i->opcode == LLVMCall || i->opcode == LLVMBr || i->opcode == LLVMRet ||
         i->opcode == LLVMSwitch || i->opcode == LLVMAtomicRMW || i->opcode == LLVMAtomicCmpXchg;
}

void annotations_find(proof *p) {
  const kernel *k = p->kernel;
  bool any = false, changed = true;
  p->only_said = arena_get(p->memory, (size_t)k->argument_count + k->instruction_count + 1, sizeof(bool));
  for (uint32_t n = 0; n < k->instruction_count; n++) {
    any = any || is_said(&k->instructions[n]);
    p->only_said[k->argument_count + n] = !has_effect(&k->instructions[n]);
  }
  while (changed) {
    changed = false;
    for (uint32_t n = 0; n < k->instruction_count; n++) {
      bool *said = &p->only_said[k->argument_count + n];
      if (*said && (!any || !used_by_said(p, k->instructions[n].value))) {
        *said = false;
        changed = any;
      }
    }
  }
}

/* --- conditions ---------------------------------------------------------------------------------------------------- */

bool annotation_in_loop(const proof *p, uint32_t loop_number) {
  const loop *l = &p->kernel->loops[loop_number];
  for (uint32_t n = 0; n < l->block_count; n++) {
    const block *b = &p->kernel->blocks[l->blocks[n]];
    for (uint32_t i = b->first; i < b->first + b->count && b->loop == loop_number; i++) {
      const call *c = p->kernel->instructions[i].callee;
      if (c != NULL && (c->kind == CALL_INVARIANT || c->kind == CALL_CANDIDATE)) {
        return true;
      }
    }
  }
  return false;
}

/* The candidate of an invariant, made when it is first met. */
static uint32_t candidate_of(proof *p, uint32_t number, uint32_t loop_number) {
  for (size_t i = 0; i < p->candidate_count; i++) {
    if (p->candidates[i]->kind == ANNOTATED && p->candidates[i]->phi == number) {
      return (uint32_t)i;
    }
  }
  candidate *made = arena_get(p->memory, 1, sizeof *made);
  *made = (candidate){.kind = ANNOTATED, .loop = loop_number, .phi = number};
  made->holds = smt_fresh(&p->smt, "holds", 0, false);
  *ARRAY_ADD(p->candidates, p->candidate_count, p->candidate_capacity) = made;
  return (uint32_t)(p->candidate_count - 1);
}

static void execute_assertion(proof *p, const instruction *i, formula says, formula enabled, walk w) {
  if (w.record) {
    *ARRAY_ADD(p->mishaps, p->mishap_count, p->mishap_capacity) =
        (mishap){.kind = MISHAP_ASSERTION,
                 .reached = p->chain,
                 .condition = smt_and(&p->smt, enabled, smt_not(&p->smt, says)),
                 .instruction = kernel_number(p->kernel, i->value)};
  }
}

static void execute_invariant(proof *p, unsigned thread, const instruction *i, formula says, formula enabled, walk w) {
  const uint32_t in = p->kernel->blocks[i->block].loop;
  if (p->turns > 0 && i->callee->kind == CALL_INVARIANT) {
    execute_assertion(p, i, says, enabled, w);
  }
  if (in == NONE || p->turns > 0) {
    return;
  }
  const uint32_t c = candidate_of(p, kernel_number(p->kernel, i->value), in);
  const formula holds = smt_and(&p->smt, p->candidates[c]->holds, enabled);
  if (w.showing != in) {
    proof_assume(p, smt_implies(&p->smt, holds, says));
  } else if (thread == 0) {
    const formula broken = smt_and(&p->smt, holds, smt_not(&p->smt, says));
    *ARRAY_ADD(p->obligations, p->obligation_count, p->obligation_capacity) = (obligation){p->chain, broken, c};
  }
}

static bool everywhere(const instruction *i) { return strncmp(i->callee->name, "__cltc_global", 13) == 0; }

/* It is not known what the annotation says: what is to be shown is then not shown. */
static void not_understood(proof *p, const instruction *i, formula enabled, bool assumed, walk w) {
  if (!assumed && w.record && enabled != p->smt.no && i->callee->kind != CALL_CANDIDATE) {
    p->not_understood = kernel_number(p->kernel, i->value);
  }
}

/* A condition: does something, gives nothing. */
static void execute_condition(proof *p, unsigned thread, const instruction *i, formula says, formula enabled, walk w) {
  source_place place;
  const call_kind kind = i->callee->kind;
  const bool invariant = kind == CALL_INVARIANT || kind == CALL_CANDIDATE;
  const bool asserts = kind == CALL_ASSERT || (kind == CALL_REQUIRES && module_place(i->value, 1, &place));
  if (smt_mentions(&p->smt, says, "?any")) {
    not_understood(p, i, enabled, !invariant && !asserts, w);
  } else if (invariant && (smt_mentions(&p->smt, says, "_has") || smt_mentions(&p->smt, says, "_access"))) {
    if (kind == CALL_INVARIANT) { /* no proof needs it: it is only checked */
      execute_assertion(p, i, says, enabled, w);
    }
  } else if (invariant) {
    execute_invariant(p, thread, i, says, enabled, w);
  } else if (asserts) { /* a helper's precondition is its caller's duty */
    const formula where = everywhere(i) ? smt_or(&p->smt, p->enabled[0], p->enabled[1]) : enabled;
    execute_assertion(p, i, says, where, w);
  } else {
    proof_assume(p, smt_implies(&p->smt, enabled, says));
  }
}

/* Anything in the memory is read or written. */
static void touch_anything(proof *p, unsigned thread, const instruction *i, environment variables, formula enabled,
                           walk w) {
  const value *pointer = operand(p, variables, LLVMGetOperand(i->value, 0));
  target *targets = arena_get(p->memory, pointer->count + 1, sizeof *targets);
  for (size_t n = 0; n < pointer->count; n++) {
    targets[n] = pointer->targets[n];
    targets[n].at = offset_add(&p->values, targets[n].at, 1, smt_fresh(&p->smt, "anywhere", ADDRESS_BITS, true));
  }
  memory_access(p, thread, i, i->callee->kind == CALL_READS_FROM ? ACCESS_READ : ACCESS_WRITE,
                value_targets(&p->values, targets, pointer->count), 1, enabled, NULL, w);
}

/* What the other work-item has there. */
static formula of_other(proof *p, unsigned thread, const instruction *i) {
  return operand_number(p, p->variables[1 - thread], LLVMGetOperand(i->value, 0));
}

const value *annotation_execute(proof *p, unsigned thread, const instruction *i, environment variables, formula enabled,
                                walk w) {
  const LLVMTypeRef type = LLVMTypeOf(i->value);
  const unsigned bits = LLVMGetTypeKind(type) == LLVMVoidTypeKind ? 0 : type_bits(p, type);
  const bool takes = LLVMGetNumArgOperands(i->value) > 0;
  const bool pointer = takes && LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(i->value, 0))) == LLVMPointerTypeKind;
  const formula given = takes && !pointer ? operand_number(p, variables, LLVMGetOperand(i->value, 0)) : NULL;
  formula result = NULL;
  switch (i->callee->kind) {
    case CALL_ENABLED:
      result = enabled;
      break;
    case CALL_SAME_GROUP:
      result = smt_truth(&p->smt, p->same_group);
      break;
    case CALL_UNIFORM:
      result = smt_equal(&p->smt, given, of_other(p, thread, i));
      break;
    case CALL_DISTINCT:
      result = smt_differ(&p->smt, given, of_other(p, thread, i));
      break;
    case CALL_OTHER:
      result = of_other(p, thread, i);
      break;
    case CALL_ALL:
      result = smt_and(&p->smt, given, of_other(p, thread, i));
      break;
    case CALL_ANY:
      result = smt_fresh(&p->smt, "any", bits, true);
      break;
    case CALL_READ_BEFORE:
    case CALL_WRITTEN_BEFORE:
    case CALL_READ_AT:
    case CALL_WRITTEN_AT:
    case CALL_OFFSET:
      result = logged_execute(p, thread, i, variables);
      result = result == NULL ? smt_fresh(&p->smt, "any", bits, true) : result;
      break;
    case CALL_READS_FROM:
    case CALL_WRITES_TO:
      touch_anything(p, thread, i, variables, enabled, w);
      return NULL;
    case CALL_UNCHECKED:
      not_understood(p, i, enabled, false, w);
      return NULL;
    default:
      execute_condition(p, thread, i, smt_resize(&p->smt, given, 0, false), enabled, w);
      result = smt_resize(&p->smt, p->smt.yes, bits, false);
  }
  return value_number(&p->values, smt_resize(&p->smt, result, bits, false));
}

uint32_t annotation_dropped(const proof *p) {
  for (size_t i = 0; i < p->candidate_count; i++) {
    const candidate *c = p->candidates[i];
    if (c->kind == ANNOTATED && p->alive != NULL && !p->alive[i] &&
        kernel_instruction(p->kernel, c->phi)->callee->kind == CALL_INVARIANT) {
      return c->phi;
    }
  }
  return NONE;
}
