/* Annotations, executed: what is required is assumed, what is asserted must be shown, and an invariant is a candidate that the
 * user has named. */
#include "base/memory.h"
#include "verify/proof.h"

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

/* A condition: does something, gives nothing. */
static void execute_condition(proof *p, unsigned thread, const instruction *i, formula says, formula enabled, walk w) {
  source_place place;
  if (smt_mentions(&p->smt, says, "?any")) {
    return; /* it speaks of what this way of proving does not have */
  }
  const bool inlined = module_place(i->value, 1, &place);
  if (i->callee->kind == CALL_INVARIANT || i->callee->kind == CALL_CANDIDATE) {
    execute_invariant(p, thread, i, says, enabled, w);
  } else if (i->callee->kind == CALL_ASSERT || (i->callee->kind == CALL_REQUIRES && inlined)) {
    execute_assertion(p, i, says, enabled, w); /* a helper's precondition is its caller's duty */
  } else {
    proof_assume(p, smt_implies(&p->smt, enabled, says));
  }
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
  const formula given = takes ? operand_number(p, variables, LLVMGetOperand(i->value, 0)) : NULL;
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
