/* One poll loop over the sockets of all running jobs and our signals. */
#include "runner/experiment/pool.h"

#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/memory.h"
#include "runner/experiment/pool_process.h"

enum {
  TICK_MS = 500,
  POLL_MS = 50,
  WORKERS = 4 /* that may be idle, for each job at a time */
};

struct pool {
  const pool_source *source; /* of the run */
  process **places;          /* NULL: free */
  unsigned width, active;
  process **idle; /* workers */
  size_t idle_count, idle_room;
  int signals;
  sigset_t before;
  bool interrupted;
  double deadline; /* 0: none */
  struct pollfd *fds;
  size_t fd_capacity;
  char *const *devices;
  size_t device_count; /* 0: as the job says */
};

/* --- idle workers ------------------------------------------------------------------------------------------------- */

/* What ends a worker between two turns is nobody's evidence. */
static void reap_idle(pool *p) {
  size_t kept = 0;
  for (size_t i = 0; i < p->idle_count; i++) {
    process *worker = p->idle[i];
    int status = 0;
    if (waitpid(worker->child, &status, WNOHANG) == worker->child) {
      process_ended(worker, status);
      process_free(worker);
    } else {
      p->idle[kept++] = worker;
    }
  }
  p->idle_count = kept;
}

static process *take_idle(pool *p, const pool_job *job, size_t on) {
  reap_idle(p);
  for (size_t i = 0; job->worker != 0 && i < p->idle_count; i++) {
    process *found = p->idle[i];
    if (found->worker == job->worker && found->device == on) {
      memmove(&p->idle[i], &p->idle[i + 1], (--p->idle_count - i) * sizeof *p->idle);
      if (!found->spoiled || found->variant == job->variant) {
        return found;
      }
      process_free(found);
      i--;
    }
  }
  return NULL;
}

/* The one that was idle longest goes when there are too many. */
static void put_idle(pool *p, process *worker) {
  if (p->idle_count == p->idle_room) {
    process_free(p->idle[0]);
    memmove(&p->idle[0], &p->idle[1], --p->idle_count * sizeof *p->idle);
  }
  p->idle[p->idle_count++] = worker;
}

/* --- jobs --------------------------------------------------------------------------------------------------------- */

/* The device that has the fewest jobs. */
static size_t free_device(const pool *p) {
  size_t best = 0;
  unsigned fewest = p->width + 1;
  for (size_t d = 0; d < p->device_count; d++) {
    unsigned jobs = 0;
    for (unsigned i = 0; i < p->width; i++) {
      jobs += p->places[i] != NULL && p->places[i]->device == d;
    }
    if (jobs < fewest) {
      best = d;
      fewest = jobs;
    }
  }
  return best;
}

static int start(pool *p, process **place, pool_job *job, error *e) {
  const size_t on = free_device(p);
  process *worker = take_idle(p, job, on);
  job->child.device = p->device_count > 0 ? p->devices[on] : job->child.device;
  if (worker != NULL) {
    *place = worker;
    process_turn(worker, job);
  } else if (process_start(place, job, &p->before, e) != 0) {
    *place = NULL;
    p->source->released(p->source->context, job);
    return -1;
  }
  (*place)->device = on;
  p->active++;
  return 0;
}

static int start_more(pool *p, error *e) {
  for (unsigned i = 0; i < p->width; i++) {
    if (p->places[i] == NULL) {
      pool_job *job = p->source->next(p->source->context);
      if (job == NULL) {
        return 0;
      }
      if (start(p, &p->places[i], job, e) != 0) {
        return -1;
      }
    }
  }
  return 0;
}

/* Frees the place, and the process unless it can do another turn. */
static void release(pool *p, process **place) {
  process *gone = *place;
  pool_job *job = gone->job;
  *place = NULL;
  gone->job = NULL;
  if (gone->asking != NULL && !gone->gone) {
    put_idle(p, gone);
  } else {
    process_free(gone);
  }
  p->active--;
  p->source->released(p->source->context, job);
}

/* A SIGKILL of somebody else - a person, a batch system, the kernel when memory runs out - says nothing of what ran. If
 * that happens a second time it may well be its own doing, and counts. */
static bool killed_by_others(const pool_job *job) {
  return job->status == 128 + SIGKILL && !job->timed_out && !job->stopped && !job->repeated && job->forget != NULL;
}

/* The same job once more, with another process. */
static int repeat(pool *p, process **place, error *e) {
  process *gone = *place;
  pool_job *job = gone->job;
  *place = NULL;
  gone->job = NULL;
  process_free(gone);
  p->active--;
  job->repeated = true;
  job->forget(job);
  return start(p, place, job, e);
}

static int finish(pool *p, process **place, error *e) {
  process *r = *place;
  if (r->asking == NULL) {
    process_kill(r);
    process_drain(r);
  }
  const error *failure = server_error(r->server);
  int result = 0;
  if (failure == NULL && killed_by_others(r->job)) {
    return repeat(p, place, e);
  }
  if (failure != NULL) {
    *e = *failure;
    result = -1;
  } else {
    result = p->source->ended(p->source->context, r->job, e);
  }
  release(p, place);
  return result;
}

static int finish_ended(pool *p, error *e) {
  for (unsigned i = 0; i < p->width; i++) {
    if (p->places[i] != NULL) {
      process_look(p->places[i]);
    }
    if (p->places[i] != NULL && p->places[i]->ended) {
      if (finish(p, &p->places[i], e) != 0) {
        return -1;
      }
      p->source->tick(p->source->context);
    }
  }
  return 0;
}

/* --- the loop ----------------------------------------------------------------------------------------------------- */

static void on_signals(pool *p) {
  struct signalfd_siginfo info;
  bool children = false;
  while (read(p->signals, &info, sizeof info) == (ssize_t)sizeof info) {
    p->interrupted = p->interrupted || info.ssi_signo == SIGINT || info.ssi_signo == SIGTERM;
    children = children || info.ssi_signo == SIGCHLD;
  }
  for (unsigned i = 0; i < p->width && children; i++) {
    process *r = p->places[i];
    int status = 0;
    if (r != NULL && !r->gone && waitpid(r->child, &status, WNOHANG) == r->child) {
      process_ended(r, status);
    }
  }
  if (children) {
    reap_idle(p);
  }
}

static void serve(pool *p, process *r, struct pollfd *fds, size_t count) {
  server_serve(r->server, fds, count);
  if (!r->ended && r->worker == 0 && !r->job->stopped && p->source->enough(p->source->context, r->job)) {
    r->job->stopped = true;
    process_kill(r);
  }
}

/* Polls the signals and all sockets once, and serves what came. */
static void poll_once(pool *p, int milliseconds) {
  size_t count = 1;
  for (unsigned i = 0; i < p->width; i++) {
    count += p->places[i] == NULL ? 0 : server_descriptors(p->places[i]->server, NULL, 0);
  }
  p->fds = mem_grow(p->fds, &p->fd_capacity, count, sizeof *p->fds);
  p->fds[0] = (struct pollfd){.fd = p->signals, .events = POLLIN};
  size_t at = 1;
  for (unsigned i = 0; i < p->width; i++) {
    at += p->places[i] == NULL ? 0 : server_descriptors(p->places[i]->server, p->fds + at, count - at);
  }
  (void)poll(p->fds, (nfds_t)count, milliseconds);
  bool signalled = p->fds[0].revents != 0;
  at = 1;
  for (unsigned i = 0; i < p->width; i++) {
    process *r = p->places[i];
    if (r != NULL) {
      size_t own = server_descriptors(r->server, NULL, 0);
      serve(p, r, p->fds + at, own);
      at += own;
    }
  }
  if (signalled) {
    on_signals(p);
  }
}

static int enforce_limits(pool *p) {
  double soonest = POLL_MS * 1e-3;
  const double rest = p->deadline - clock_now();
  soonest = p->deadline > 0 && rest < soonest ? (rest > 0 ? rest : 0) : soonest;
  for (unsigned i = 0; i < p->width; i++) {
    process *r = p->places[i];
    if (r == NULL || r->job->limit <= 0 || r->ended) {
      continue;
    }
    double left = r->started + r->job->limit - clock_now();
    if (left <= 0 && !r->job->timed_out) {
      r->job->timed_out = true;
      process_kill(r);
    }
    soonest = left > 0 && left < soonest ? left : soonest;
  }
  return (int)(soonest * 1000) + 1;
}

static int loop(pool *p, error *e) {
  double ticked = clock_now();
  while (!p->interrupted && !pool_is_late(p)) {
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

static void kill_all(pool *p) {
  for (unsigned i = 0; i < p->width; i++) {
    if (p->places[i] != NULL) {
      p->places[i]->asking = NULL;
      release(p, &p->places[i]);
    }
  }
}

pool *pool_open(unsigned width, char *const *devices, size_t device_count) {
  pool *p = mem_calloc(1, sizeof *p);
  p->devices = devices;
  p->device_count = device_count;
  p->places = mem_calloc(width, sizeof *p->places);
  p->idle_room = (size_t)width * WORKERS;
  p->idle = mem_calloc(p->idle_room, sizeof *p->idle);
  return p;
}

void pool_close(pool *p) {
  if (p == NULL) {
    return;
  }
  for (size_t i = 0; i < p->idle_count; i++) {
    process_free(p->idle[i]);
  }
  free(p->places);
  free(p->idle);
  free(p->fds);
  free(p);
}

void pool_set_deadline(pool *p, double moment) { p->deadline = moment; }

bool pool_is_late(const pool *p) { return p->deadline > 0 && clock_now() >= p->deadline; }

int pool_run(pool *p, const pool_source *source, unsigned width, bool *interrupted, error *e) {
  sigset_t blocked;
  (void)sigemptyset(&blocked);
  (void)sigaddset(&blocked, SIGCHLD);
  (void)sigaddset(&blocked, SIGINT);
  (void)sigaddset(&blocked, SIGTERM);
  (void)sigprocmask(SIG_BLOCK, &blocked, &p->before);
  p->source = source;
  p->width = width;
  p->signals = signalfd(-1, &blocked, SFD_CLOEXEC | SFD_NONBLOCK);
  int result = loop(p, e);
  kill_all(p);
  (void)close(p->signals);
  (void)sigprocmask(SIG_SETMASK, &p->before, NULL);
  *interrupted = p->interrupted;
  return result;
}
