/* Mutants that are one change of a text which is built several times, with other options: one *change*. It is equivalent
 * if it is in every build that a test case launches, and a duplicate of another one if both are the same in each. */
#ifndef CLTC_RUNNER_CAMPAIGN_CLASSES_H
#define CLTC_RUNNER_CAMPAIGN_CLASSES_H

#include "runner/campaign/codes.h"

/* What a compiler makes of a change in all builds together. */
typedef struct code_change {
  const code_item **items; /* of its mutants in builds that are launched, in order */
  size_t count, capacity;
  bool wanted;     /* one of them takes part */
  bool unclear;    /* in a build that is launched it is not known what it is */
  bool equivalent; /* in all of them it is the original */
  uint32_t first;  /* of its class, which may be itself */
  char key[65];    /* what it is in each build */
} code_change;

/* Gives the chosen mutants of all programs numbers (campaign_mutant.change), equal ones where they are one change. How
 * many there are. */
size_t changes_number(const campaign_programs *among);
/* Whether a test case launches a kernel of the program. */
bool program_is_launched(const campaign *c, size_t program);
/* Judges all changes by the codes that are known; `original` gives the item of the original of an item's kernels. */
void changes_judge(const campaign *c, code_change *changes, size_t count,
                   const code_item *(*original)(const campaign *c, const code_item *of));

#endif
