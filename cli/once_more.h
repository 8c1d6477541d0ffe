/* --replay ID of commands that measure: a finding of the database once more. */
#ifndef CLTC_CLI_ONCE_MORE_H
#define CLTC_CLI_ONCE_MORE_H

#include "cli/measuring.h"

/* Runs its test case with the look and form of `how`, and gives the exit code: EXIT_FOUND where it was seen again. */
int finding_once_more(const settings *s, const measuring_command *how);

#endif
