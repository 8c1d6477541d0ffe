/* Writing the reports that a command was asked for. */
#ifndef CLTC_CLI_OUTPUT_H
#define CLTC_CLI_OUTPUT_H

#include <stdio.h>

#include "cli/settings.h"
#include "db/db.h"
#include "reports/common/report.h"

/* Says an error on standard error and returns its exit code. */
int say_error(const error *e);

/* What a text that goes to `out` is told: kernels, colours, width. */
report_options terminal_options(const settings *s, FILE *out);
/* Writes every requested format: to its file (whole or not at all), or to `standard` when it names none. */
int write_formats(const view *v, const settings *s, int exit, FILE *standard, error *e);
/* Whether a requested format is about what none of the runs has. */
bool formats_lack(const view *v, const settings *s);
/* The text report. */
int write_text(const view *v, const settings *s, int exit, FILE *out, error *e);
/* Whether some --fail-under is not reached. */
bool below_thresholds(const view *v, const settings *s);
/* Says which, a line each, in red on a terminal: the last that a command says. */
void say_below(const view *v, const settings *s);

#endif
