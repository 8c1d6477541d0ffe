/* What the two halves of integers.c share: a formula, and what it becomes. Private to these. */
#ifndef CLTC_VERIFY_INTEGER_TERMS_H
#define CLTC_VERIFY_INTEGER_TERMS_H

#include "verify/integers.h"

/* What a formula became: a truth value, or a number between `low` and `high`. */
typedef struct entry {
  formula made; /* NULL: not yet */
  int64_t low, high;
  formula when; /* it does not overflow; NULL: it may */
} entry;

struct integers {
  smt *smt;
  Z3_sort sort;
  entry *entries; /* by id of the formula */
  size_t entry_count, most, made;
  formula *facts;
  size_t fact_count, fact_capacity, told;
  struct brought_back *back;
  size_t back_count, back_capacity;
  bool *assumed;  /* set: that some result, which might leave its range, does not */
  unsigned depth; /* of conditions that are translated for others */
};

/* --- integers.c --- */

/* What the formula became, or will. */
entry *integers_room(integers *x, formula f);
/* Translates it, and all that it is made of. NULL: it is too large. */
formula integers_made(integers *x, formula f);

/* --- integer_terms.c --- */

entry integers_truth(formula made);
/* One operation, of parts that are translated. */
entry integers_translate(integers *x, formula f);
/* Whether `above` is the sign of the number, again and again: what the simplifier makes of a sign extension. */
bool integers_is_sign_of(const integers *x, formula above, formula number);

#endif
