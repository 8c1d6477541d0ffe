/* The commands, one table. */
#include "cli/commands.h"

#include <stddef.h>
#include <string.h>

#define COMMAND_AT(name, NAME) &command_##name,
const command *const commands[] = {COMMANDS(COMMAND_AT) NULL};

const command *command_find(const char *name) {
  EACH_COMMAND(c) {
    if (strcmp(c->name, name) == 0) {
      return c;
    }
  }
  return NULL;
}
