/* Kernel cases as test cases. */
#ifndef CLTC_CLI_PLAN_CASES_H
#define CLTC_CLI_PLAN_CASES_H

#include "cli/plan.h"

/* Adds each case of a suite of kernels: a capture that is composed for it, and that cltestcheck-replay does. Errors are
 * EXIT_USAGE. */
int plan_cases(plan *p, const settings *s, const char *path, error *e);

#endif
