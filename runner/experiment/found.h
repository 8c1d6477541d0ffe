/* What a run has found, as far as it counts: in the kernels that are chosen, and not suppressed. */
#ifndef CLTC_RUNNER_EXPERIMENT_FOUND_H
#define CLTC_RUNNER_EXPERIMENT_FOUND_H

#include "base/globs.h"
#include "db/db.h"

size_t count_findings(const view *v, const kernel_choice *c);
/* Whether it is one of these. */
bool finding_counts(const db_finding *f, const kernel_choice *c);
/* Whether work-items race to write the same value: a finding that count_findings leaves out. */
bool has_benign(const view *v, const kernel_choice *c);
/* Whether it is an error for who asks for it alone. */
bool finding_is_aside(const db_finding *f);
/* Whether there is one of this rule; api-error and buffer-overrun are left out by the others, too. */
bool has_finding(const view *v, const char *rule);
/* Whether the view has kernels and none of them is chosen. */
bool leaves_no_kernel(const view *v, const kernel_choice *c);

#endif
