/* What a person who runs `cltestcheck verify` on the file with its patch is told. */
#ifndef CLTC_CLI_REPAIR_JUDGE_H
#define CLTC_CLI_REPAIR_JUDGE_H

#include "cli/repair_file.h"

/* Asks about all kernels of which the search says that they are, or will be, as they should be. What it hears is in the file's
 * objections; of a kernel that was changed it is a step that failed. */
int repair_judge(repair_file *f, const settings *s, error *e);

#endif
