/* --fail-on: words for what is no failure otherwise; --rules: what is looked for. */
#ifndef CLTC_CLI_OPTIONS_FAIL_H
#define CLTC_CLI_OPTIONS_FAIL_H

#include "cli/settings.h"
#include "db/db.h"

int take_fail_on_memory(settings *s, const char *value, error *e);
int take_fail_on_order(settings *s, const char *value, error *e);
int take_fail_on_possible(settings *s, const char *value, error *e);
int take_fail_on_benign(settings *s, const char *value, error *e);

/* --rules of memory and check. */
int take_rules(settings *s, const char *value, error *e);

/* A sentence on the finding of api-error or buffer-overrun that makes the command fail, by what was asked for; NULL: there
 * is none. */
const char *fails_on_memory(const settings *s, const view *v);
/* Says that on standard error, if there is one. */
void say_fails_on_memory(const settings *s, const view *v);

#endif
