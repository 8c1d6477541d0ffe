/* What a counterexample says of all places where barriers can be. */
#ifndef CLTC_REPAIR_LEARN_H
#define CLTC_REPAIR_LEARN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "repair/search.h"
#include "repair/spots.h"

/* Takes up the last counterexample of a kernel, which was found with the barriers of `flags`. REPAIR_DONE: others can
 * be tried; else why the kernel cannot be repaired. */
repair_outcome learn(repair *r, size_t kernel, const unsigned *flags, const char **why);
/* Why nothing repairs a race between groups. */
const char *learn_why_between(const repair *r, const flaw *f);
/* The lines of the source that a flaw of the last text is about; 0: not known. */
void learn_lines(const repair *r, const flaw *f, uint32_t lines[2]);

/* The cheapest set of barriers that counterexamples allow. */

enum { COVER_TURNS = 10 }; /* of a loop of which nothing is said */

/* One of these spots must have a barrier with this fence. */
typedef struct cover_clause {
  uint32_t *spots;
  size_t count, capacity;
  unsigned fence;
  size_t kernel; /* on whose account */
} cover_clause;

typedef struct cover {
  const spots *spots;
  cover_clause *clauses;
  size_t count, capacity;
  size_t *banned;     /* a spot: 1 + the kernel on whose account no barrier may stand there; 0: it may */
  size_t most;        /* barriers to be put in */
  double turns;       /* that a loop is taken to make */
  unsigned *existing; /* barriers that the source has, a spot */
} cover;

void cover_init(cover *c, const spots *s, size_t most);
/* Forgets what a kernel asked for. */
void cover_forget(cover *c, size_t kernel);
/* The cheapest barriers, one number a spot (fences, 0: none), and what they cost. False: there are none. */
bool cover_solve(const cover *c, unsigned *flags, double *cost);
/* What barriers cost: for each that is put in how often it is executed, else `turns` to the power of the loops around it;
 * wider fences a little more. */
double cover_cost(const cover *c, const unsigned *flags);
/* Whether barriers are as all clauses want. */
bool cover_allows(const cover *c, const unsigned *flags);
void cover_free(cover *c);

#endif
