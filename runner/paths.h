/* Files of cltestcheck's own: where they lie, what the layer keeps; captures done once more, plainly, by
 * cltestcheck-replay. */
#ifndef CLTC_RUNNER_PATHS_H
#define CLTC_RUNNER_PATHS_H

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

/* Says that there is no such program; -1. */
int replay_is_missing(error *e);
/* What it prints goes to `said`. -1 with `e`: it could not be started, or was interrupted (130). */
int replaying_run(const replaying *r, buffer *said, replaying_end *end, error *e);
/* Likewise, and what it has read goes to `record`, by way of a file in the folder: false in `*known`: it came not that
 * far. */
int replaying_compare(const replaying *r, const char *folder, replay_record *record, bool *known, replaying_end *end,
                      error *e);

/* Where cltestcheck's own files lie: beside the program in a build tree, below its prefix once installed. */

/* Absolute path of one of our files or folders, to be freed; NULL when it is not there. `name` is
 * "libcltestcheck-layer.so", "libcltestcheck-capture.so", "libcltestcheck-preload.so",
 * "libcltestcheck-replace.so", "cltestcheck-replay", "cltestcheck-verify" or "suites". */
char *own_path(const char *name);

/* The folder in which the layer keeps programs that it has built (layer/common/builds.h): $XDG_CACHE_HOME/cltestcheck/builds,
 * or that in ~/.cache. What was not used for longest goes when it grows beyond BUILDS_MOST. */

#define BUILDS_MOST ((uint64_t)256 << 20) /* bytes */

/* Its path, with the folder made and within its bounds; NULL: nothing is kept (there is no home, it cannot be written,
 * or builds_leave_out). */
const char *builds_folder(void);
/* --no-build-cache: programs of this process neither read nor write it. */
void builds_leave_out(void);
/* Bytes of all that is in it. */
uint64_t builds_size(void);

#endif
