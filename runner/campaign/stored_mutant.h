/* A mutant as the database keeps it. */
#ifndef CLTC_RUNNER_CAMPAIGN_STORED_MUTANT_H
#define CLTC_RUNNER_CAMPAIGN_STORED_MUTANT_H

#include "db/db.h"
#include "mutate/mutate.h"

/* Lent by the mutant. */
db_mutant campaign_stored_mutant(const mutant *m);

#endif
