/* The values of options, each with where it comes from: a file, the environment, the command line. */
#ifndef CLTC_CLI_ASSIGNMENTS_H
#define CLTC_CLI_ASSIGNMENTS_H

#include "cli/experiment.h"
#include "cli/options.h"
#include "cli/settings.h"

/* In rising order: what comes from a higher one replaces what comes from lower ones. */
typedef enum assignment_level { FROM_FILE, FROM_SECTION, FROM_ENVIRONMENT, FROM_COMMAND_LINE } assignment_level;

typedef struct assignment {
  const option *option;
  assignment_level level;
  char *value;  /* NULL: of a switch, or nothing at all */
  bool off;     /* a switch that is off, a list without items */
  char *origin; /* "cltestcheck.yaml:3:7", "CLTESTCHECK_RUNS", "command line" */
} assignment;

typedef struct assignments {
  assignment *items;
  size_t count, capacity;
} assignments;

/* Adds a value, in place of those of lower levels. Of NAME=VALUE options (OPTION_KEYED, with commas between several) it
 * takes the place of those with the same NAME. */
void assignments_add(assignments *a, const option *o, assignment_level level, const char *value, bool off,
                     const char *origin);
/* Adds all of `from` and leaves it empty. */
void assignments_move(assignments *to, assignments *from);
/* Hands every value to its option. Errors name the origin where that is not the command line. The values are lent to
 * `out`. */
int assignments_apply(const assignments *a, settings *out, error *e);
void assignments_free(assignments *a);

/* Says on standard error that the program asked for a device of this cl_device_type and there is none, and the command
 * line that presents another device to it; nothing when one was presented already. */
void say_denied(const command_line *given, const target *t, uint32_t type);

#endif
