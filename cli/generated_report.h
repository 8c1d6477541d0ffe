/* What `generate` says of its searches. */
#ifndef CLTC_CLI_GENERATED_REPORT_H
#define CLTC_CLI_GENERATED_REPORT_H

#include "generate/search.h"
#include "reports/common/report.h"

/* Says on standard output what became of a kernel; `quiet`: findings alone. Whether there was a finding. */
bool generated_report(const search *s, bool quiet);
/* How a kernel compares with a reference: what was found with inputs that are drawn for the reference (`there`), and for
 * the kernel (`here`). */
typedef struct comparison {
  const against *there, *here;
  const search *reference, *kernel;
} comparison;
/* Says so; whether they differ. */
bool generated_comparison(const comparison *c, bool quiet);
/* Each metric before, when there was no test, and after. */
void generated_table(const view *before, const view *v, const report_options *options, size_t killed_before,
                     size_t killed, size_t of);

#endif
