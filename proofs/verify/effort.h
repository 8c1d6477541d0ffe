/* Limits and counts of the queries about a kernel. They count processor time, so that a busy machine gives the same answers. */
#ifndef CLTC_VERIFY_EFFORT_H
#define CLTC_VERIFY_EFFORT_H

#include <stdbool.h>
#include <z3.h>

enum { EFFORT_STRETCH = 100 }; /* a process that gets no processor ends after so many times its limit in any case */

typedef struct effort {
  double deadline;      /* effort_now() after which nothing more is asked */
  double query_seconds; /* most for one query, of processor time */
  unsigned queries;
  bool no_overflow; /* an answer rests on signed arithmetic that does not overflow, */
  bool no_division; /* or on no division by 0 */
} effort;

/* Seconds of processor time that this process has used. */
double effort_now(void);
/* As Z3_solver_check_assumptions, for so many seconds of processor time at most. */
Z3_lbool effort_check(Z3_context c, Z3_solver s, unsigned count, const Z3_ast *assumptions, double seconds);

#endif
