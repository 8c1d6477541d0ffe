/* Variables of a loop that only change places: after so many iterations each has what one of them had at the beginning. */
#include "verify/loops.h"

/* The phi of the same loop whose value it has in the next iteration; NONE: it has another. */
static uint32_t comes_from(const proof *p, const loop_frame *f, uint32_t number) {
  const instruction *phi = kernel_instruction(p->kernel, number);
  uint32_t found = NONE;
  for (unsigned n = 0; n < LLVMCountIncoming(phi->value); n++) {
    const uint32_t before = kernel_number(p->kernel, LLVMBasicBlockAsValue(LLVMGetIncomingBlock(phi->value, n)));
    if (before == NONE || !f->loop->has[before]) {
      continue;
    }
    const LLVMValueRef next = LLVMGetIncomingValue(phi->value, n);
    const uint32_t from = LLVMIsAPHINode(next) == NULL ? NONE : kernel_number(p->kernel, next);
    if (from == NONE || from < f->first || from >= f->first + f->phis || (found != NONE && found != from)) {
      return NONE;
    }
    found = from;
  }
  return found;
}

const value *loop_rotated(proof *p, const loop_frame *f, uint32_t number, unsigned thread, formula iterations) {
  enum { MOST = 8 };
  uint32_t cycle[MOST], count = 0;
  for (uint32_t at = number; count == 0 || at != number; count++) {
    if (at == NONE || count == MOST) {
      return NULL;
    }
    cycle[count] = at;
    at = comes_from(p, f, at);
  }
  const smt *s = &p->smt;
  const formula by = smt_number(s, count, ADDRESS_BITS);
  const formula turn = count == 1 ? smt_number(s, 0, ADDRESS_BITS) : smt_apply_binary(s, Z3_mk_bvurem, iterations, by);
  const value *found = f->initial[thread][number];
  for (uint32_t n = 1; n < count; n++) {
    const formula here = smt_simplify(s, smt_equal(s, turn, smt_number(s, n, ADDRESS_BITS)));
    found = value_if(&p->values, here, f->initial[thread][cycle[n]], found);
  }
  return found;
}
