/* Running the user's host program under the layer and watching it. */
#ifndef CLTC_RUNNER_SESSION_PROGRAM_RUN_H
#define CLTC_RUNNER_SESSION_PROGRAM_RUN_H

#include <stdbool.h>

#include "base/error.h"
#include "db/db.h"
#include "runner/child.h"
#include "runner/server.h"
#include "runner/session/session.h"

typedef struct program_options {
  child_options child;
  double timeout;    /* seconds, 0: none */
  program_form form; /* of the programs that it builds */
  bool repeats;      /* its launches are not counted */
  const char *name;  /* for people */
  /* Called once, with a sentence, when the program has ended and we wait for a process that it left running; NULL: nobody
   * is told. */
  void (*waiting)(void *context, const char *text);
  void *context;
} program_options;

typedef struct program_end {
  int status;                           /* as a shell shows it: exit status, or 128 + signal */
  bool timed_out;                       /* its process group was killed */
  bool interrupted;                     /* by the user: SIGINT or SIGTERM */
  uint64_t launches;                    /* instrumented ones that its processes made, evidence of them or not */
  char last_launch[SERVER_LAST_LAUNCH]; /* of a program that a signal ended: server_last_launch; else "" */
  bool launched;                        /* there was one */
  leftover leftover; /* still runs and may use OpenCL; what it does from now on is not counted. pid 0: none */
} program_end;

/* Runs the program to its end, feeding the session and committing to `d` about every second. The program gets a process
 * group of its own and keeps standard input, output and error (and the terminal). What it leaves running and uses
 * OpenCL is waited for: up to the time limit or, without one, as long as it says something now and then. Returns -1
 * with `e` set when the program could not be started (EXIT_USAGE) or the results could not be kept; in the latter case
 * it ran to its end all the same. */
int program_run(session *s, db *d, const program_options *options, program_end *out, error *e);

#endif
