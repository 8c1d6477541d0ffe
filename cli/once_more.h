/* --replay ID of commands that measure: a finding of the database once more. */
#ifndef CLTC_CLI_ONCE_MORE_H
#define CLTC_CLI_ONCE_MORE_H

#include "cli/measuring.h"

/* measuring_run, or, where --replay names a finding, its test case and kernel alone; then EXIT_FOUND: it was seen again. */
int measuring_or_once_more(const measuring_command *how);

#endif
