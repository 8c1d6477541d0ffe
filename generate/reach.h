/* The proof engine is asked for outcomes that no input has taken: is there a launch that takes one? The text of coverage is
 * changed so that taking it writes past the end of an array; a counterexample is an input, and a proof says that no launch
 * takes it. */
#ifndef CLTC_GENERATE_REACH_H
#define CLTC_GENERATE_REACH_H

#include "generate/outcomes.h"
#include "proofs/client/prove.h"
#include "proofs/counterexample/replica.h"

typedef struct reach {
  const asked_source *source; /* lent */
  const char *kernel;         /* lent */
  const verify_answer *proof; /* of the kernel as it is; lent */
  const prover *prover;       /* engine, options, signals; lent */
  instrument_result made;     /* the text of coverage, and what its bits say */
  char *text;                 /* with the macros of reach.cl; NULL: the kernel cannot be asked about */
  verify_answer *answers;     /* that launches lend from */
  size_t answer_count, answer_capacity;
} reach;

typedef enum reached {
  REACH_UNKNOWN,
  REACH_NEVER, /* proved */
  REACH_LAUNCH /* one was found */
} reached;

/* Release with reach_end. */
void reach_begin(reach *r, const asked_source *s, const char *kernel, const verify_answer *proof, const prover *p);
/* An outcome that the text of its loop leaves out is never taken, which needs no engine. */
void reach_take_text(const reach *r, outcome *o);
/* Asks for at most `seconds`. REACH_NEVER: `never` of the outcome says on what conditions. REACH_LAUNCH: `*launch` is valid as
 * long as `r`, and to be released with replica_free. */
reached reach_ask(reach *r, outcome *o, double seconds, replica *launch);
void reach_end(reach *r);

/* For other questions (equal.h). */
#define REACH_TRAP "cltc_reached" /* the file in which a text goes wrong where what is asked for happens */
/* Puts `by` in the place of the first `what`; whether there is one. */
bool reach_put(char **text, const char *what, const char *by);
/* The engine's answer on a text of the kernel; `only`: nothing but accesses in code of this file is looked at, NULL: all is.
 * NULL: there is none. */
const verify_answer *reach_ask_text(reach *r, const char *text, const char *options, const char *only, double seconds);
/* What that says, as reach_ask; `*conditions` of a proof are to be freed. */
reached reach_take(const reach *r, const verify_answer *a, char **conditions, replica *launch);

#endif
