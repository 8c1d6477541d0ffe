/* `capture --yaml`: what a program does, as kernel cases. */
#ifndef CLTC_CLI_CASE_CAPTURE_H
#define CLTC_CLI_CASE_CAPTURE_H

#include "cli/settings.h"
#include "cli/target.h"

/* Writes a capture as a suite of one case into the folder, which is made. -1 with `e` set. */
int case_capture_write(const target *t, const char *capture_path, const char *name, const char *folder, bool quiet,
                       error *e);
/* The same for a program, which runs once, or for a capture file: as the command line says. */
int case_capture_command(const settings *s, const target *t, error *e);

#endif
