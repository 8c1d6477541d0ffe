/* The commands: one cmd_NAME.c each; an entry takes parsed settings and returns the exit code. */
#ifndef CLTC_CLI_COMMANDS_H
#define CLTC_CLI_COMMANDS_H

#include "cli/settings.h"

int cmd_coverage(const settings *s);
int cmd_races(const settings *s);
int cmd_mutate(const settings *s);
int cmd_amplify(const settings *s);
int cmd_verify(const settings *s);
int cmd_repair(const settings *s);
int cmd_report(const settings *s);
int cmd_show(const settings *s);
int cmd_list(const settings *s);
int cmd_diff(const settings *s);
int cmd_merge(const settings *s);
int cmd_capture(const settings *s);
int cmd_replay(const settings *s);
int cmd_run(const settings *s);
int cmd_devices(const settings *s);
int cmd_config(const settings *s);
int cmd_doctor(const settings *s);

/* `config COMMAND`: every setting of a command. */
struct command;
void config_print_command(const struct command *c, const settings *s);

#endif
