/* Kernel cases as test cases. */
#ifndef CLTC_RUNNER_PLAN_KERNEL_CASES_H
#define CLTC_RUNNER_PLAN_KERNEL_CASES_H

#include "runner/plan/plan.h"

/* Adds each case of a suite of kernels: a capture that is composed for it, and that cltestcheck-replay does. Errors are
 * EXIT_USAGE. */
int plan_cases(plan *p, const plan_words *s, const char *path, error *e);

#endif
