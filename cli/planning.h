/* The test cases of a command line. */
#ifndef CLTC_CLI_PLANNING_H
#define CLTC_CLI_PLANNING_H

#include "cli/settings.h"
#include "runner/plan/plan.h"

/* What the settings say of test cases; lent. */
plan_words planning_words(const settings *s);
/* plan_make with that. */
int planning_make(const settings *s, plan *out, error *e);

#endif
