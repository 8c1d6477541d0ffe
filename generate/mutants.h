/* Which mutants of a kernel inputs kill: a mutation campaign (runner/campaign) of some inputs. */
#ifndef CLTC_GENERATE_MUTANTS_H
#define CLTC_GENERATE_MUTANTS_H

#include "generate/bench.h"

typedef struct aimed_mutant {
  uint32_t id, line;
  mutant_status status;
  char *words;    /* "`<` changed to `<=` in line 30" */
  size_t by;      /* of the inputs that were tried last the one that kills it; */
  unsigned say;   /* so many runs say so */
  bool now;       /* they kill it, and which of them does is not known if `say` is 0 */
  unsigned owner; /* number of the input that is kept for it; 0: of those for outcomes, or none */
} aimed_mutant;

typedef struct mutants {
  aimed_mutant *items;
  size_t count, capacity;
  bool known;                /* a campaign came to its end */
  char why[512];             /* why none did; "": nothing is known of that */
  double seconds;            /* that campaigns took */
  size_t killed_by_tests;    /* that there were */
  size_t killed_by_outcomes; /* by inputs that were kept for outcomes */
  unsigned again;            /* runs are of those with this owner; 0: of those that are not killed */
} mutants;

/* Runs those that are not killed yet (all, if none are known) with the inputs, one after another in one test case. What is
 * killed now is `now`, and its status is as it was until it is taken. -1 with `e`: interrupted. */
int mutants_try(mutants *m, bench *b, input *const *list, size_t count, error *e);
/* The same with captures, each a test case. */
int mutants_try_captures(mutants *m, bench *b, const word_list *captures, error *e);
/* How many this input is kept for. */
size_t mutants_owned(const mutants *m, unsigned owner);
/* The first of the inputs, which come smallest first, that kills all that this owner is kept for; `count`: none is known to.
 * -1 with `e`: interrupted. */
int mutants_kill_again(mutants *m, bench *b, unsigned owner, input *const *list, size_t count, size_t *which, error *e);
/* Those that are killed by this one of the inputs, whose number is `owner`, are killed from now on; SIZE_MAX: by any. Returns what it kills as a
 * clause, "kills `<` changed to `<=` in line 30", to be freed; NULL: nothing. */
char *mutants_take(mutants *m, size_t index, unsigned owner);
/* Whether this one of the inputs kills some; SIZE_MAX: whether any does. */
bool mutants_die(const mutants *m, size_t index);
/* Of those that the score counts: how many there are with this status; MUTANT_STATUSES: with any. */
size_t mutants_of(const mutants *m, mutant_status status);
void mutants_free(mutants *m);

#endif
