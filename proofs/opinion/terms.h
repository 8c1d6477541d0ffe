/* The preconditions of a proof as something that a launch can be held against. */
#ifndef CLTC_RUNNER_OPINION_TERMS_H
#define CLTC_RUNNER_OPINION_TERMS_H

#include "proofs/client/answer.h"
#include "proofs/counterexample/replica.h"
#include "proofs/sources/source.h"

/* What a condition says of each element of a buffer: `low <= x[i]` or `x[i] <= high`, as an expression. */
typedef struct each_term {
  size_t parameter; /* the buffer */
  bool least, strict;
  const char *bound; /* lent, */
  size_t length;
} each_term;

typedef struct terms {
  const signature *of;     /* lent */
  const char **conditions; /* C expressions; lent */
  const struct host_expression *
      *facts; /* by condition: of host code, the same as it is computed there; else NULL. Lent */
  size_t count;
  contents_facts *contents; /* by parameter: what its buffer holds */
  each_term *each;
  size_t each_count, each_capacity;
  int64_t *numbers; /* that stand in the conditions */
  size_t number_count, number_capacity;
  const char *foreign; /* a precondition that says something else; NULL: there is none. Lent */
} terms;

/* `way`: the host's, with facts that hold, too; or NULL. Release with terms_free in every case. */
void terms_read(const premises *preconditions, const struct host_way *way, const signature *of, terms *out);
void terms_free(terms *t);

/* Whether each condition holds for the launch. Contents are not looked at. */
bool terms_hold(const terms *t, const replica *launch);
/* The value of an expression over the names of a launch, as verify computes it: in 64 bits, with a sign. False: it has none,
 * or is not understood. */
bool terms_value(const char *expression, size_t length, const replica *launch, int64_t *out);
/* Whether conditions say how many elements the buffer of this name has, or it is the name of no parameter (but of an array,
 * whose size is known). */
bool terms_size(const terms *t, const char *name);
/* The contents of a buffer for a launch: what is said of the buffer, and of each element. False: none satisfy that. */
bool terms_contents(const terms *t, size_t index, const replica *launch, contents_facts *out);

#endif
