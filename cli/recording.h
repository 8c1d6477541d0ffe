/* Running a program under the layer without asking for its coverage: for `capture` and `replay`. */
#ifndef CLTC_CLI_RECORDING_H
#define CLTC_CLI_RECORDING_H

#include "cli/settings.h"
#include "runner/session/program_run.h"
#include "runner/session/session.h"

typedef struct recording {
  char *directory; /* temporary: its database, and room for a capture */
  db *db;
  int64_t run; /* in it */
  session *session;
} recording;

/* Release with recording_close in every case. */
int recording_open(recording *r, error *e);
/* Runs the program in the terminal. */
int recording_run(recording *r, const program_options *options, program_end *out, error *e);
void recording_close(recording *r);

/* Says a text: for program_options.waiting and listeners. */
void say_note(void *context, const char *text);

#endif
