/* One poll loop over the sockets of all running jobs and our signals. */
#include "runner/pool.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/memory.h"

enum { TICK_MS = 500, POLL_MS = 50, DRAIN_MS = 200 };

typedef struct running {
  pool_job *job; /* NULL: a free place */
  server *server;
  pid_t child;
  double started;
  bool ended;
  int nothing; /* standard input */
} running;

typedef struct pool {
  const pool_source *source;
  running *places;
  unsigned width, active;
  int signals;
  sigset_t before;
  bool interrupted;
  struct pollfd *fds;
  size_t fd_capacity;
} pool;

static int open_streams(running *r, error *e) {
  pool_job *job = r->job;
  r->nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
  job->output = memfd_create("output", MFD_CLOEXEC);
  job->errors = memfd_create("errors", MFD_CLOEXEC);
  if (r->nothing < 0 || job->output < 0 || job->errors < 0) {
    return error_set(e, EXIT_INTERNAL, "no file for a program's output could be made");
  }
  job->child.own_streams = true;
  job->child.streams[0] = r->nothing;
  job->child.streams[1] = job->output;
  job->child.streams[2] = job->errors;
  return 0;
}

static void release(pool *p, running *r) {
  pool_job *job = r->job;
  int *descriptors[] = {&r->nothing, &job->output, &job->errors};
  for (size_t i = 0; i < sizeof descriptors / sizeof descriptors[0]; i++) {
    if (*descriptors[i] >= 0) {
      (void)close(*descriptors[i]);
    }
    *descriptors[i] = -1;
  }
  server_close(r->server);
  r->server = NULL;
  r->job = NULL;
  p->source->released(p->source->context, job);
}

static int start(pool *p, running *r, error *e) {
  pool_job *job = r->job;
  job->output = job->errors = r->nothing = -1;
  job->status = 0;
  job->timed_out = job->stopped = false;
  r->ended = false;
  if (server_open(&r->server, &job->handler, e) != 0 || open_streams(r, e) != 0 ||
      child_start(&job->child, server_path(r->server), &p->before, false, &r->child, e) != 0) {
    release(p, r);
    return -1;
  }
  r->started = clock_now();
  p->active++;
  return 0;
}

static int start_more(pool *p, error *e) {
  for (unsigned i = 0; i < p->width; i++) {
    running *r = &p->places[i];
    if (r->job == NULL) {
      r->job = p->source->next(p->source->context);
      if (r->job == NULL) {
        return 0;
      }
      if (start(p, r, e) != 0) {
        return -1;
      }
    }
  }
  return 0;
}

static void on_signals(pool *p) {
  struct signalfd_siginfo info;
  while (read(p->signals, &info, sizeof info) == (ssize_t)sizeof info) {
    p->interrupted = p->interrupted || info.ssi_signo == SIGINT || info.ssi_signo == SIGTERM;
  }
  for (unsigned i = 0; i < p->width; i++) {
    running *r = &p->places[i];
    int status = 0;
    if (r->job != NULL && !r->ended && waitpid(r->child, &status, WNOHANG) == r->child) {
      r->ended = true;
      r->job->seconds = clock_now() - r->started;
      r->job->status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    }
  }
}

static void serve(pool *p, const running *r, struct pollfd *fds, size_t count) {
  server_serve(r->server, fds, count);
  if (!r->ended && !r->job->stopped && p->source->enough(p->source->context, r->job)) {
    r->job->stopped = true;
    (void)kill(-r->child, SIGKILL);
  }
}

/* Polls the signals and all sockets once, and serves what came. */
static void poll_once(pool *p, int milliseconds) {
  size_t count = 1;
  for (unsigned i = 0; i < p->width; i++) {
    count += p->places[i].job == NULL ? 0 : server_descriptors(p->places[i].server, NULL, 0);
  }
  p->fds = mem_grow(p->fds, &p->fd_capacity, count, sizeof *p->fds);
  p->fds[0] = (struct pollfd){.fd = p->signals, .events = POLLIN};
  size_t at = 1;
  for (unsigned i = 0; i < p->width; i++) {
    at += p->places[i].job == NULL ? 0 : server_descriptors(p->places[i].server, p->fds + at, count - at);
  }
  (void)poll(p->fds, (nfds_t)count, milliseconds);
  at = 1;
  for (unsigned i = 0; i < p->width; i++) {
    running *r = &p->places[i];
    if (r->job != NULL) {
      size_t own = server_descriptors(r->server, NULL, 0);
      serve(p, r, p->fds + at, own);
      at += own;
    }
  }
  on_signals(p);
}

/* What the program's processes sent before they ended is still in the sockets. */
static void drain(running *r) {
  double deadline = clock_now() + DRAIN_MS * 1e-3;
  struct pollfd fds[64];
  while (server_connections(r->server) > 0 && clock_now() < deadline) {
    size_t count = server_descriptors(r->server, fds, sizeof fds / sizeof fds[0]);
    count = count < sizeof fds / sizeof fds[0] ? count : sizeof fds / sizeof fds[0];
    (void)poll(fds, (nfds_t)count, 10);
    server_serve(r->server, fds, count);
  }
}

static int finish(pool *p, running *r, error *e) {
  (void)kill(-r->child, SIGKILL); /* whatever it left behind */
  drain(r);
  const error *failure = server_error(r->server);
  int result = 0;
  if (failure != NULL) {
    *e = *failure;
    result = -1;
  } else {
    result = p->source->ended(p->source->context, r->job, e);
  }
  release(p, r);
  p->active--;
  return result;
}

static int finish_ended(pool *p, error *e) {
  for (unsigned i = 0; i < p->width; i++) {
    running *r = &p->places[i];
    if (r->job != NULL && r->ended) {
      if (finish(p, r, e) != 0) {
        return -1;
      }
      p->source->tick(p->source->context);
    }
  }
  return 0;
}

static int enforce_limits(pool *p) {
  double soonest = POLL_MS * 1e-3;
  for (unsigned i = 0; i < p->width; i++) {
    running *r = &p->places[i];
    if (r->job == NULL || r->job->limit <= 0 || r->ended) {
      continue;
    }
    double left = r->started + r->job->limit - clock_now();
    if (left <= 0 && !r->job->timed_out) {
      r->job->timed_out = true;
      (void)kill(-r->child, SIGKILL);
    }
    soonest = left > 0 && left < soonest ? left : soonest;
  }
  return (int)(soonest * 1000) + 1;
}

static void kill_all(pool *p) {
  for (unsigned i = 0; i < p->width; i++) {
    running *r = &p->places[i];
    if (r->job != NULL) {
      (void)kill(-r->child, SIGKILL);
      if (!r->ended) {
        (void)waitpid(r->child, NULL, 0);
      }
      release(p, r);
    }
  }
}

static int loop(pool *p, error *e) {
  double ticked = clock_now();
  while (!p->interrupted) {
    if (start_more(p, e) != 0) {
      return -1;
    }
    if (p->active == 0) {
      return 0;
    }
    poll_once(p, enforce_limits(p));
    if (!p->interrupted && finish_ended(p, e) != 0) {
      return -1;
    }
    if (clock_now() - ticked > TICK_MS * 1e-3) {
      p->source->tick(p->source->context);
      ticked = clock_now();
    }
  }
  return 0;
}

int pool_run(const pool_source *source, unsigned width, bool *interrupted, error *e) {
  pool p = {.source = source, .width = width};
  p.places = mem_calloc(width, sizeof *p.places);
  sigset_t blocked;
  (void)sigemptyset(&blocked);
  (void)sigaddset(&blocked, SIGCHLD);
  (void)sigaddset(&blocked, SIGINT);
  (void)sigaddset(&blocked, SIGTERM);
  (void)sigprocmask(SIG_BLOCK, &blocked, &p.before);
  p.signals = signalfd(-1, &blocked, SFD_CLOEXEC | SFD_NONBLOCK);
  int result = loop(&p, e);
  kill_all(&p);
  (void)close(p.signals);
  (void)sigprocmask(SIG_SETMASK, &p.before, NULL);
  free(p.places);
  free(p.fds);
  *interrupted = p.interrupted;
  return result;
}
