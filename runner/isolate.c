/* Fork, instrument, send the result through a pipe. */
#include "runner/isolate.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/memory.h"
#include "instrument/archive.h"

enum { LIMIT_SECONDS = 60 };

static void write_all(int fd, const void *bytes, size_t length) {
  const char *at = bytes;
  while (length > 0) {
    ssize_t n = write(fd, at, length);
    if (n < 0 && errno == EINTR) {
      continue;
    }
    if (n <= 0) {
      return;
    }
    at += n;
    length -= (size_t)n;
  }
}

/* First byte: 0 a result, 1 an error. */
static void instrument_and_send(const pp_input *sources, size_t count, int fd) {
  instrument_result result;
  error e = {0};
  buffer out = {0};
  if (instrument_program(sources, count, &result, &e) == 0) {
    buffer_putc(&out, 0);
    archive_write(&result, &out);
  } else {
    buffer_putc(&out, 1);
    buffer_append(&out, &e, sizeof e);
  }
  write_all(fd, out.data, out.length);
}

static double now(void) {
  struct timespec t;
  (void)clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Reads until the end of the pipe; false when the time is up. */
static bool read_all(int fd, buffer *out) {
  double deadline = now() + LIMIT_SECONDS;
  char chunk[65536];
  for (;;) {
    struct pollfd p = {.fd = fd, .events = POLLIN};
    double left = deadline - now();
    if (left <= 0) {
      return false;
    }
    if (poll(&p, 1, (int)(left * 1000) + 1) < 0 && errno != EINTR) {
      return false;
    }
    if (p.revents == 0) {
      continue;
    }
    ssize_t n = read(fd, chunk, sizeof chunk);
    if (n == 0) {
      return true;
    }
    if (n > 0) {
      buffer_append(out, chunk, (size_t)n);
    } else if (errno != EINTR) {
      return false;
    }
  }
}

static int understand(const buffer *in, bool finished, int status, instrument_result *out, error *e) {
  if (!finished) {
    return error_set(e, EXIT_INTERNAL, "the front end (libclang) took more than %d seconds", LIMIT_SECONDS);
  }
  if (in->length > 0 && in->data[0] == 0 && archive_read(in->data + 1, in->length - 1, out) == 0) {
    return 0;
  }
  if (in->length == sizeof *e + 1 && in->data[0] == 1) {
    memcpy(e, in->data + 1, sizeof *e);
    return -1;
  }
  if (WIFSIGNALED(status)) {
    return error_set(e, EXIT_INTERNAL, "the front end (libclang) crashed on it (%s)", strsignal(WTERMSIG(status)));
  }
  return error_set(e, EXIT_INTERNAL, "the front end (libclang) gave up on it (status %d)", WEXITSTATUS(status));
}

int isolated_instrument(const pp_input *sources, size_t count, instrument_result *out, error *e) {
  *out = (instrument_result){0};
  int ends[2];
  if (pipe(ends) != 0) {
    return error_set(e, EXIT_INTERNAL, "no pipe could be made: %s", strerror(errno));
  }
  pid_t child = fork();
  if (child < 0) {
    (void)close(ends[0]);
    (void)close(ends[1]);
    return error_set(e, EXIT_INTERNAL, "no process could be started: %s", strerror(errno));
  }
  if (child == 0) {
    (void)close(ends[0]);
    (void)signal(SIGPIPE, SIG_IGN);
    instrument_and_send(sources, count, ends[1]);
    _exit(0);
  }
  (void)close(ends[1]);
  buffer in = {0};
  bool finished = read_all(ends[0], &in);
  (void)close(ends[0]);
  if (!finished) {
    (void)kill(child, SIGKILL);
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  int result = understand(&in, finished, status, out, e);
  buffer_free(&in);
  return result;
}
