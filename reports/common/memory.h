/* Errors with memory that were seen on a device: `cltestcheck memory`. */
#ifndef CLTC_REPORTS_COMMON_MEMORY_H
#define CLTC_REPORTS_COMMON_MEMORY_H

#include "reports/common/report.h"

/* The rules, in the order of reports. */
typedef struct memory_rule_row {
  const char *rule;
  const char *member; /* of JSON */
} memory_rule_row;
extern const memory_rule_row memory_rules[]; /* ended by NULL */

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
