/* Processes that a program has left running: those that were given the same socket. */
#ifndef CLTC_RUNNER_LEFTOVER_H
#define CLTC_RUNNER_LEFTOVER_H

#include <stdbool.h>
#include <sys/types.h>

typedef struct leftover {
  pid_t pid;     /* 0: there is none */
  char name[32]; /* of its executable, cut */
  bool opencl;   /* it has an OpenCL loader in its memory */
} leftover;

/* The process that was started with this socket in its environment, also if its parents have ended; of several one that
 * has OpenCL. Processes of other users are not seen. */
leftover leftover_find(const char *socket);

#endif
