/* Writing the reports that a command was asked for. */
#ifndef CLTC_CLI_OUTPUT_H
#define CLTC_CLI_OUTPUT_H

#include <stdio.h>

#include "cli/settings.h"
#include "db/db.h"
#include "reports/common/report.h"

/* Says an error on standard error and returns its exit code. */
int say_error(const error *e);

/* The options of a text report that goes to `out`: kernels, colours, width. */
report_options terminal_options(const report_settings *s, FILE *out);
/* Writes every requested format: to its file (whole or not at all), or to `standard` when it names none. If reports went
 * to standard error and the file of standard output is as empty as before, says so. */
int write_formats(const view *v, const report_settings *s, int exit, FILE *standard, error *e);
/* Is there a requested format that has nothing to show, as none of the runs has what it is about? */
bool formats_lack(const view *v, const report_settings *s);
/* The text report. */
int write_text(const view *v, const report_settings *s, int exit, FILE *out, error *e);
/* Whether some --fail-under is not reached. */
bool below_thresholds(const view *v, const report_settings *s);
/* Names each of them in a line, in red on a terminal. A command says this last. `unmeasured`: those that the runs did not
 * measure are named, too; a command that makes a run knows what it measures. */
void say_below(const view *v, const report_settings *s, bool unmeasured);

#endif
