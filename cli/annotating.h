/* show --annotate: the sources of a view on the terminal. */
#ifndef CLTC_CLI_ANNOTATING_H
#define CLTC_CLI_ANNOTATING_H

#include "cli/settings.h"

/* Returns the exit code. */
int show_annotated(const report_settings *s, const words *names);

#endif
