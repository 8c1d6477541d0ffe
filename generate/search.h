/* Tests of one kernel: inputs are drawn in batches and run, and those stay that take an outcome, or kill a mutant, that
 * none before them does. */
#ifndef CLTC_GENERATE_SEARCH_H
#define CLTC_GENERATE_SEARCH_H

#include "generate/against.h"
#include "generate/bench.h"
#include "generate/mutants.h"
#include "generate/outcomes.h"
#include "proofs/client/prove.h"
#include "runner/isolate.h"

struct search;

typedef struct search_options {
  const experiment_options *base;
  const char *folder;         /* for files */
  const char *file, *options; /* of the kernel: an absolute path, and what it is built with */
  const char *const *assumed; /* conditions that hold for all launches, in C */
  size_t assumed_count;
  uint64_t seed;
  double seconds;
  against *against; /* each input is given to this kernel, too, until they differ; NULL: there is none */
  bool no_mutants;
  const prover *prover;     /* is asked for outcomes that no input takes; NULL: nobody is */
  const asked_kernel *seen; /* launches of tests that there are, from which it starts; NULL: there are none. */
  word_list captures;       /* These hold them: what they take and kill is no aim */
  const interrupts *signals;
  void (*progress)(void *context, const struct search *s);
  void *context;
} search_options;

/* Inputs that were left out for one reason. */
typedef struct left_out {
  char rule[32];
  unsigned count;
  uint32_t line;
  bool between;   /* work-groups, in one of them */
  char *sentence; /* of the smallest of them, */
  input smallest; /* which is this */
} left_out;

typedef struct search {
  const char *kernel;         /* lent */
  const verify_answer *proof; /* NULL: there is none; lent */
  const asked_source *source; /* lent */
  char *obstacle;             /* why there are no inputs; NULL: there may be */
  input *kept;
  size_t kept_count, kept_capacity;
  outcomes outcomes;
  mutants mutants;
  unsigned tried, failed; /* inputs; failed: that crash, or do not end */
  left_out *left;
  size_t left_count, left_capacity;
  double seconds;
  bool interrupted, partial; /* partial: verify wants something that inputs are not held against */
} search;

/* -1 with `e`: inputs cannot be run at all. Release with search_free in every case. */
int search_run(search *s, const asked_source *source, const search_options *o, error *e);
/* Whether what it was left out for is what verify says of the kernel, too: a finding. */
bool search_is_finding(const search *s, const left_out *l);
void search_free(search *s);

#endif
