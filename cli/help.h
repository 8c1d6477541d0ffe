/* What is made from the tables of options and commands: help, man pages, completion, a schema for editors. */
#ifndef CLTC_CLI_HELP_H
#define CLTC_CLI_HELP_H

#include <stdbool.h>
#include <stdio.h>

#include "cli/options.h"

typedef struct exit_meaning {
  int code;
  const char *meaning;
} exit_meaning;
extern const exit_meaning exit_meanings[]; /* ended by a NULL meaning */

void help_overview(FILE *out);
/* Fits a screen unless `all`. */
void help_command(const command *c, bool all, FILE *out);
/* cltestcheck.1, or cltestcheck-COMMAND.1. */
void help_man_page(const command *c, FILE *out);
/* For "bash", "zsh" or "fish"; -1 for another shell. */
int help_completion(const char *shell, FILE *out);
/* JSON Schema (draft 7) of cltestcheck.yaml. */
int help_schema(FILE *out);

#endif
