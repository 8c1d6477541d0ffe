/* The pool of jobs: one poll loop over the sockets of all running jobs and our signals, and their process groups. */
#include "runner/experiment/pool.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/memory.h"
#include "runner/isolate.h"
#include "wire/fields.h"
#include "wire/protocol.h"

/* Starting, serving and ending one process group. */

enum { DRAIN_MS = 200, KILL_MS = 1000, SILENT_SECONDS = 5 };

/* --- messages ----------------------------------------------------------------------------------------------------- */

static void give_turn(process *p) {
  scoped_buffer answer = {0};
  p->job->turn(p->job, &answer);
  p->begun = true;
  server_answer(p->server, p->asking, &answer);
  p->asking = NULL;
}

/* A worker has done its turn, or has started. */
static int on_next(process *p, void *client, wire_reader *in, error *e) {
  (void)wire_u32(in); /* turns so far */
  uint32_t flags = wire_u32(in);
  uint64_t first = wire_u64(in);
  if (in->failed || p->worker == 0 || p->job == NULL)
    return error_set(e, EXIT_INTERNAL, "the layer sent a malformed message");
  p->asking = client;
  if (!p->begun) {
    give_turn(p);
    return 0;
  }
  p->spoiled = p->spoiled || (flags & TURN_SPOILED) != 0;
  p->job->escaped = (flags & TURN_ESCAPED) != 0;
  p->job->replayed = (flags & TURN_FAULTED) == 0;
  p->job->status = p->job->replayed ? 0 : 128 + SIGSEGV; /* as the program would have ended */
  p->job->incomplete = (flags & TURN_COMPLETE) == 0;
  p->job->first_read = first;
  p->job->seconds = clock_now() - p->started;
  p->worked += p->job->seconds;
  p->ended = true;
  return 0;
}

static int on_message(void *context, void *client, uint32_t type, const void *payload, size_t length, buffer *answer,
                      error *e) {
  process *p = context;
  p->rest.heard = clock_now();
  if (p->worked == 0 && (type == MESSAGE_INSTRUMENT || (type == MESSAGE_NEXT && !p->begun)))
    p->building = p->rest.heard - p->started;
  if (type == MESSAGE_NEXT) {
    wire_reader in = {.at = payload, .left = length};
    return on_next(p, client, &in, e);
  }
  if (p->job == NULL) return 0; /* of an idle worker's end */
  return p->job->handler.message(p->job->handler.context, client, type, payload, length, answer, e);
}

static void on_gone(void *context, void *client) {
  process *p = context;
  p->asking = p->asking == client ? NULL : p->asking;
  if (p->job != NULL) p->job->handler.gone(p->job->handler.context, client);
}

/* --- beginning and end -------------------------------------------------------------------------------------------- */

static int open_streams(process *p, error *e) {
  child_options *child = &p->job->child;
  child->unwatched = true;
  child->output = p->output = memfd_create("output", MFD_CLOEXEC);
  child->errors = p->errors = memfd_create("errors", MFD_CLOEXEC);
  return p->output >= 0 && p->errors >= 0 ? 0
                                          : error_set(e, EXIT_INTERNAL, "no file for a program's output could be made");
}

static void begin_job(process *p, pool_job *job) {
  p->job = job;
  p->variant = job->variant;
  p->lingers = job->lingers && p->worker == 0;
  p->begun = p->ended = false;
  p->started = clock_now();
  job->status = 0;
  job->timed_out = job->stopped = job->replayed = job->escaped = job->incomplete = job->left_running = false;
  job->first_read = 0;
  job->last_launch[0] = '\0';
  job->output = p->output;
  job->errors = p->errors;
}

/* Kills what is left of it, waits for it and frees it. */
static void process_free(process *p);

/* Has a look, where the child has ended, at what it left running: without it the job has ended, too. */
static void process_look(process *p);

/* Starts the job's program; -1 with `e` set when that is not possible. `mask`: the signal mask that it gets. */
static int process_start(process **out, pool_job *job, const sigset_t *mask, error *e) {
  process *p = mem_calloc(1, sizeof *p);
  *p = (process){.job = job, .worker = job->worker, .child = -1, .gone = true, .output = -1, .errors = -1};
  const server_handler handler = {p, job->handler.client_size, on_message, on_gone};
  if (server_open(&p->server, &handler, e) != 0 || open_streams(p, e) != 0 ||
      child_start(&job->child, server_path(p->server), mask, false, &p->child, e) != 0) {
    p->job = NULL;
    process_free(p);
    return -1;
  }
  p->gone = false;
  begin_job(p, job);
  *out = p;
  return 0;
}

/* Gives an idle worker its next turn. */
static void process_turn(process *p, pool_job *job) {
  begin_job(p, job);
  give_turn(p);
}

/* The child ended with this status of waitpid. */
static void process_ended(process *p, int status) {
  p->gone = true;
  if (p->job == NULL || p->ended) return;
  p->job->status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  if (p->job->status > 128) server_last_launch(p->server, p->job->last_launch, sizeof p->job->last_launch);
  p->rest = (leftover_watch){.ended = clock_now(), .heard = clock_now(), .patience = SILENT_SECONDS};
  process_look(p);
}

static void process_look(process *p) {
  pool_job *job = p->job;
  if (!p->gone || p->ended || job == NULL) return;
  const bool waits = p->lingers && job->status < 128 && !job->timed_out && !job->stopped;
  p->ended =
      !waits || !leftover_awaited(&p->rest, server_path(p->server), server_connections(p->server), job->limit > 0);
  if (p->ended) {
    job->seconds = clock_now() - p->started;
    job->left_running = p->rest.talked;
  }
}

/* What the program's processes sent before they ended is still in the sockets. */
static void process_drain(process *p) {
  double deadline = clock_now() + DRAIN_MS * 1e-3;
  struct pollfd fds[64];
  const size_t room = sizeof fds / sizeof fds[0];
  while (server_connections(p->server) > 0 && clock_now() < deadline) {
    size_t count = server_descriptors(p->server, fds, room);
    count = count < room ? count : room;
    (void)poll(fds, (nfds_t)count, 10);
    server_serve(p->server, fds, count);
  }
}

/* A daemon is in no group of ours. What has no OpenCL is no business of ours. */
static void kill_leftovers(const process *p) {
  const double deadline = clock_now() + KILL_MS * 1e-3;
  leftover left = leftover_find(server_path(p->server));
  while (left.opencl && clock_now() < deadline) {
    (void)kill(left.pid, SIGKILL);
    left = leftover_find(server_path(p->server));
  }
}

static void process_kill(const process *p) {
  if (p->child > 0) {
    (void)kill(-p->child, SIGKILL);              /* also what it left behind */
    if (!p->gone) (void)kill(p->child, SIGKILL); /* it may have left its group */
  }
  if (p->lingers && p->child > 0) kill_leftovers(p);
}

static void process_free(process *p) {
  process_kill(p);
  if (!p->gone) (void)waitpid(p->child, NULL, 0);
  server_close(p->server);
  if (p->output >= 0) (void)close(p->output);
  if (p->errors >= 0) (void)close(p->errors);
  free(p);
}

enum {
  TICK_MS = 500,
  POLL_MS = 50,
  WORKERS = 4 /* that may be idle, for each job at a time */
};

#define BUILD_SECONDS 0.5 /* a build may take before a worker is heard of again */

struct pool {
  const pool_source *source; /* of the run */
  process **places;          /* NULL: free */
  unsigned width, active;
  process **idle; /* workers */
  size_t idle_count, idle_room;
  pool_job *waiting; /* for a worker that is there */
  interrupts signals;
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
      if (!found->spoiled || found->variant == job->variant) return found;
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
    for (unsigned i = 0; i < p->width; i++) jobs += p->places[i] != NULL && p->places[i]->device == d;
    if (jobs < fewest) {
      best = d;
      fewest = jobs;
    }
  }
  return best;
}

/* A second worker builds all programs again, so it is worth its start when the first has worked for longer than that. */
static bool waits(const pool *p, const pool_job *job, size_t on) {
  for (unsigned i = 0; i < p->width; i++) {
    const process *r = p->places[i];
    if (job->worker != 0 && r != NULL && r->worker == job->worker && r->device == on) {
      const double least = r->worked == 0 && r->building < BUILD_SECONDS ? BUILD_SECONDS : r->building;
      if (r->worked + clock_now() - r->started < 2 * least) return true;
    }
  }
  return false;
}

/* `*place` stays free while the job waits. */
static int start(pool *p, process **place, pool_job *job, error *e) {
  const size_t on = free_device(p);
  process *worker = take_idle(p, job, on);
  if (worker == NULL && p->waiting == NULL && waits(p, job, on)) {
    p->waiting = job;
    return 0;
  }
  job->child.on.device = p->device_count > 0 ? p->devices[on] : job->child.on.device;
  if (worker != NULL) {
    *place = worker;
    process_turn(worker, job);
  } else if (process_start(place, job, &p->signals.before, e) != 0) {
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
      pool_job *job = p->waiting != NULL ? p->waiting : p->source->next(p->source->context);
      p->waiting = NULL;
      if (job == NULL) return 0;
      if (start(p, &p->places[i], job, e) != 0) return -1;
      if (p->waiting != NULL) return 0;
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
  if (gone->asking != NULL && !gone->gone)
    put_idle(p, gone);
  else
    process_free(gone);
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
  if (failure == NULL && killed_by_others(r->job)) return repeat(p, place, e);
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
    if (p->places[i] != NULL) process_look(p->places[i]);
    if (p->places[i] != NULL && p->places[i]->ended) {
      if (finish(p, &p->places[i], e) != 0) return -1;
      p->source->tick(p->source->context);
    }
  }
  return 0;
}

/* --- the loop ----------------------------------------------------------------------------------------------------- */

static void on_signals(pool *p) {
  bool children = false;
  for (int number = 0; (number = interrupts_next(&p->signals)) != 0;) {
    p->interrupted = p->interrupted || number != SIGCHLD;
    children = children || number == SIGCHLD;
  }
  for (unsigned i = 0; i < p->width && children; i++) {
    process *r = p->places[i];
    int status = 0;
    if (r != NULL && !r->gone && waitpid(r->child, &status, WNOHANG) == r->child) process_ended(r, status);
  }
  if (children) reap_idle(p);
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
  for (unsigned i = 0; i < p->width; i++)
    count += p->places[i] == NULL ? 0 : server_descriptors(p->places[i]->server, NULL, 0);
  p->fds = mem_grow(p->fds, &p->fd_capacity, count, sizeof *p->fds);
  p->fds[0] = (struct pollfd){.fd = p->signals.signals, .events = POLLIN};
  size_t at = 1;
  for (unsigned i = 0; i < p->width; i++)
    at += p->places[i] == NULL ? 0 : server_descriptors(p->places[i]->server, p->fds + at, count - at);
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
  if (signalled) on_signals(p);
}

static int enforce_limits(pool *p) {
  double soonest = POLL_MS * 1e-3;
  const double rest = p->deadline - clock_now();
  soonest = p->deadline > 0 && rest < soonest ? (rest > 0 ? rest : 0) : soonest;
  for (unsigned i = 0; i < p->width; i++) {
    process *r = p->places[i];
    if (r == NULL || r->job->limit <= 0 || r->ended) continue;
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
    if (start_more(p, e) != 0) return -1;
    if (p->active == 0) return 0;
    poll_once(p, enforce_limits(p));
    if (!p->interrupted && finish_ended(p, e) != 0) return -1;
    if (clock_now() - ticked > TICK_MS * 1e-3) {
      p->source->tick(p->source->context);
      ticked = clock_now();
    }
  }
  return 0;
}

static void kill_all(pool *p) {
  if (p->waiting != NULL) {
    p->source->released(p->source->context, p->waiting);
    p->waiting = NULL;
  }
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
  if (p == NULL) return;
  for (size_t i = 0; i < p->idle_count; i++) process_free(p->idle[i]);
  free(p->places);
  free(p->idle);
  free(p->fds);
  free(p);
}

void pool_set_deadline(pool *p, double moment) { p->deadline = moment; }

bool pool_is_late(const pool *p) { return p->deadline > 0 && clock_now() >= p->deadline; }

int pool_run(pool *p, const pool_source *source, unsigned width, bool *interrupted, error *e) {
  p->source = source;
  p->width = width;
  interrupts_begin(&p->signals, true);
  int result = loop(p, e);
  kill_all(p);
  interrupts_end(&p->signals);
  *interrupted = p->interrupted;
  return result;
}
