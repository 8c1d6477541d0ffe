/* Starts the engine in a process group, gives it the request as a file, and cuts what it writes into lines. */
#include "proofs/client/engine.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/clock.h"
#include "base/digest.h"
#include "base/memory.h"
#include "base/subprocess.h"
#include "runner/paths.h"

enum { LINE_MOST = 64 << 20, LOOK_MS = 200 };

/* --- where it is -------------------------------------------------------------------------------------------------- */

static bool has_clang(void) {
  const char *const argv[] = {"clang-19", "--version", NULL};
  buffer ignored = {0};
  const int status = subprocess_ask(argv, &ignored);
  buffer_free(&ignored);
  return status == 0;
}

char *engine_find(error *e) {
  char *program = own_path("cltestcheck-verify");
  if (program == NULL) {
    (void)error_set(e, EXIT_USAGE, ENGINE_MISSING);
  } else if (!has_clang()) {
    free(program);
    program = NULL;
    (void)error_set(e, EXIT_USAGE, CLANG_MISSING);
  }
  return program;
}

void engine_digest(const char *program, char out[65]) {
  digester d;
  char part[1 << 16];
  size_t n = 0;
  FILE *f = fopen(program, "rbe");
  digest_begin(&d);
  while (f != NULL && (n = fread(part, 1, sizeof part, f)) > 0) digest_bytes(&d, part, n);
  digest_end(&d, out);
  if (f != NULL) (void)fclose(f);
}

/* --- the process -------------------------------------------------------------------------------------------------- */

typedef struct engine {
  pid_t process;
  int out;
  buffer text; /* what came and is no whole line yet */
} engine;

/* The request as a file that can be read from its beginning; -1: no. */
static int request_file(const char *request, size_t length) {
  const int file = memfd_create("cltestcheck-request", MFD_CLOEXEC);
  if (file >= 0 && (!subprocess_write(file, request, length) || lseek(file, 0, SEEK_SET) != 0)) {
    (void)close(file);
    return -1;
  }
  return file;
}

/* In the new process. */
static void become(const char *program, int in, int out, const interrupts *signals) {
  (void)setpgid(0, 0);
  interrupts_forget(signals);
  if (dup2(in, STDIN_FILENO) >= 0 && dup2(out, STDOUT_FILENO) >= 0) {
    char *const argv[] = {(char *)program, NULL};
    (void)execv(program, argv);
  }
  _exit(SUBPROCESS_NO_PROGRAM);
}

static int start(engine *g, const char *program, const char *request, size_t length, const interrupts *signals,
                 error *e) {
  int ends[2];
  const int in = request_file(request, length);
  if (in < 0 || pipe2(ends, O_CLOEXEC) != 0) {
    const int reason = errno;
    (void)(in < 0 ? 0 : close(in));
    return error_set(e, EXIT_INTERNAL, "the proof engine could not be given its request: %s", strerror(reason));
  }
  g->process = subprocess_fork(false);
  if (g->process == 0) become(program, in, ends[1], signals);
  const int reason = errno;
  (void)close(in);
  (void)close(ends[1]);
  g->out = ends[0];
  if (g->process < 0) {
    (void)close(g->out);
    return error_set(e, EXIT_INTERNAL, "the proof engine could not be started: %s", strerror(reason));
  }
  (void)setpgid(g->process, g->process);
  return 0;
}

/* Hands on the lines that are whole; the last one may lack its end. */
static int hand_on(engine *g, const engine_listener *listener, bool last, error *e) {
  size_t at = 0;
  int result = 0;
  while (result == 0 && at < g->text.length) {
    const char *line = g->text.data + at;
    const char *end = memchr(line, '\n', g->text.length - at);
    if (end == NULL && !last) break;
    const size_t length = end == NULL ? g->text.length - at : (size_t)(end - line);
    result = length == 0 ? 0 : listener->line(listener->context, line, length, e);
    at += length + 1;
  }
  at = at > g->text.length ? g->text.length : at;
  if (at > 0) {
    memmove(g->text.data, g->text.data + at, g->text.length - at + 1);
    g->text.length -= at;
  }
  return result;
}

/* Reads until the engine closes its output (0), `end` says that it was stopped (0), or something fails (-1). */
static int listen_to(engine *g, double patience, const interrupts *signals, const engine_listener *listener,
                     engine_end *end, error *e) {
  double heard = clock_now();
  for (;;) {
    struct pollfd p[2] = {{.fd = g->out, .events = POLLIN}, {.fd = signals->signals, .events = POLLIN}};
    (void)poll(p, 2, LOOK_MS);
    end->interrupted = interrupts_came(signals);
    end->silent = clock_now() - heard > patience;
    if (end->interrupted || end->silent) return 0;
    if ((p[0].revents & (POLLIN | POLLHUP)) == 0) continue;
    char chunk[1 << 16];
    const ssize_t n = read(g->out, chunk, sizeof chunk);
    if (n == 0 || (n < 0 && errno != EINTR)) return hand_on(g, listener, true, e);
    if (n > 0) {
      heard = clock_now();
      buffer_append(&g->text, chunk, (size_t)n);
      if (hand_on(g, listener, false, e) != 0) return -1;
      if (g->text.length > LINE_MOST)
        return error_set(e, EXIT_INTERNAL, "the proof engine gave an answer of more than %d MiB", LINE_MOST >> 20);
    }
  }
}

int engine_run(const char *program, const char *request, size_t length, double patience, const interrupts *signals,
               const engine_listener *listener, engine_end *end, error *e) {
  engine g = {0};
  *end = (engine_end){0};
  if (start(&g, program, request, length, signals, e) != 0) return -1;
  const int result = listen_to(&g, patience, signals, listener, end, e);
  (void)close(g.out);
  buffer_free(&g.text);
  int status = 0;
  if (result != 0 || end->interrupted || end->silent) (void)kill(-g.process, SIGKILL);
  while (waitpid(g.process, &status, 0) < 0 && errno == EINTR) {
  }
  (void)kill(-g.process, SIGKILL); /* what it may have left */
  end->status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return result;
}
