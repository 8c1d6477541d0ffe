/* What runs of a mutant prove. The meanings are those of docs/mutation.md. */
#ifndef CLTC_MUTATE_VERDICT_H
#define CLTC_MUTATE_VERDICT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/model.h"

/* What was seen of one run of a mutant, compared with its reference. Any of them may come together. */
enum {
  MUTANT_SEEN_OUTSIDE = 1 << 0,  /* a kernel wrote outside of a buffer, where the original does not */
  MUTANT_SEEN_TIMEOUT = 1 << 1,  /* it exceeded its time limit, or a loop its fuel */
  MUTANT_SEEN_DIVISION = 1 << 2, /* an integer was divided by zero */
  MUTANT_SEEN_FAULT = 1 << 3,    /* a replay ended by a signal */
  MUTANT_SEEN_READ = 1 << 4,     /* the host read something else, known while it ran */
  MUTANT_SEEN_SIGNAL = 1 << 5,   /* the program ended by a signal, and the reference did not end so */
  MUTANT_SEEN_RESULT = 1 << 6,   /* the whole run differs under the oracle */
  MUTANT_SEEN_REFUSAL = 1 << 7   /* the device refused a launch that it took before */
};

/* Bytes that memory holds which nobody has written: that many different ones. */
enum { MUTANT_FILLINGS = 3 };

/* Runs of a mutant against one test case, while they are made. */
typedef struct mutant_runs {
  mutant_verdict v;                                          /* `runs`: made */
  uint32_t made[MUTANT_FILLINGS], differed[MUTANT_FILLINGS]; /* of these, by filling */
} mutant_runs;

/* How many runs a verdict takes. */
typedef struct mutant_need {
  uint32_t runs;     /* that were asked for */
  uint32_t fillings; /* that have to be among them, even where fewer runs were asked for */
  bool steady;       /* two runs with one filling are alike: one stands for all */
  bool race;         /* a checked replay shows a race that the original does not have */
} mutant_need;

/* Adds a run with this filling. All that differ count for the reason of the first that did. */
void mutant_count_run(mutant_runs *r, size_t filling, unsigned seen, bool replayed);
/* Runs that differed. */
uint32_t mutant_differing(const mutant_verdict *v);
/* Nothing more can change what this test case says. */
bool mutant_settled(const mutant_runs *r, const mutant_need *need);
/* What settled runs come to: where one stands for all, or any for all, as many as were asked for. */
mutant_verdict mutant_conclude(const mutant_runs *r, const mutant_need *need);
/* As many runs as are asked for, where there are more. */
void mutant_shorten(mutant_verdict *v, uint32_t runs);

/* Of the verdicts of all test cases: killed, undecided or survived, and `*reason`: "output", "crash", "timeout", "out
 * of bounds", "unwritten", "race" or "". */
mutant_status mutant_judge(const mutant_verdict *verdicts, size_t count, uint32_t runs, const char **reason);

#endif
