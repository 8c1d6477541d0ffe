/* The options that all experiments have, from settings. */
#ifndef CLTC_CLI_EXPERIMENT_OPTIONS_H
#define CLTC_CLI_EXPERIMENT_OPTIONS_H

#include "cli/settings.h"
#include "cli/target.h"
#include "runner/experiment/options.h"

/* Settings, plan and target are lent. `jobs`: programs at a time, unless the settings say it. */
void experiment_options_fill(experiment_options *o, const settings *s, const target *t, unsigned jobs);
/* Where they run alone, where the target is found later. */
void experiment_options_place(experiment_options *o, const target *t);

/* Test cases that fail as they are, which is why the exit status is 4: "1 test case fails WITHOUT …: WHAT". */
void say_failing(const experiment_outcome *out, const char *without, const char *what);

#endif
