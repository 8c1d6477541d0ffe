/* What became of a counterexample when it was run. */
#ifndef CLTC_RUNNER_ENGINE_CONFIRMATION_H
#define CLTC_RUNNER_ENGINE_CONFIRMATION_H

#include "db/db.h"

typedef struct confirmation {
  finding_confirmed how;
  char *why; /* a sentence; NULL: nothing is to be said */
} confirmation;

#endif
