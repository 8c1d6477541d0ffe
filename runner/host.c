/* Start, serve, wait. */
#include "runner/host.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/memory.h"
#include "runner/server.h"

enum { GRACE_SECONDS = 5, COMMIT_SECONDS = 1 };

typedef struct watch {
  const host_options *options;
  session *session;
  server *server;
  db *db;
  pid_t child;
  int signals; /* signalfd */
  bool ended;
  int status;
  bool terminal; /* standard input is a terminal whose foreground we lent to the program */
  double started, ended_at, committed;
  host_result *result;
  error commit_error;
  bool commit_failed;
} watch;

static int start(watch *w, const sigset_t *mask, error *e) {
  w->terminal = isatty(STDIN_FILENO) && tcgetpgrp(STDIN_FILENO) == getpgrp();
  if (child_start(&w->options->child, server_path(w->server), mask, w->terminal, &w->child, e) != 0) {
    return -1;
  }
  w->started = w->committed = clock_now();
  return 0;
}

/* --- waiting
 * ------------------------------------------------------------------------------------------------------------ */

static void on_signals(watch *w) {
  struct signalfd_siginfo info;
  bool child = false;
  while (read(w->signals, &info, sizeof info) == (ssize_t)sizeof info) {
    child = child || info.ssi_signo == SIGCHLD;
    if (info.ssi_signo == SIGINT || info.ssi_signo == SIGTERM) {
      (void)kill(-w->child, w->result->interrupted ? SIGKILL : (int)info.ssi_signo);
      w->result->interrupted = true;
    }
  }
  int status = 0;
  if (child && !w->ended && waitpid(w->child, &status, WNOHANG) == w->child) {
    w->ended = true;
    w->ended_at = clock_now();
    w->status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGINT) {
      w->result->interrupted = true;
    }
  }
}

static void commit_now_and_then(watch *w) {
  if (clock_now() - w->committed >= COMMIT_SECONDS && !w->commit_failed) {
    w->commit_failed = db_commit(w->db, &w->commit_error) != 0;
    w->committed = clock_now();
  }
}

static void enforce_limit(watch *w) {
  if (!w->ended && w->options->timeout > 0 && clock_now() - w->started > w->options->timeout) {
    w->result->timed_out = true;
    (void)kill(-w->child, SIGKILL);
  }
}

/* The program has ended and so has everything that it started and that still talks to us, or our patience has. */
static bool finished(watch *w) {
  if (!w->ended) {
    return false;
  }
  w->result->still_running = server_connections(w->server) > 0;
  return !w->result->still_running || clock_now() - w->ended_at > GRACE_SECONDS;
}

static void wait_for_end(watch *w) {
  struct pollfd *fds = NULL;
  size_t capacity = 0;
  bool last_round = false;
  while (!last_round) {
    last_round = finished(w);
    size_t needed = server_descriptors(w->server, NULL, 0) + 1;
    fds = mem_grow(fds, &capacity, needed, sizeof *fds);
    size_t count = server_descriptors(w->server, fds + 1, needed - 1);
    fds[0] = (struct pollfd){.fd = w->signals, .events = POLLIN};
    if (poll(fds, (nfds_t)count + 1, last_round ? 0 : 200) > 0) {
      last_round = false;
    }
    server_serve(w->server, fds + 1, count);
    on_signals(w);
    enforce_limit(w);
    commit_now_and_then(w);
  }
  free(fds);
}

static void take_terminal_back(const watch *w) {
  if (w->terminal) {
    (void)signal(SIGTTOU, SIG_IGN);
    (void)tcsetpgrp(STDIN_FILENO, getpgrp());
    (void)signal(SIGTTOU, SIG_DFL);
  }
}

static int run(watch *w, const sigset_t *mask, error *e) {
  if (start(w, mask, e) != 0) {
    return -1;
  }
  wait_for_end(w);
  take_terminal_back(w);
  w->result->status = w->status;
  const error *failure = server_error(w->server);
  if (failure == NULL && w->commit_failed) {
    failure = &w->commit_error;
  }
  if (failure != NULL) {
    *e = *failure;
    return -1;
  }
  return 0;
}

/* --- the session as the server's handler --- */

static int on_message(void *context, void *client, uint32_t type, const void *payload, size_t length, buffer *answer,
                      error *e) {
  const watch *w = context;
  session_client *c = client;
  c->form = w->options->form;
  return session_message(w->session, c, type, payload, length, answer, e);
}

static void on_gone(void *context, void *client) { session_client_gone(((watch *)context)->session, client); }

int host_run(session *s, db *d, const host_options *options, host_result *out, error *e) {
  *out = (host_result){0};
  watch w = {.options = options, .db = d, .result = out, .signals = -1};
  w.session = s;
  const server_handler handler = {&w, sizeof(session_client), on_message, on_gone};
  if (server_open(&w.server, &handler, e) != 0) {
    return -1;
  }
  sigset_t blocked;
  sigset_t before;
  (void)sigemptyset(&blocked);
  (void)sigaddset(&blocked, SIGCHLD);
  (void)sigaddset(&blocked, SIGINT);
  (void)sigaddset(&blocked, SIGTERM);
  (void)sigprocmask(SIG_BLOCK, &blocked, &before);
  w.signals = signalfd(-1, &blocked, SFD_CLOEXEC | SFD_NONBLOCK);
  int result = run(&w, &before, e);
  (void)close(w.signals);
  (void)sigprocmask(SIG_SETMASK, &before, NULL);
  server_close(w.server);
  return result;
}
