/* A process group under the layer, with its socket: a program, or a worker that replays captures turn by turn. */
#ifndef CLTC_RUNNER_EXPERIMENT_POOL_PROCESS_H
#define CLTC_RUNNER_EXPERIMENT_POOL_PROCESS_H

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

#include "runner/experiment/pool.h"
#include "runner/leftover.h"

typedef struct process {
  pool_job *job; /* NULL: an idle worker */
  server *server;
  pid_t child;
  uint64_t worker; /* as in pool_job */
  void *asking;    /* the connection of a worker that waits for a turn; NULL: there is none */
  bool begun;      /* its turn */
  bool spoiled;    /* a kernel may have written to any memory: only for jobs of the same variant */
  uint64_t variant;
  bool lingers; /* what the program leaves running is waited for, and killed with it */
  bool ended;   /* the job's program, with what it left running, or turn */
  bool gone;    /* the child was waited for */
  leftover_watch rest;
  double started; /* the job */
  size_t device;  /* of the pool's */
  int streams[3];
} process;

/* Starts the job's program; -1 with `e` set when that is not possible. `mask`: the signal mask that it gets. */
int process_start(process **out, pool_job *job, const sigset_t *mask, error *e);
/* Gives an idle worker its next turn. */
void process_turn(process *p, pool_job *job);
/* The child ended with this status of waitpid. */
void process_ended(process *p, int status);
/* Has a look, where the child has ended, at what it left running: without it the job has ended, too. */
void process_look(process *p);
/* What the program's processes sent before they ended is still in the sockets. */
void process_drain(process *p);
void process_kill(const process *p);
/* Kills what is left of it, waits for it and frees it. */
void process_free(process *p);

#endif
