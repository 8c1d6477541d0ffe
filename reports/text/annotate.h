/* Sources with how often each line was covered, and what of it was missed, for a terminal. */
#ifndef CLTC_REPORTS_TEXT_ANNOTATE_H
#define CLTC_REPORTS_TEXT_ANNOTATE_H

#include "reports/common/report.h"

/* Writes the files of the view that `wanted` selects (by index), with the functions that the options select: a line is
 * its number, the number of test cases that executed it, its source; marks are under it. */
int annotate_write(const view *v, const report_options *options, const bool *wanted, FILE *out, error *e);

#endif
