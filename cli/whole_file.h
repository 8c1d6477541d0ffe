/* Files that are written whole or not at all. */
#ifndef CLTC_CLI_WHOLE_FILE_H
#define CLTC_CLI_WHOLE_FILE_H

#include <stdbool.h>
#include <stdio.h>

#include "cli/settings.h"

typedef struct whole_file {
  FILE *out;
  const char *path; /* what a link points to */
  bool special;     /* a pipe, a device and the like: written as it is */
} whole_file;

/* Has `write` write the file: through a temporary name, so that a reader never finds half of it. */
int whole_file_write(const char *name, int (*write)(const whole_file *f, void *context, error *e), void *context,
                     error *e);

/* Whether each report that is asked for can be written to its file, as far as is known before. -1 with `e` set: one cannot. */
int formats_check(const report_settings *s, error *e);

#endif
