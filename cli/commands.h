/* The commands: one cmd_NAME.c each, with what is said of it. */
#ifndef CLTC_CLI_COMMANDS_H
#define CLTC_CLI_COMMANDS_H

#include "cli/settings.h"

/* X(name, NAME) for each, in the order in which they are listed. */
#define COMMANDS(X)     \
  X(check, CHECK)       \
  X(coverage, COVERAGE) \
  X(mutate, MUTATE)     \
  X(amplify, AMPLIFY)   \
  X(races, RACES)       \
  X(memory, MEMORY)     \
  X(verify, VERIFY)     \
  X(repair, REPAIR)     \
  X(generate, GENERATE) \
  X(capture, CAPTURE)   \
  X(replay, REPLAY)     \
  X(run, RUN)           \
  X(report, REPORT)     \
  X(show, SHOW)         \
  X(list, LIST)         \
  X(diff, DIFF)         \
  X(merge, MERGE)       \
  X(devices, DEVICES)   \
  X(config, CONFIG)     \
  X(doctor, DOCTOR)

#define COMMAND_NUMBER(name, NAME) NUMBER_OF_##NAME,
#define COMMAND_BIT(name, NAME) FOR_##NAME = 1 << NUMBER_OF_##NAME,
#define COMMAND_ROW(name, NAME) extern const command command_##name;
enum command_number { COMMANDS(COMMAND_NUMBER) COMMAND_COUNT };
/* In option.commands. */
enum command_bit {
  COMMANDS(COMMAND_BIT) FOR_MEASURING = FOR_CHECK | FOR_COVERAGE | FOR_RACES | FOR_MEMORY,
  FOR_EXPERIMENTS = FOR_MEASURING | FOR_MUTATE | FOR_AMPLIFY,
  FOR_PROOFS = FOR_VERIFY | FOR_REPAIR,
  FOR_ALL = 0x7fffffff
};

typedef struct command {
  const char *name;
  const char *summary; /* one line */
  const char *usage;   /* what follows the name */
  const char *details; /* paragraphs for help and the man page */
  const char *example;
  int (*run)(const settings *s); /* returns the exit code, having said what is wrong */
  unsigned bit;                  /* in option.commands */
} command;

COMMANDS(COMMAND_ROW)
extern const command *const commands[]; /* ended by NULL */
#define EACH_COMMAND(c) for (const command *const *c##_at = commands, *c = *c##_at; c != NULL; c = *++c##_at)
const command *command_find(const char *name);

/* `config COMMAND`: every setting of a command. */
void config_print_command(const command *c, const settings *s);

#endif
