/* Running a program once to keep what it does on the device. */
#ifndef CLTC_CLI_CAPTURING_H
#define CLTC_CLI_CAPTURING_H

#include "cli/target.h"
#include "db/db.h"
#include "runner/plan/plan.h"

/* Runs the program in the terminal and makes a capture of it; says what is in it unless --quiet. The file is there
 * whole or not at all. EXIT_NOTHING when it does nothing on a device or nothing that could be done again. EXIT_BASELINE
 * when the program failed; the file may be there all the same, and the sentence ends with `kept` then. What the layer has
 * found of memory and refused launches is put into `found`, to be freed in every case; NULL: nobody wants it. */
int capture_program(const settings *s, char **argv, const target *t, const char *file, const char *kept, view *found,
                    error *e);
/* The same for the one test case of a plan, where --capture FILE asks for it; the program reads and writes /dev/null,
 * as it is run for its own sake afterwards. */
int capture_planned(const settings *s, const plan *p, const target *t, error *e);

#endif
