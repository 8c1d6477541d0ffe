/* The test cases of a command line. */
#ifndef CLTC_CLI_PLANNING_H
#define CLTC_CLI_PLANNING_H

#include "cli/capturing.h"
#include "cli/settings.h"
#include "runner/plan/plan.h"

/* What the settings say of test cases; lent. */
plan_words planning_words(const settings *s);
/* plan_make with that. */
int planning_make(const settings *s, plan *out, error *e);
/* What the settings say of a program that is captured; lent. `kept` is said of one that fails after that. */
capture_wish planning_wish(const settings *s, const char *kept);
/* Where --capture asks for it: keeps what the one test case does, which reads and writes /dev/null, as it is run for its own
 * sake afterwards. */
int planning_capture(const settings *s, const plan *p, const target *t, error *e);

#endif
