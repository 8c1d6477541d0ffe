/* Processes that a program has left running: those that were given the same socket. How long they are waited for. */
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

/* Waiting for it. Zeroed but for `ended` and `heard` when the program has ended. */
typedef struct leftover_watch {
  double ended;    /* when the program did (clock_now) */
  double heard;    /* when the last message came */
  double looked;   /* when it was looked for */
  leftover left;   /* what was found then */
  double patience; /* seconds for one that says nothing; 0: a minute */
  bool talked;     /* something with OpenCL had a connection, after what ended with the program had gone */
} leftover_watch;

/* Whether to wait on. `connections`: of the server that has that socket; `limited`: a time limit ends the wait. */
bool leftover_awaited(leftover_watch *w, const char *socket, size_t connections, bool limited);
/* Whether to wait on for the rest of what was interrupted or killed. */
bool leftover_lingers(leftover_watch *w, const char *socket, size_t connections);

#endif
