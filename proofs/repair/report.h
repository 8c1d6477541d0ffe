/* What `repair` says to a person. */
#ifndef CLTC_RUNNER_REPAIR_REPORT_H
#define CLTC_RUNNER_REPAIR_REPORT_H

#include "proofs/repair/file.h"

/* Kernel by kernel: what was wrong, and what became of it; then what was changed where. */
void repair_report(const repair_file *f, bool applied, buffer *out);
/* As db_repair has it. */
const char *repair_outcome_name(const repair_file *f);
/* Whether a chosen kernel is not as it should be. */
bool repair_remains(const repair_file *f);

#endif
