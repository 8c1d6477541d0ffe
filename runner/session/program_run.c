/* Start, serve, wait. */
#include "runner/session/program_run.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/clock.h"
#include "base/memory.h"
#include "runner/server.h"

enum {
  COMMIT_SECONDS = 1,
  POLL_MS = 200,
  KILL_SECONDS = 5, /* a process that SIGKILL has not ended by then hangs in the kernel: we go on without it */
  SAY_SECONDS = 3   /* that we wait */
};

typedef struct watch {
  const program_options *options;
  session *session;
  server *server;
  db *db;
  pid_t child;
  int signals; /* signalfd */
  bool ended;
  int status;
  bool terminal;                     /* standard input is a terminal whose foreground we lent to the program */
  double started, killed, committed; /* times; 0: not yet */
  leftover_watch rest;               /* what it left running */
  bool said;                         /* that we wait for it */
  program_end *result;
  error commit_error;
  bool commit_failed;
} watch;

static int start(watch *w, const sigset_t *mask, error *e) {
  w->terminal = isatty(STDIN_FILENO) && tcgetpgrp(STDIN_FILENO) == getpgrp();
  if (child_start(&w->options->child, server_path(w->server), mask, w->terminal, &w->child, e) != 0) return -1;
  w->started = w->committed = clock_now();
  return 0;
}

/* --- waiting ----------------------------------------------------------------------------------------------------- */

static void take_terminal_back(watch *w) {
  if (w->terminal) {
    (void)signal(SIGTTOU, SIG_IGN);
    (void)tcsetpgrp(STDIN_FILENO, getpgrp());
    (void)signal(SIGTTOU, SIG_DFL);
    w->terminal = false;
  }
}

/* To the program and all of its group, wherever it is itself by now. */
static void send_signal(watch *w, int number) {
  (void)kill(-w->child, number);
  if (!w->ended) (void)kill(w->child, number);
  if (number == SIGKILL && w->killed <= 0) w->killed = clock_now();
}

/* Ctrl-Z stops the program, which has the terminal, and not us: then we stop, too, so that the shell is back, and go on
 * together. The time is not the program's. */
static void stop_together(watch *w) {
  if (!w->terminal) return;
  double stopped = clock_now();
  take_terminal_back(w);
  (void)kill(0, SIGTSTP);
  w->terminal = tcgetpgrp(STDIN_FILENO) == getpgrp();
  if (w->terminal) (void)tcsetpgrp(STDIN_FILENO, w->child);
  (void)kill(-w->child, SIGCONT);
  w->started += clock_now() - stopped;
}

static void on_child(watch *w) {
  int status = 0;
  if (w->ended || waitpid(w->child, &status, WNOHANG | WUNTRACED) != w->child) return;
  if (WIFSTOPPED(status)) {
    stop_together(w);
    return;
  }
  w->ended = true;
  w->rest.ended = w->rest.heard = clock_now();
  w->status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGINT) w->result->interrupted = true;
  take_terminal_back(w); /* what it left running is interrupted through us */
}

static void on_signals(watch *w) {
  struct signalfd_siginfo info;
  while (read(w->signals, &info, sizeof info) == (ssize_t)sizeof info) {
    if (info.ssi_signo == SIGINT || info.ssi_signo == SIGTERM) {
      send_signal(w, w->result->interrupted ? SIGKILL : (int)info.ssi_signo);
      send_signal(w, SIGCONT); /* one that was stopped hears it, too */
      w->result->interrupted = true;
    }
  }
  on_child(w);
}

static void commit_now_and_then(watch *w) {
  if (clock_now() - w->committed >= COMMIT_SECONDS && !w->commit_failed) {
    w->commit_failed = db_commit(w->db, &w->commit_error) != 0;
    w->committed = clock_now();
  }
}

static bool limit_is_over(const watch *w) {
  return w->options->timeout > 0 && clock_now() - w->started > w->options->timeout;
}

static void enforce_limit(watch *w) {
  if (!w->ended && w->killed <= 0 && limit_is_over(w)) {
    w->result->timed_out = true;
    send_signal(w, SIGKILL);
  }
}

static void say_waiting(const program_options *o, const leftover *process) {
  buffer text = {0};
  buffer_printf(&text,
                "%s has ended; waiting for process %d (%s), which it started and which uses OpenCL (Ctrl-C ends the "
                "wait, --timeout bounds it)",
                o->name, (int)process->pid, process->name);
  o->waiting(o->context, buffer_text(&text));
  buffer_free(&text);
}

/* Whether we wait for what the program has left running. */
static bool wait_on(watch *w) {
  const char *socket = server_path(w->server);
  const size_t connections = server_connections(w->server);
  if (w->result->interrupted || w->result->timed_out) return leftover_lingers(&w->rest, socket, connections);
  if (limit_is_over(w) || !leftover_awaited(&w->rest, socket, connections, w->options->timeout > 0)) return false;
  const bool uses = connections > 0 || w->rest.left.opencl;
  if (!w->said && uses && clock_now() - w->rest.ended > SAY_SECONDS && w->rest.left.pid != 0 &&
      w->options->waiting != NULL) {
    say_waiting(w->options, &w->rest.left);
    w->said = true;
  }
  return true;
}

/* The program has ended and so has everything that it started and that may still talk to us, or our patience has. */
static bool finished(watch *w) {
  if (!w->ended) {
    bool lost = w->killed > 0 && clock_now() - w->killed > KILL_SECONDS;
    w->status = lost ? 128 + SIGKILL : w->status;
    return lost;
  }
  return !wait_on(w);
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
    (void)poll(fds, (nfds_t)count + 1, last_round ? 0 : POLL_MS);
    const size_t connections = server_connections(w->server);
    server_serve(w->server, fds + 1, count);
    last_round = last_round && server_connections(w->server) <= connections; /* who came last has yet to be heard */
    on_signals(w);
    enforce_limit(w);
    commit_now_and_then(w);
  }
  w->result->leftover = w->rest.left.opencl || server_connections(w->server) > 0 ? w->rest.left : (leftover){0};
  free(fds);
}

static int run(watch *w, const sigset_t *mask, error *e) {
  if (start(w, mask, e) != 0) return -1;
  wait_for_end(w);
  take_terminal_back(w);
  w->result->status = w->status;
  const error *failure = server_error(w->server);
  if (failure == NULL && w->commit_failed) failure = &w->commit_error;
  if (failure != NULL) {
    *e = *failure;
    return -1;
  }
  return 0;
}

/* --- the session as the server's handler --- */

static int on_message(void *context, void *client, uint32_t type, const void *payload, size_t length, buffer *answer,
                      error *e) {
  watch *w = context;
  session_client *c = client;
  w->rest.heard = clock_now();
  c->form = w->options->form;
  c->repeats = w->options->repeats;
  return session_message(w->session, c, type, payload, length, answer, e);
}

static void on_gone(void *context, void *client) { session_client_gone(((watch *)context)->session, client); }

int program_run(session *s, db *d, const program_options *options, program_end *out, error *e) {
  *out = (program_end){0};
  watch w = {.options = options, .db = d, .result = out, .signals = -1};
  w.session = s;
  const server_handler handler = {&w, sizeof(session_client), on_message, on_gone};
  if (server_open(&w.server, &handler, e) != 0) return -1;
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
  out->launches = server_launches(w.server);
  if (out->status > 128) out->launched = server_last_launch(w.server, out->last_launch, sizeof out->last_launch);
  server_close(w.server);
  return result;
}
