/* Running a program once to keep what it does on the device. */
#ifndef CLTC_CLI_CAPTURING_H
#define CLTC_CLI_CAPTURING_H

#include "cli/target.h"
#include "db/db.h"
#include "runner/plan/plan.h"

typedef struct capture_wish {
  const command_line *given; /* for a sentence on a device that is not there */
  double timeout;
  bool quiet;
  const char *kept; /* what is said of a program that fails after something was captured */
  bool partly;      /* what cannot be captured to its end is a capture all the same, up to there (capture.unsuitable) */
  bool silent;      /* what the program reads and writes is /dev/null */
  /* what the layer has found of memory and refused launches, to be freed in every case; NULL: nobody wants it */
  view *found;
} capture_wish;

/* Runs the program in the terminal and makes a capture of it; says what is in it unless it is quiet. The file is there
 * whole or not at all. EXIT_NOTHING when it does nothing on a device or nothing that could be done again. EXIT_BASELINE
 * when the program failed; the file may be there all the same, and the sentence has `kept` then. */
int capture_program(char **argv, const target *t, const char *file, const capture_wish *wish, error *e);
/* The same for the one test case of a plan. One that fails will fail once more. */
int capture_planned(const plan *p, const target *t, const char *file, const capture_wish *wish, error *e);

#endif
