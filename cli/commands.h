/* The commands: one cmd_NAME.c each; an entry takes parsed settings and returns the exit code. */
#ifndef CLTC_CLI_COMMANDS_H
#define CLTC_CLI_COMMANDS_H

#include "cli/settings.h"

/* X(name, NAME) for each. */
#define COMMANDS(X)     \
  X(check, CHECK)       \
  X(coverage, COVERAGE) \
  X(races, RACES)       \
  X(memory, MEMORY)     \
  X(mutate, MUTATE)     \
  X(amplify, AMPLIFY)   \
  X(verify, VERIFY)     \
  X(repair, REPAIR)     \
  X(report, REPORT)     \
  X(show, SHOW)         \
  X(list, LIST)         \
  X(diff, DIFF)         \
  X(merge, MERGE)       \
  X(capture, CAPTURE)   \
  X(replay, REPLAY)     \
  X(run, RUN)           \
  X(devices, DEVICES)   \
  X(config, CONFIG)     \
  X(doctor, DOCTOR)

#define COMMAND_NUMBER(name, NAME) NUMBER_OF_##NAME,
#define COMMAND_BIT(name, NAME) FOR_##NAME = 1 << NUMBER_OF_##NAME,
#define COMMAND_ENTRY(name, NAME) int cmd_##name(const settings *s);
enum command_number { COMMANDS(COMMAND_NUMBER) };
/* In option.commands. */
enum command_bit {
  COMMANDS(COMMAND_BIT) FOR_MEASURING = FOR_CHECK | FOR_COVERAGE | FOR_RACES | FOR_MEMORY,
  FOR_EXPERIMENTS = FOR_MEASURING | FOR_MUTATE | FOR_AMPLIFY,
  FOR_PROOFS = FOR_VERIFY | FOR_REPAIR,
  FOR_ALL = 0x7fffffff
};
COMMANDS(COMMAND_ENTRY)

/* `config COMMAND`: every setting of a command. */
struct command;
void config_print_command(const struct command *c, const settings *s);

#endif
