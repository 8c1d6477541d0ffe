/* What the options of `verify` and `repair` do; options.c has the table. */
#ifndef CLTC_CLI_OPTIONS_VERIFY_H
#define CLTC_CLI_OPTIONS_VERIFY_H

#include "cli/options.h"

int take_sizes(const option *o, void *part, const char *value, error *e);
int take_second_opinion(const option *o, void *part, const char *value, error *e);

#endif
