/* The weakest preconditions found: what all launches that were asked for have in common, less what the proof does not need. */
#ifndef CLTC_VERIFY_WEAKEN_H
#define CLTC_VERIFY_WEAKEN_H

#include <jansson.h>
#include <stdbool.h>

#include "proofs/verify/request.h"
#include "proofs/verify/trial.h"

/* Looks for facts that hold in all of these launches and are enough for a proof, until the deadline of the trial. A list of
 * premises, owned by the caller; NULL: no such facts were found. */
json_t *weaken(trial *t, const launch *launches, size_t count, double deadline);
/* What is known of one launch, as premises: where nothing weaker was found. */
json_t *weaken_nothing(const trial *t, const launch *l);

/* Whether accesses stay inside in launches that are alike, shown of all at once by what they have in common. */
bool weaken_ends(const trial *t, const launch *launches, size_t count, double deadline);

void premise_add(json_t *to, const char *kind, const char *text);
void premise_add_contents(json_t *to, const char *buffer, const contents_known *c, const char *text);

#endif
