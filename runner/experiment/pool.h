/* Several programs under the layer at a time, without a terminal: each gets a process group, a socket and a time limit
 * of its own. Replays of captures (wire/turn.h) are jobs, too: the process that did one is kept for others. */
#ifndef CLTC_RUNNER_EXPERIMENT_POOL_H
#define CLTC_RUNNER_EXPERIMENT_POOL_H

#include "runner/server.h"

/* One run of a program. */
typedef struct pool_job {
  child_options child;    /* unwatched; what it writes is kept in `output` and `errors` */
  double limit;           /* seconds, 0: none; the process group is killed then */
  server_handler handler; /* takes the messages of its processes */
  /* 0: a program. Else a turn of a worker: `child` says how one is started, jobs with the same number may be done by
   * the same one, and their handlers keep equally much for a connection. */
  uint64_t worker;
  void (*turn)(struct pool_job *job, buffer *answer); /* appends MESSAGE_TURN */
  uint64_t variant; /* of the kernels; once one may have written to any memory, its worker only does jobs of this one */
  /* Forgets what the messages of its processes have said, so that it can be run anew; NULL: it cannot. */
  void (*forget)(struct pool_job *job);
  bool repeated; /* it was, after a SIGKILL that was not ours */
  bool lingers;  /* what the program leaves running is waited for, and killed with it */
  /* once it has ended: */
  int status; /* as a shell shows it: exit status, or 128 + signal */
  bool timed_out, stopped;
  bool left_running;   /* it lingered, and left something running that talked to us */
  bool replayed;       /* a worker's turn that did not end its process: there is no status */
  bool escaped;        /* in such a turn a kernel wrote outside of its buffers */
  bool incomplete;     /* such a turn could not do all that was captured */
  uint64_t first_read; /* of such a turn: how many reads it left out */
  double seconds;
  char last_launch[SERVER_LAST_LAUNCH]; /* of a program that a signal ended: server_last_launch; else "" */
  int output; /* descriptor of a file with its standard output (a worker's: of all its turns); not to be closed */
  int errors; /* the same for standard error */
} pool_job;

typedef struct pool_source {
  void *context;
  /* The next job to start: filled in and owned by the source, valid until `released`; NULL: none at the moment (asked
   * again when another one ends); with nothing running that means the end. */
  pool_job *(*next)(void *context);
  /* Asked after each batch of messages and at least every 50 ms: whether the rest of this run is of no interest, so
   * that it can be killed. Turns end by themselves. */
  bool (*enough)(void *context, const pool_job *job);
  /* The job has ended; its output can be read. -1 with `e` set ends the pool. */
  int (*ended)(void *context, pool_job *job, error *e);
  /* The pool has done with the job, whether it ended or was killed by an interruption. */
  void (*released)(void *context, pool_job *job);
  /* About twice a second, and after each job: for progress. */
  void (*tick)(void *context);
} pool_source;

typedef struct pool pool;

/* A pool of up to `width` jobs at a time; its workers are kept from run to run. With several `devices` ("P:D", the
 * caller's) jobs are spread over them: each process gets, as child.on.device, the one that fewest jobs have at the time.
 */
pool *pool_open(unsigned width, char *const *devices, size_t device_count);
void pool_close(pool *p); /* NULL is fine */

/* From this moment on (as clock_now tells it, 0: never) runs end as if the user had interrupted them. */
void pool_set_deadline(pool *p, double moment);
/* Whether that moment has passed. */
bool pool_is_late(const pool *p);

/* Runs jobs, `width` at a time (at most the pool's), until the source has no more, the user interrupts (SIGINT,
 * SIGTERM; then `*interrupted` is true) or the deadline is there: what still runs is killed then, and its `ended` is
 * not called. Returns -1 with `e` set when a
 * program could not be started or a handler failed. */
int pool_run(pool *p, const pool_source *source, unsigned width, bool *interrupted, error *e);

/* A process group under the layer, with its socket: a program, or a worker that replays captures turn by turn. */

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
  double started;     /* the job */
  double building;    /* of a worker: seconds from its start to what it asked last about a program in its first turn */
  double worked;      /* and of all its turns so far */
  size_t device;      /* of the pool's */
  int output, errors; /* files of what it writes */
} process;

#endif
