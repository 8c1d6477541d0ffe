/* What is known of a mutant: its status, and what runs of it against one test case showed. */
#ifndef CLTC_BASE_MUTANT_H
#define CLTC_BASE_MUTANT_H

#include <stdbool.h>
#include <stdint.h>

typedef enum mutant_status {
  MUTANT_PENDING, /* not decided when the run ended */
  MUTANT_KILLED,
  MUTANT_UNDECIDED,
  MUTANT_SURVIVED,
  MUTANT_NO_COVERAGE,
  MUTANT_EQUIVALENT,
  MUTANT_DUPLICATE,
  MUTANT_INVALID,
  MUTANT_SUPPRESSED, /* by a comment in the source */
  MUTANT_STATUSES
} mutant_status;

/* Whether the program itself noticed a mutant that a test case kills: another exit status, a crash, no end, or (where
 * that is looked at) other standard output. */
typedef enum mutant_revealed { REVEALED_UNKNOWN, REVEALED_NO, REVEALED_YES } mutant_revealed;

typedef struct mutant_verdict {
  uint32_t runs;                   /* that it stands for: where repeats cannot differ, one stands for all */
  uint32_t output, crash, timeout; /* of these: differed, by reason */
  uint32_t replayed;               /* of these: replays of a capture, not runs of the program */
  uint32_t outside;                /* differed: a kernel wrote outside of a buffer */
  uint32_t unwritten;              /* differed, where others with other bytes in unwritten memory do not */
  uint32_t race;                   /* a checked replay shows a race that the original does not have */
  mutant_revealed revealed;        /* of one that is killed */
  uint32_t test_case;              /* of a view: of its test cases */
  bool reused; /* of a view: taken over from an earlier run, as all that it depends on is the same */
} mutant_verdict;

#endif
