/* Running a program once to keep what it does on the device. */
#ifndef CLTC_CLI_CAPTURING_H
#define CLTC_CLI_CAPTURING_H

#include "cli/target.h"
#include "runner/plan/plan.h"

/* Runs the program in the terminal and makes a capture of it; says what is in it unless --quiet. The file is there
 * whole or not at all. EXIT_NOTHING when it does nothing on a device or nothing that could be done again. EXIT_BASELINE
 * when the program failed; the file may be there all the same, and the sentence has `kept` then. `partly`: what cannot be
 * captured to its end is a capture all the same, up to there (capture.unsuitable). */
int capture_program(const settings *s, char **argv, const target *t, const char *file, const char *kept, bool partly,
                    error *e);
/* The same for the one test case of a plan, where --capture FILE asks for it; the program reads and writes /dev/null,
 * as it is run for its own sake afterwards. */
int capture_planned(const settings *s, const plan *p, const target *t, error *e);

#endif
