/* Showing that nothing of what is asked about happens, by numbers of fixed width or by integers. Private to query.c and exclude.c. */
#ifndef CLTC_VERIFY_EXCLUDE_H
#define CLTC_VERIFY_EXCLUDE_H

#include "verify/query.h"

enum { OF_DIVERGENCE = NONE, OF_ASSERTION = NONE - 1, OF_BOUNDS = NONE - 2 }; /* in place of an object's number */

/* Something that may go wrong. */
typedef struct danger {
  const pair *pair;
  const mishap *mishap;
  formula all; /* it is reached and happens */
  uint32_t object;
} danger;

/* What is asked about, and a solver for each kind of question: it knows the facts and what is assumed. */
typedef struct asking {
  const proof *proof;
  effort *effort;
  const formula *assumed;
  size_t assumed_count;
  Z3_solver solver; /* NULL: not needed yet */
  bool two;         /* it knows that there are two work-items */
} asking;

void asking_end(asking *a);
/* A solver that knows all that is known, and whether there are two work-items. */
Z3_solver solver_for(asking *a, bool two);
/* Asks a solver of any context, with what is left of time. */
Z3_lbool ask_in(Z3_context c, effort *f, Z3_solver s, const formula *assumptions, size_t count);
/* Whether none of them happens whatever is written: that would bring in much. */
bool places_exclude(const proof *p, effort *f, Z3_solver s, const danger *list, size_t count, bool always);
/* Whether that is shown soon: with products by integers, without by both, a moment each. */
bool soon_excluded(asking *a, const danger *list, size_t count);

#endif
