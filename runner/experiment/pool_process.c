/* Starting, serving and ending one process group. */
#include "runner/experiment/pool_process.h"

#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/memory.h"
#include "wire/fields.h"
#include "wire/protocol.h"

enum { DRAIN_MS = 200, KILL_MS = 1000, SILENT_SECONDS = 5 };

/* --- messages ----------------------------------------------------------------------------------------------------- */

static void give_turn(process *p) {
  buffer answer = {0};
  p->job->turn(p->job, &answer);
  p->begun = true;
  server_answer(p->server, p->asking, &answer);
  buffer_free(&answer);
  p->asking = NULL;
}

/* A worker has done its turn, or has started. */
static int on_next(process *p, void *client, wire_reader *in, error *e) {
  (void)wire_u32(in); /* turns so far */
  uint32_t flags = wire_u32(in);
  uint64_t first = wire_u64(in);
  if (in->failed || p->worker == 0 || p->job == NULL) {
    return error_set(e, EXIT_INTERNAL, "the layer sent a malformed message");
  }
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
  p->ended = true;
  return 0;
}

static int on_message(void *context, void *client, uint32_t type, const void *payload, size_t length, buffer *answer,
                      error *e) {
  process *p = context;
  p->rest.heard = clock_now();
  if (type == MESSAGE_NEXT) {
    wire_reader in = {.at = payload, .left = length};
    return on_next(p, client, &in, e);
  }
  if (p->job == NULL) {
    return 0; /* of an idle worker's end */
  }
  return p->job->handler.message(p->job->handler.context, client, type, payload, length, answer, e);
}

static void on_gone(void *context, void *client) {
  process *p = context;
  p->asking = p->asking == client ? NULL : p->asking;
  if (p->job != NULL) {
    p->job->handler.gone(p->job->handler.context, client);
  }
}

/* --- beginning and end -------------------------------------------------------------------------------------------- */

static int open_streams(process *p, error *e) {
  p->streams[0] = open("/dev/null", O_RDONLY | O_CLOEXEC);
  p->streams[1] = memfd_create("output", MFD_CLOEXEC);
  p->streams[2] = memfd_create("errors", MFD_CLOEXEC);
  for (int i = 0; i < 3; i++) {
    if (p->streams[i] < 0) {
      return error_set(e, EXIT_INTERNAL, "no file for a program's output could be made");
    }
    p->job->child.streams[i] = p->streams[i];
  }
  p->job->child.own_streams = true;
  return 0;
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
  job->output = p->streams[1];
  job->errors = p->streams[2];
}

int process_start(process **out, pool_job *job, const sigset_t *mask, error *e) {
  process *p = mem_calloc(1, sizeof *p);
  *p = (process){.job = job, .worker = job->worker, .child = -1, .gone = true, .streams = {-1, -1, -1}};
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

void process_turn(process *p, pool_job *job) {
  begin_job(p, job);
  give_turn(p);
}

void process_ended(process *p, int status) {
  p->gone = true;
  if (p->job == NULL || p->ended) {
    return;
  }
  p->job->status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  if (p->job->status > 128) {
    server_last_launch(p->server, p->job->last_launch, sizeof p->job->last_launch);
  }
  p->rest = (leftover_watch){.ended = clock_now(), .heard = clock_now(), .patience = SILENT_SECONDS};
  process_look(p);
}

void process_look(process *p) {
  pool_job *job = p->job;
  if (!p->gone || p->ended || job == NULL) {
    return;
  }
  const bool waits = p->lingers && job->status < 128 && !job->timed_out && !job->stopped;
  p->ended =
      !waits || !leftover_awaited(&p->rest, server_path(p->server), server_connections(p->server), job->limit > 0);
  if (p->ended) {
    job->seconds = clock_now() - p->started;
    job->left_running = p->rest.talked;
  }
}

void process_drain(process *p) {
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

void process_kill(const process *p) {
  if (p->child > 0) {
    (void)kill(-p->child, SIGKILL); /* also what it left behind */
    if (!p->gone) {
      (void)kill(p->child, SIGKILL); /* it may have left its group */
    }
  }
  if (p->lingers && p->child > 0) {
    kill_leftovers(p);
  }
}

void process_free(process *p) {
  process_kill(p);
  if (!p->gone) {
    (void)waitpid(p->child, NULL, 0);
  }
  server_close(p->server);
  for (int i = 0; i < 3; i++) {
    if (p->streams[i] >= 0) {
      (void)close(p->streams[i]);
    }
  }
  free(p);
}
