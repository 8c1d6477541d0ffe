/* What the launches of a program say of a changed source. */
#ifndef CLTC_CLI_REPAIR_CHECK_H
#define CLTC_CLI_REPAIR_CHECK_H

#include "cli/repair_file.h"
#include "cli/verify_inputs.h"

/* Runs the launches of the captures with the source as it is and with the changed one: the same data is read, where the
 * source as it is gives the same each time and had no race; no barrier diverges; no order of work-groups makes a
 * difference. Adds a step for each to the file. -1 with `e`: they cannot be run. */
int repair_check_launches(repair_file *f, const verify_inputs *in, const settings *s, error *e);
/* The other ways in which a program builds this very text: each is verified with the change, or something failed, or
 * `*remains` as before. Sources that need not be looked at any more are `done`. */
int repair_check_builds(repair_file *f, const verify_inputs *in, const prover *p, bool *done, bool *remains, error *e);

#endif
