/* The mutants of a kernel file, without a program. */
#ifndef CLTC_CLI_MUTANTS_H
#define CLTC_CLI_MUTANTS_H

#include <stdio.h>

#include "cli/settings.h"
#include "mutate/mutate.h"
#include "runner/campaign/campaign.h"

/* `mutate --list FILE.cl…`: a line for each mutant that campaign_selects. Returns the exit code. */
int list_mutants(const command_line *s, const campaign_options *selected);

#endif
