/* What the options of `amplify` do; options.c has the table. */
#ifndef CLTC_CLI_OPTIONS_AMPLIFY_H
#define CLTC_CLI_OPTIONS_AMPLIFY_H

#include "cli/options.h"

int take_order(const option *o, void *part, const char *value, error *e);
int take_targets(const option *o, void *part, const char *value, error *e);

#endif
