/* What the options of `verify` and `repair` do; options.c has the table. */
#ifndef CLTC_CLI_OPTIONS_VERIFY_H
#define CLTC_CLI_OPTIONS_VERIFY_H

#include "cli/settings.h"

int take_local(settings *s, const char *value, error *e);
int take_groups(settings *s, const char *value, error *e);
int take_second_opinion(settings *s, const char *value, error *e);

#endif
