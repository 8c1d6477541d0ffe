/* The rules of the SARIF report, with their help. */
#ifndef CLTC_REPORTS_CI_SARIF_RULES_H
#define CLTC_REPORTS_CI_SARIF_RULES_H

#include "reports/common/issue.h"
#include "reports/common/json_value.h"

/* Rule descriptors: those of findings, then one for each operator of the view's mutants. */
json_t *sarif_rules(const issues *list);
/* Index among them; -1 for a finding of a rule that has no descriptor. */
int sarif_rule_index(const issues *list, const issue *i);

#endif
