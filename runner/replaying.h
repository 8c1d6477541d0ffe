/* Doing a capture once more, plainly: the program cltestcheck-replay, without the layer. */
#ifndef CLTC_RUNNER_REPLAYING_H
#define CLTC_RUNNER_REPLAYING_H

#include <stdbool.h>

#include "base/buffer.h"
#include "base/error.h"
#include "wire/turn.h"

typedef struct replaying {
  const char *program;     /* its path; NULL: it is not there, which is an error */
  const char *capture;     /* file */
  const char *device;      /* "P:D", NULL: the first one */
  double timeout;          /* seconds, 0: none */
  const char *const *more; /* further words, ended by NULL; NULL: none */
  bool quiet;              /* it reads nothing, and its standard error goes nowhere */
  bool joined;             /* what it says on standard error is read, too */
} replaying;

typedef struct replaying_end {
  bool late, too_much; /* it was ended: it ran too long, or printed more than 1 GiB */
  int signal;          /* that killed it, 0: none */
  int status;          /* exit status, where it ended by itself */
} replaying_end;

/* What it prints goes to `said`. -1 with `e`: it could not be started, or was interrupted (130). */
int replaying_run(const replaying *r, buffer *said, replaying_end *end, error *e);
/* Likewise, and what it has read goes to `record`, by way of a file in the folder: false in `*known`: it came not that
 * far. */
int replaying_compare(const replaying *r, const char *folder, replay_record *record, bool *known, replaying_end *end,
                      error *e);

#endif
