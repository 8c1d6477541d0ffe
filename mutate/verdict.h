/* What runs of a mutant prove. The meanings are those of docs/mutation.md. */
#ifndef CLTC_MUTATE_VERDICT_H
#define CLTC_MUTATE_VERDICT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/mutant.h"

/* What was seen of one run of a mutant, compared with its reference. Any of them may come together. */
enum {
  MUTANT_SEEN_TIMEOUT = 1 << 0,  /* it exceeded its time limit, or a loop its fuel */
  MUTANT_SEEN_DIVISION = 1 << 1, /* an integer was divided by zero */
  MUTANT_SEEN_FAULT = 1 << 2,    /* a replay ended by a signal */
  MUTANT_SEEN_READ = 1 << 3,     /* the host read something else, known while it ran */
  MUTANT_SEEN_SIGNAL = 1 << 4,   /* the program ended by a signal, and the reference did not end so */
  MUTANT_SEEN_RESULT = 1 << 5,   /* the whole run differs under the oracle */
  MUTANT_SEEN_ESCAPE = 1 << 6,   /* in a replay, whose word is final, a kernel left its buffers */
  MUTANT_SEEN_REFUSAL = 1 << 7   /* the device refused a launch that it took before */
};

/* Adds a run. */
void mutant_count_run(mutant_verdict *v, unsigned seen, bool replayed);
/* Runs that differed. */
uint32_t mutant_differing(const mutant_verdict *v);
/* Runs that are to be made of `runs` that were asked for: replays are `least_replays` at least, those with other bytes
 * where nobody has written among them. */
uint32_t mutant_wanted_runs(const mutant_verdict *v, uint32_t runs, uint32_t least_replays);
/* Nothing more can change what this test case says: all runs are made, or some differ and some do not. */
bool mutant_settled(const mutant_verdict *v, uint32_t runs, uint32_t least_replays);
/* Whether the replays so far are enough to say how runs of the program would go. What lies outside of the buffers is
 * the program's own in a run of it. `escaped`: in some replay the mutant left its buffers. */
bool mutant_replays_tell(const mutant_verdict *v, bool escaped);
/* Whether only runs of the program could say more. */
bool mutant_left_open(const mutant_verdict *v);
/* As many runs as are asked for: where there are more, the most frequent reason stays first. */
void mutant_shorten(mutant_verdict *v, uint32_t runs);

/* Of the verdicts of all test cases: killed, undecided or survived, and `*reason`: "crash", "timeout", "output" or "".
 */
mutant_status mutant_judge(const mutant_verdict *verdicts, size_t count, uint32_t runs, const char **reason);

#endif
