/* cltestcheck.yaml: options and suppressions of a project (docs/configuration.md). */
#ifndef CLTC_CLI_CONFIGURATION_H
#define CLTC_CLI_CONFIGURATION_H

#include "cli/options.h"
#include "reports/common/suppress.h"

#define CONFIGURATION_NAME "cltestcheck.yaml"

/* A value as it stands there. */
typedef struct configured_value {
  const char *name;       /* of an option */
  const command *section; /* NULL: for every command that has such an option */
  char *value;            /* NULL: of a switch, or a list without items */
  bool is_switch, off;
  char *origin; /* FILE:LINE:COLUMN */
} configured_value;

typedef struct configuration {
  char *path; /* of the file, NULL: there is none */
  configured_value *values;
  size_t value_count, value_capacity;
  suppression *suppressions; /* strings are the configuration's */
  size_t suppression_count, suppression_capacity;
} configuration;

/* The path of the nearest cltestcheck.yaml, from the working folder upwards; NULL: there is none. free() it. */
char *configuration_find(void);
/* Reads a file: every value in it is one that its option takes. Errors (EXIT_USAGE) name file, line and column; nothing
 * is to be released then. Paths in it are relative to it. */
int configuration_read(const char *path, configuration *out, error *e);
/* Adds what the file says for a command. */
void configuration_assign(const configuration *c, const command *to, assignments *out);
void configuration_free(configuration *c);

#endif
