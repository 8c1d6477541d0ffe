/* The mutants of a kernel file, without a program. */
#ifndef CLTC_CLI_MUTANTS_H
#define CLTC_CLI_MUTANTS_H

#include <stdio.h>

#include "cli/offline.h"
#include "cli/settings.h"
#include "mutate/mutate.h"

/* As mutate_program; libclang answers for the device. */
int offline_mutants(offline *o, mutate_result *out, error *e);

/* `mutate --list FILE.cl…`: a line a mutant. Returns the exit code. */
int list_mutants(const settings *s, const bool operators[MUTATE_OPERATORS]);

#endif
