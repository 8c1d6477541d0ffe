/* Starting a program with the layer in front of its OpenCL. */
#ifndef CLTC_RUNNER_CHILD_H
#define CLTC_RUNNER_CHILD_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"

/* Where programs run: our libraries and the device. */
typedef struct target {
  char *layer;   /* path of the layer library */
  char *capture; /* path of the capture layer, and of the program that replays; NULL: not there */
  char *replay;
  char *preload;  /* path of the preload library, NULL to leave LD_PRELOAD alone */
  char *device;   /* "P:D" to present as the device, or NULL */
  char **devices; /* all of them, where there are several to spread runs over; the first is `device` */
  size_t device_count;
} target;

/* All that goes to a program and its processes. */
typedef struct child_options {
  char **argv;          /* program and arguments, ended by NULL */
  target on;            /* lent */
  const char *observe;  /* value of CLTESTCHECK_OBSERVE, or NULL */
  const char *launch;   /* value of CLTESTCHECK_LAUNCH, or NULL */
  uint32_t filling;     /* CLTESTCHECK_FILLING; 0: none */
  bool unawaited;       /* CLTESTCHECK_UNAWAITED */
  bool leaks;           /* CLTESTCHECK_LEAKS */
  bool unguarded;       /* no CLTESTCHECK_GUARD_ZONES */
  unsigned cells_round; /* CLTESTCHECK_CELLS_ROUND; 0: none */
  bool fills;           /* CLTESTCHECK_FILL: */
  unsigned char fill;
  const char *watch;     /* value of CLTESTCHECK_WATCH, or NULL */
  const char *perturb;   /* value of glibc's MALLOC_PERTURB_, which fills fresh memory; NULL: as it is */
  bool worker;           /* CLTESTCHECK_WORKER */
  const char *capture;   /* path of the file that the capture layer writes, or NULL */
  uint64_t capture_most; /* bytes of it, where the environment does not say; 0: as the layer likes */
  bool order;            /* CLTESTCHECK_CAPTURE_ORDER */
  unsigned processor;    /* seconds of the processor that each of its processes may take; 0: any */
  /* A run that nobody watches: the program gets `streams` instead of our standard input, output and error, and where it
   * crashes it leaves no file with its memory. */
  bool own_streams;
  int streams[3];
} child_options;

/* Starts the program in a process group of its own; `socket` is the path of the server's socket, beside which links may
 * be made (server.h); `mask` is the signal mask that it gets. With `foreground` it gets the terminal of standard input.
 * Returns -1 with `e` set (EXIT_USAGE) when it could not be started. */
int child_start(const child_options *o, const char *socket, const sigset_t *mask, bool foreground, pid_t *child,
                error *e);

#endif
