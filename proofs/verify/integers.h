/* The same formulas over integers: what is a long chain of bits as bit-vectors is a short inequality there. Every bit-vector is
 * the signed number that it stands for; where an operation may leave its range, the multiple of 2^bits that is taken off is an
 * unknown of its own. So nothing is lost but what has no such form (xor, shifts by unknowns), which may be anything: that
 * nothing satisfies the integers shows that nothing satisfies the bit-vectors. */
#ifndef CLTC_VERIFY_INTEGERS_H
#define CLTC_VERIFY_INTEGERS_H

#include "proofs/verify/smt.h"

typedef struct integers integers;

/* A result of arithmetic that stays in its range where the condition holds. */
typedef struct exact_number {
  formula result, when;
} exact_number;

/* `most` formulas are translated at most; then integers_of gives NULL. Sets `*assumed` where something that is translated rests on
 * arithmetic that does not overflow, and might. */
integers *integers_open(smt *s, size_t most, const exact_number *exact, size_t exact_count, bool *assumed);
void integers_close(integers *x);
/* The truth value is known: what depends on it alone is not translated. */
void integers_know(integers *x, formula truth, bool value);
/* The truth value over integers; facts that belong to it are added to the solver. NULL: it is too large. */
formula integers_of(integers *x, formula truth, Z3_solver to);

#endif
