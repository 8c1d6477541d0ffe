/* Quotients and remainders. A number that is divided by 0 gives anything, and so does the least one by -1.
 * Soundness: docs/verify.md, Assumptions, Division. */
#include "base/memory.h"
#include "verify/products.h"

void exclude_execution(proof *p, formula enabled, formula holds, bool is_signed, bool divides) {
  size_t same = p->no_overflow_count;
  *ARRAY_ADD(p->no_overflow, p->no_overflow_count, p->no_overflow_capacity) = smt_implies(&p->smt, enabled, holds);
  *ARRAY_ADD(p->overflow_notes, same, p->overflow_note_capacity) =
      (overflow_note){p->chain, p->executing, is_signed, divides};
}

static smt_binary function_of(bool is_signed, bool remainder) {
  return remainder ? (is_signed ? Z3_mk_bvsrem : Z3_mk_bvurem) : is_signed ? Z3_mk_bvsdiv : Z3_mk_bvudiv;
}

static formula by_unknown(proof *p, formula a, formula b, bool is_signed, bool remainder, formula enabled) {
  const smt *s = &p->smt;
  const unsigned bits = smt_bits(s, a);
  const formula zero = smt_equal(s, b, smt_number(s, 0, bits)), least = smt_number(s, (uint64_t)1 << (bits - 1), bits);
  const formula whole = smt_and(s, smt_equal(s, a, least), smt_equal(s, b, smt_number(s, UINT64_MAX, bits)));
  if (enabled != s->no) {
    exclude_execution(p, enabled, smt_not(s, zero), true, true);
    if (is_signed) {
      exclude_execution(p, enabled, smt_not(s, whole), true, false);
    }
  }
  if (p->abstract_products) { /* there it is the same for both, also by 0: that is said */
    p->divides = true;
    return quotient_of(p, a, b, is_signed, remainder);
  }
  const formula any = smt_fresh(&p->smt, "divided by 0", bits, false);
  return smt_if(s, is_signed ? smt_or(s, zero, whole) : zero, any,
                smt_apply_binary(s, function_of(is_signed, remainder), a, b));
}

formula divided(proof *p, LLVMOpcode opcode, formula a, formula b, formula enabled) {
  uint64_t number = 0;
  const bool is_signed = opcode == LLVMSDiv || opcode == LLVMSRem;
  const bool remainder = opcode == LLVMURem || opcode == LLVMSRem;
  if (smt_is_number(&p->smt, b, &number) && number == 0) {
    return smt_fresh(&p->smt, "divided by 0", smt_bits(&p->smt, a), false);
  }
  if (!smt_is_number(&p->smt, b, &number)) {
    return by_unknown(p, a, b, is_signed, remainder, enabled);
  }
  const formula quotient = smt_apply_binary(&p->smt, function_of(is_signed, false), a, b);
  const formula rest = smt_apply_binary(&p->smt, function_of(is_signed, true), a, b);
  return remainder ? rest : quotient;
}
