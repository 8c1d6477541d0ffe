/* Proofs in Markdown. */
#ifndef CLTC_REPORTS_CI_MARKDOWN_PROOF_H
#define CLTC_REPORTS_CI_MARKDOWN_PROOF_H

#include "reports/common/report.h"

/* A table of the proofs that the options select; nothing when there is none. */
void markdown_proofs(const view *v, const report_options *options, FILE *out);
/* A finding of a proof, after the item of a list that it belongs to. */
void markdown_counterexample(const view *v, const db_finding *f, FILE *out);

#endif
