/* Programs under the layer: the socket that layers connect to, which accepts connections, cuts messages out of the stream and
 * hands them to a handler; how programs are started; what they leave running. */
#ifndef CLTC_RUNNER_SERVER_H
#define CLTC_RUNNER_SERVER_H

#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/buffer.h"
#include "base/error.h"

typedef struct server server;

typedef struct server_handler {
  void *context;
  size_t client_size; /* of what the handler keeps for a connection; zeroed when it opens */
  /* Takes one message; an answer, if it has one, is appended whole. -1 with `e` set ends the server's work. */
  int (*message)(void *context, void *client, uint32_t type, const void *payload, size_t length, buffer *answer,
                 error *e);
  void (*gone)(void *context, void *client); /* the connection has ended */
} server_handler;

/* Names of links that may stand beside the socket; they go with it. */
#define SERVER_LAYER_LINK "libcltestcheck-layer.so"
#define SERVER_CAPTURE_LINK "libcltestcheck-capture.so"
#define SERVER_PRELOAD_LINK "libcltestcheck-preload.so"

/* Listens in a fresh private directory. */
int server_open(server **out, const server_handler *h, error *e);
/* Closes everything and removes the directory. NULL is fine. */
void server_close(server *v);

/* For the layer's environment; lent. */
const char *server_path(const server *v);

/* How many launches with evidence to come the processes have counted (launches_file). */
uint64_t server_launches(const server *v);
/* "the last launch, number 3, was of kernel k (global size 64) and had ended", or that there was none. */
enum { SERVER_LAST_LAUNCH = 320 };
bool server_last_launch(const server *v, char *text, size_t size);

/* Descriptors to poll: fills at most `room`, returns how many there are. */
size_t server_descriptors(const server *v, struct pollfd *out, size_t room);
/* Handles whatever can be read now. A failure of the handler is kept (server_error) and ends all connections: the
 * user's program goes on without us. */
void server_serve(server *v, const struct pollfd *polled, size_t count);
/* Sends an answer that the handler could not give at once. Of no effect when the connection has ended. */
void server_answer(server *v, const void *client, const buffer *answer);
/* Connections still open. */
size_t server_connections(const server *v);
/* The first failure of the handler; NULL if there was none; lent. */
const error *server_error(const server *v);

/* Processes that a program has left running: those that were given the same socket. How long they are waited for. */

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

/* Starting a program with the layer in front of its OpenCL. */

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
  /* A run that nobody watches: the program reads nothing, what it writes goes to these files (0: nowhere), and where it
   * crashes it leaves no file with its memory. */
  bool unwatched;
  int output, errors;
} child_options;

/* Starts the program in a process group of its own; `socket` is the path of the server's socket, beside which links may
 * be made (server.h); `mask` is the signal mask that it gets. With `foreground` it gets the terminal of standard input.
 * Returns -1 with `e` set (EXIT_USAGE) when it could not be started. */
int child_start(const child_options *o, const char *socket, const sigset_t *mask, bool foreground, pid_t *child,
                error *e);

/* How much this process has had done: what costs a person time. */

typedef struct effort {
  uint64_t starts, replays; /* of programs; of cltestcheck-replay in their place */
  uint64_t built, kept;     /* texts of ours that a device's compiler has built, and that were there as binaries */
} effort;

extern effort effort_so_far;

#endif
