/* Start, serve, wait; crashes, and who is suspected of them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/memory.h"
#include "runner/isolate.h"
#include "runner/session/internal.h"

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
  interrupts signals;
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

static bool limit_is_over(const watch *w) {
  return w->options->timeout > 0 && clock_now() - w->started > w->options->timeout;
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
    scoped_buffer text = buffer_with(
        "%s has ended; waiting for process %d (%s), which it started and which uses OpenCL (Ctrl-C ends the "
        "wait, --timeout bounds it)",
        w->options->name, (int)w->rest.left.pid, w->rest.left.name);
    w->options->waiting(w->options->context, buffer_text(&text));
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

static void on_signals(watch *w) {
  for (int number = 0; (number = interrupts_next(&w->signals)) != 0;) {
    if (number != SIGCHLD) {
      send_signal(w, w->result->interrupted ? SIGKILL : number);
      send_signal(w, SIGCONT); /* one that was stopped hears it, too */
      w->result->interrupted = true;
    }
  }
}

static int run(watch *w, error *e) {
  w->terminal = isatty(STDIN_FILENO) && tcgetpgrp(STDIN_FILENO) == getpgrp();
  if (child_start(&w->options->child, server_path(w->server), &w->signals.before, w->terminal, &w->child, e) != 0)
    return -1;
  w->started = w->committed = clock_now();
  struct pollfd *fds = NULL;
  size_t capacity = 0;
  bool last_round = false;
  while (!last_round) {
    last_round = finished(w);
    size_t needed = server_descriptors(w->server, NULL, 0) + 1;
    fds = mem_grow(fds, &capacity, needed, sizeof *fds);
    size_t count = server_descriptors(w->server, fds + 1, needed - 1);
    fds[0] = (struct pollfd){.fd = w->signals.signals, .events = POLLIN};
    (void)poll(fds, (nfds_t)count + 1, last_round ? 0 : POLL_MS);
    const size_t connections = server_connections(w->server);
    server_serve(w->server, fds + 1, count);
    last_round = last_round && server_connections(w->server) <= connections; /* who came last has yet to be heard */
    on_signals(w);
    on_child(w);
    if (!w->ended && w->killed <= 0 && limit_is_over(w)) {
      w->result->timed_out = true;
      send_signal(w, SIGKILL);
    }
    if (clock_now() - w->committed >= COMMIT_SECONDS && !w->commit_failed) {
      w->commit_failed = db_commit(w->db, &w->commit_error) != 0;
      w->committed = clock_now();
    }
  }
  w->result->leftover = w->rest.left.opencl || server_connections(w->server) > 0 ? w->rest.left : (leftover){0};
  free(fds);
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
  watch w = {.options = options, .session = s, .db = d, .result = out};
  const server_handler handler = {&w, sizeof(session_client), on_message, on_gone};
  if (server_open(&w.server, &handler, e) != 0) return -1;
  interrupts_begin(&w.signals, true);
  const int result = run(&w, e);
  interrupts_end(&w.signals);
  out->launches = server_launches(w.server);
  if (out->status > 128) out->launched = server_last_launch(w.server, out->last_launch, sizeof out->last_launch);
  server_close(w.server);
  return result;
}

/* Crashes: a device's compiler, or the device, may die of instrumented source and take the user's process with it.
 * Nothing in that process can prevent it, so the session remembers what each process has in hand, and when one is gone
 * without goodbye the test case runs once more with those programs untouched. */

/* Under which name a crash of a kernel, or of a program (""), is remembered; to be freed. */
static char *fact_of(const session *s, const char *kernel) {
  return mem_printf("crash %sof%s%s%s version " CLTC_VERSION, s->options.kernels == KERNEL_GATED ? "when gated " : "",
                    kernel[0] == '\0' ? "" : " kernel ", kernel, kernel[0] == '\0' ? "" : " in");
}

static const char crashed_reason[] =
    "the device's compiler, or the device, crashed on the instrumented source; untouched it ends otherwise";
static const char gated_reason[] =
    "the device's compiler, or the device, crashed on or hung in the gated source; untouched it ends otherwise";

static bool same(const session_pending *a, uint32_t program, uint32_t kernel) {
  return a->program == program && a->kernel == kernel;
}

void client_takes(session_client *c, uint32_t program, uint32_t kernel) {
  for (size_t i = 0; i < c->pending_count; i++)
    if (same(&c->pending[i], program, kernel)) return;
  *ARRAY_ADD(c->pending, c->pending_count, c->pending_capacity) = (session_pending){program, kernel};
}

void client_leaves(session_client *c, uint32_t program, uint32_t kernel) {
  for (size_t i = 0; i < c->pending_count; i++) {
    if (same(&c->pending[i], program, kernel)) {
      c->pending[i] = c->pending[--c->pending_count];
      break;
    }
  }
  if (c->pending_count == 0) {
    free(c->pending);
    c->pending = NULL;
    c->pending_capacity = 0;
  }
}

void session_client_gone(session *s, session_client *c) {
  for (size_t i = 0; i < c->pending_count && !c->ended; i++) {
    session_program *p = &s->programs[c->pending[i].program];
    const uint32_t kernel = c->pending[i].kernel;
    p->suspected = true;
    if (kernel == MODEL_NONE || s->options.kernels == KERNEL_GATED) /* whose launches are ordered together */
      p->suspected_whole = true;
    else
      p->kernels[kernel].suspected = true;
  }
  leaks_client_gone(s, c);
  unawaited_client_gone(s, c);
  free(c->pending);
  free(c->named);
  *c = (session_client){0};
}

char *session_suspect(const session *s) {
  EACH(const session_program, p, s->programs, s->program_count) {
    if (p->suspected) {
      buffer text = {0};
      for (size_t k = 0; k < p->result.model.kernel_count; k++)
        if (p->kernels[k].suspected)
          buffer_printf(&text, "%s %s", text.length == 0 ? "kernel" : ",", p->result.model.kernels[k].name);
      buffer_puts(&text, text.length == 0 ? "" : " of ");
      buffer_puts(&text, p->name);
      return buffer_take(&text);
    }
  }
  return NULL;
}

void session_clear(session_program *p) {
  p->suspected = p->suspected_whole = false;
  for (size_t k = 0; p->kernels != NULL && k < p->result.model.kernel_count; k++) p->kernels[k].suspected = false;
}

void session_hold_back(session *s) {
  for (size_t i = 0; i < s->program_count; i++) s->programs[i].held = s->programs[i].suspected;
}

static int remember(session *s, const session_program *p, const char *kernel, error *e) {
  scoped char *fact = fact_of(s, kernel);
  return db_put_fact(s->db, fact, p->key, true, e);
}

static int skip_kernel(session *s, session_program *p, size_t kernel, const char *reason, error *e) {
  const char *name = p->result.model.kernels[kernel].name;
  scoped_buffer what = buffer_with("kernel %s of %s", name, p->name);
  p->kernels[kernel].left = true;
  return session_skip(s, buffer_text(&what), reason, e);
}

/* The kernels that are suspected, or, where the build is, all. */
static int leave_untouched(session *s, session_program *p, error *e) {
  for (size_t k = 0; k < p->result.model.kernel_count && !p->suspected_whole; k++)
    if (p->kernels[k].suspected &&
        (remember(s, p, p->result.model.kernels[k].name, e) != 0 || skip_kernel(s, p, k, crashed_reason, e) != 0))
      return -1;
  if (!p->suspected_whole) return 0;
  s->summary.programs -= p->built && !p->launched ? 1 : 0;
  p->built = false;
  p->reason = mem_strdup(s->options.kernels == KERNEL_GATED ? gated_reason : crashed_reason);
  if (remember(s, p, "", e) != 0 || db_drop_program(s->db, s->run, p->stored.id, e) != 0) return -1;
  return session_skip(s, p->name, p->reason, e);
}

int session_judge(session *s, bool guilty, error *e) {
  int result = 0;
  for (size_t i = 0; i < s->program_count; i++) {
    session_program *p = &s->programs[i];
    if (guilty && p->held && result == 0) result = leave_untouched(s, p, e);
    session_clear(p);
    p->held = false;
  }
  return result;
}

int session_drop_left(session *s, error *e) {
  int result = 0;
  for (size_t i = 0; i < s->program_count && result == 0; i++) {
    const session_program *p = &s->programs[i];
    bool left = false;
    for (size_t k = 0; p->kernels != NULL && k < p->result.model.kernel_count; k++) left = left || p->kernels[k].left;
    result = left && !p->launched && !s->options.aside ? db_drop_program(s->db, s->run, p->stored.id, e) : 0;
  }
  return result;
}

static bool recalls(session *s, const char *key, const char *kernel) {
  int value = -1;
  error ignored;
  scoped char *fact = fact_of(s, kernel);
  return db_get_fact(s->db, fact, key, &value, &ignored) == 0 && value == 1;
}

static const char recalled[] =
    "the device's compiler, or the device, crashed on the instrumented source in an earlier run";

char *recall_crash(session *s, const program_request *r) {
  return recalls(s, r->key, "") ? mem_strdup(recalled) : NULL;
}

int recall_crashes(session *s, session_program *p, error *e) {
  int result = 0;
  for (size_t k = 0; k < p->result.model.kernel_count && result == 0; k++)
    result = recalls(s, p->key, p->result.model.kernels[k].name) ? skip_kernel(s, p, k, recalled, e) : 0;
  return result;
}
