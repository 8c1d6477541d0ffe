/* --fail-on: words for what is no failure otherwise. */
#ifndef CLTC_CLI_OPTIONS_FAIL_H
#define CLTC_CLI_OPTIONS_FAIL_H

#include "cli/settings.h"

int take_fail_on_order(settings *s, const char *value, error *e);
int take_fail_on_refused(settings *s, const char *value, error *e);
int take_fail_on_benign(settings *s, const char *value, error *e);

#endif
