/* The cheapest set of barriers that counterexamples allow. */
#ifndef CLTC_REPAIR_LEARN_H
#define CLTC_REPAIR_LEARN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "proofs/patch/spots.h"

enum { HITTING_SET_TURNS = 10 }; /* of a loop of which nothing is said */

/* One of these spots must have a barrier with this fence. */
typedef struct hitting_clause {
  uint32_t *spots;
  size_t count, capacity;
  unsigned fence;
  size_t kernel; /* on whose account */
} hitting_clause;

typedef struct hitting_set {
  const spots *spots;
  hitting_clause *clauses;
  size_t count, capacity;
  size_t *banned;     /* a spot: 1 + the kernel on whose account no barrier may stand there; 0: it may */
  size_t most;        /* barriers to be put in */
  double turns;       /* that a loop is taken to make */
  unsigned *existing; /* barriers that the source has, a spot */
} hitting_set;

void hitting_set_init(hitting_set *c, const spots *s, size_t most);
/* Forgets what a kernel asked for. */
void hitting_set_forget(hitting_set *c, size_t kernel);
/* The cheapest barriers, one number a spot (fences, 0: none), and what they cost. False: there are none. */
bool hitting_set_solve(const hitting_set *c, unsigned *flags, double *cost);
/* What barriers cost: for each that is put in how often it is executed, else `turns` to the power of the loops around it;
 * wider fences a little more. */
double hitting_set_cost(const hitting_set *c, const unsigned *flags);
/* Whether barriers are as all clauses want. */
bool hitting_set_allows(const hitting_set *c, const unsigned *flags);
void hitting_set_free(hitting_set *c);

#endif
