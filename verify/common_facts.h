/* Facts that launches have in common, in order of how much they say. */
#ifndef CLTC_VERIFY_COMMON_FACTS_H
#define CLTC_VERIFY_COMMON_FACTS_H

#include "verify/trial.h"

typedef enum fact_kind {
  FACT_DIMENSIONS,
  FACT_OFFSET,
  FACT_EVEN, /* no group is smaller than the others */
  FACT_LOCAL,
  FACT_GROUPS,
  FACT_ARGUMENT,
  FACT_EXPRESSION,
  FACT_CONTENTS
} fact_kind;
/* How much a fact says. */
typedef enum rank { RANK_RELATION, RANK_LOCAL, RANK_CONSTANT, RANKS } rank;

typedef struct fact {
  fact_kind kind;
  rank rank;
  const char *text;
  unsigned dimension;
  const argument_given *argument; /* of FACT_ARGUMENT */
  const char *buffer;             /* of FACT_CONTENTS */
  contents_known contents;
  bool given;  /* the user says so */
  bool varies; /* it is about an argument that is not the same in all launches */
  bool on;
} fact;

typedef struct facts {
  const trial *trial;
  struct trial *proved; /* what the last proof that succeeded rests on goes there; NULL: nowhere */
  const launch *launches;
  size_t launch_count;
  fact *items;
  size_t count, capacity;
  bool exact, easy; /* a proof needed exact products; they are not tried */
  double patience;  /* seconds of a proof with fewer facts, by what the first one took; 0: not known yet */
} facts;

/* All that hold in each of the launches: `f` has trial and launches. Its items are to be freed. */
void facts_collect(facts *f);
/* Whether the language lets the last group be smaller. */
bool facts_uneven(const trial *t);

#endif
