/* --fail-on: words for what is no failure otherwise; --rules: what is looked for. */
#ifndef CLTC_CLI_OPTIONS_FAIL_H
#define CLTC_CLI_OPTIONS_FAIL_H

#include "cli/options.h"
#include "db/db.h"

/* Of options (options.h): those of --fail-on, and --rules of memory and check. */
int take_fail_on(const option *o, void *part, const char *value, error *e);
int take_rules(const option *o, void *part, const char *value, error *e);

/* A sentence on the finding of api-error or buffer-overrun that makes the command fail, by what was asked for; NULL: there
 * is none. */
const char *fails_on_memory(const fail_settings *s, const view *v);
/* Says that on standard error, if there is one. */
void say_fails_on_memory(const fail_settings *s, const view *v);

#endif
