/* What may hold in every iteration of a loop, and other guesses that are shown before they are used. Private to this room. */
#ifndef CLTC_VERIFY_CANDIDATES_H
#define CLTC_VERIFY_CANDIDATES_H

#include "proofs/verify/proof.h"

typedef enum candidate_kind {
  AT_LEAST_INITIAL,
  AT_MOST_INITIAL,
  AT_LEAST_INITIAL_UNSIGNED,
  AT_MOST_INITIAL_UNSIGNED,
  NOT_NEGATIVE,
  EQUALS_INITIAL,
  STRIDE,
  POWER_OF_TWO_OR_ZERO,
  POWER_OF_TWO,
  NOT_ZERO,
  AT_MOST_BOUND,
  AT_LEAST_BOUND,
  AT_MOST_BOUND_UNSIGNED,
  AT_LEAST_BOUND_UNSIGNED,
  AT_MOST_BOUND_OR_INITIAL,
  AT_LEAST_BOUND_OR_INITIAL,
  SAME_PACE,
  ANNOTATED /* `phi` is the number of the call */
} candidate_kind;
struct candidate {
  candidate_kind kind;
  uint32_t loop;
  uint32_t phi;         /* number of the value */
  LLVMValueRef operand; /* stride or bound; of SAME_PACE the stride of `phi` */
  uint32_t other;       /* of SAME_PACE: the other phi */
  LLVMValueRef other_operand;
  formula holds; /* truth value: it is taken to hold */
};
/* The candidates of a loop, found at its first execution. */
void candidates_find(proof *p, uint32_t loop_number);
/* How much a variable of a loop grows in every iteration: a number that is the same in all. `bytes` of each where it is a
 * pointer. NULL: it is not so simple. */
LLVMValueRef steady_growth(proof *p, uint32_t loop_number, uint32_t phi, bool *shrinks, int64_t *bytes);
/* Whether each way out is asked for in each iteration, by such numbers of at most 32 bits: then the loop is left before these come
 * round, or never. */
bool steady_exits(proof *p, uint32_t loop_number);
/* A value that does not change in the loop, from the variables before it; NULL: it cannot be told. */
formula number_before(proof *p, unsigned thread, LLVMValueRef v, environment entry);
/* What the candidate says of these values of the phis; `entry`: variables before the loop. NULL: nothing. */
formula candidate_formula(proof *p, const candidate *c, const environment phis, const environment initial,
                          environment entry, unsigned thread);

#endif
