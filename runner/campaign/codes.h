/* What clang's optimiser makes of mutants (mutate/code.h): asked in processes of ours, as it may crash on one. */
#ifndef CLTC_RUNNER_CAMPAIGN_CODES_H
#define CLTC_RUNNER_CAMPAIGN_CODES_H

#include "runner/campaign/internal.h"

/* A question: the code of a mutant, or of the original in the kernels that reach it. */
struct code_item {
  uint32_t program, index;
  bool original;
  bool known, built;
  bool kept;  /* in the database */
  bool asked; /* what is not known now the compiler crashed on */
  char digest[65];
};

/* Answers all that are not known. What stays unknown the compiler crashed on. */
void codes_compile(campaign *c, code_item *items, size_t count);

#endif
