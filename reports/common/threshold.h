/* What is asked of metrics (--fail-under), and whether it is reached. */
#ifndef CLTC_REPORTS_COMMON_THRESHOLD_H
#define CLTC_REPORTS_COMMON_THRESHOLD_H

#include "base/buffer.h"
#include "reports/common/report.h"

/* A metric without anything to cover is never below. */
bool threshold_below(const report_threshold *t, const coverage *c);
/* "branch coverage is 50.0 % (1 of 2), below 80 %". */
void threshold_say(const report_threshold *t, const coverage *c, buffer *to);

#endif
