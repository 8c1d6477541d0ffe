/* What a person who runs `cltestcheck verify` on the file with its patch is told. */
#ifndef CLTC_RUNNER_REPAIR_JUDGE_H
#define CLTC_RUNNER_REPAIR_JUDGE_H

#include "runner/repair/file.h"

/* Asks about all kernels of which the search says that they are, or will be, as they should be. What it hears is in the file's
 * objections; of a kernel that was changed it is a step that failed. */
int repair_judge(repair_file *f, const repair_options *s, error *e);

#endif
