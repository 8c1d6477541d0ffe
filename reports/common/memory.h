/* Errors with memory that were seen on a device: `cltestcheck memory`. */
#ifndef CLTC_REPORTS_COMMON_MEMORY_H
#define CLTC_REPORTS_COMMON_MEMORY_H

#include "base/memory_rules.h"
#include "reports/common/report.h"

/* Did one of the runs look for them? */
bool memory_is(const view *v);
/* Is it one of the rules? */
bool memory_knows(const char *rule);
/* Was it seen, with the access as its place? */
bool memory_saw(const db_finding *f);
/* Findings of a rule (NULL: of all) that are not suppressed; of a kernel, by its name, or of all that are selected with
 * NULL. */
size_t memory_count(const view *v, const report_options *options, const char *kernel, const char *rule);

#endif
