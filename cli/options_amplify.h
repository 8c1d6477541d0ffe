/* What the options of `amplify` do; options.c has the table. */
#ifndef CLTC_CLI_OPTIONS_AMPLIFY_H
#define CLTC_CLI_OPTIONS_AMPLIFY_H

#include "cli/settings.h"

int take_gate(settings *s, const char *value, error *e);
int take_order(settings *s, const char *value, error *e);
int take_targets(settings *s, const char *value, error *e);
int take_replay(settings *s, const char *value, error *e);
int take_schedule(settings *s, const char *value, error *e);
int take_mutant(settings *s, const char *value, error *e);

#endif
