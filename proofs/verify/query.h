/* Asking the solver: is there a race, a divergence, an access out of bounds; which guesses about loops hold. */
#ifndef CLTC_VERIFY_QUERY_H
#define CLTC_VERIFY_QUERY_H

#include "proofs/verify/proof.h"

/* What was found: one of `pair` and `mishap`, with values for all unknowns. */
typedef struct hit {
  const pair *pair;
  const mishap *mishap;
  Z3_model model;        /* of the proof's context */
  bool abstract;         /* it depends on something that is not modelled */
  const pair *open_pair; /* without an answer: of what there is none; NULL: it is `open_mishap`, if anything */
  const mishap *open_mishap;
} hit;

typedef enum answer { ANSWER_NO, ANSWER_YES, ANSWER_UNKNOWN } answer;

/* A solver that knows all facts; `two`: also that there are two work-items. */
Z3_solver query_solver(const proof *p, bool two);
/* The same with some of the facts; NULL: all. */
Z3_solver query_solver_of(const proof *p, bool two, const bool *keep);
/* From here on it knows that, too. */
void query_assert(const proof *p, Z3_solver s, formula f);
/* Asks it, with what is left of time. */
Z3_lbool query_ask(const proof *p, effort *f, Z3_solver s, const formula *assumptions, size_t count);

/* Whether the formula is true in the model. */
bool query_says(const proof *p, Z3_model m, formula f);

/* Looks for something that goes wrong and depends on nothing abstract. */
answer query_definite(proof *p, effort *f, hit *out);
/* Looks for anything that goes wrong, but for accesses out of bounds; with the candidates that hold, where there are any. */
answer query_any(proof *p, effort *f, hit *out);
/* Looks for any access out of bounds, likewise. */
answer query_bounds(proof *p, effort *f, hit *out);
/* Finds out which of the candidates hold: sets `alive` of each. false: the time is over. */
bool query_candidates(proof *p, effort *f, bool *alive);
/* The same where signed arithmetic does not overflow. true: more of them hold than in `alive`, which has these now. */
bool query_candidates_exact(proof *p, effort *f, bool *alive);
/* Which of the candidates that hold exclude all that may go wrong; where that is not known, all. */
void query_used(proof *p, effort *f, bool *used);
/* The same, as small as a few more queries make it: few work-items, low ids, small arguments. Changes the model. */
void query_smaller(proof *p, effort *f, hit *h);

/* By number of the fact: whether what is asked may depend on it. Owned. That nothing satisfies some of the facts shows that nothing
 * satisfies all of them. */
bool *relevant_facts(const proof *p, const formula *asked, size_t count);

enum { TOLD_MOST = 6 };

/* Of a race the lines of both accesses, the smaller first; of anything else its line, twice. */
typedef struct told_fault {
  int kind; /* of a mishap; -1: a race */
  unsigned lines[2];
} told_fault;

told_fault told_pair(const proof *p, const pair *x);
told_fault told_mishap(const proof *p, const mishap *m);

/* --- candidates.c: what may hold in every iteration of a loop, and other guesses that are shown before they are used  */

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
  ANNOTATED /* `phi` is the number of the call */
} candidate_kind;
struct candidate {
  candidate_kind kind;
  uint32_t loop;
  uint32_t phi;         /* number of the value */
  LLVMValueRef operand; /* stride or bound */
  formula holds;        /* truth value: it is taken to hold */
};
/* The candidates of a loop, found at its first execution. */
void candidates_find(proof *p, uint32_t loop_number);
/* How much a variable of a loop grows in every iteration: a number that is the same in all. `bytes` of each where it is a
 * pointer. NULL: it is not so simple. */
LLVMValueRef steady_growth(proof *p, uint32_t loop_number, uint32_t phi, bool *shrinks, int64_t *bytes);
/* A value that does not change in the loop, from the variables before it; NULL: it cannot be told. */
formula number_before(proof *p, unsigned thread, LLVMValueRef v, environment entry);
/* What the candidate says of these values of the phis; `entry`: variables before the loop. NULL: nothing. */
formula candidate_formula(proof *p, const candidate *c, const environment phis, const environment initial,
                          environment entry, unsigned thread);

/* --- trial.c: signed arithmetic that a proof takes not to overflow, and that may ---------------------------------- */

enum { PLACES_MOST = 4 };

/* What is taken to hold, with places in the source: the kind of a premise (weaken.c), and a sentence. */
typedef struct overflow_places {
  struct {
    const char *kind, *text;
  } items[PLACES_MOST];
  size_t count;
  mem_arena *memory;
} overflow_places;

void places_add(overflow_places *to, const char *kind, const char *text);
/* Whether something overflows in the model, signed or not; `divides`: whether something is divided by 0. */
bool overflows_in(const proof *p, Z3_model m, bool divides);

#endif
