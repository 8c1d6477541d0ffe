/* Running a program once to keep what it does on the device. */
#include "cli/capturing.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/say.h"
#include "base/subprocess.h"
#include "capture/capture.h"
#include "cli/denied.h"
#include "cli/recording.h"
#include "runner/experiment/captures.h"
#include "runner/experiment/run_words.h"

static size_t count_kind(const capture *c, capture_kind first, capture_kind last) {
  size_t count = 0;
  for (size_t i = 0; i < c->command_count; i++) {
    count += c->commands[i].kind >= first && c->commands[i].kind <= last ? 1 : 0;
  }
  return count;
}

/* "3 launches": a number and what it counts. */
static void say_count(size_t count, const char *what, const char *end) {
  say(stderr, "%zu %s%s%s", count, what, count == 1 ? "" : what[strlen(what) - 1] == 'h' ? "es" : "s", end);
}

static void say_size(double bytes, const char *end) {
  const bool small = bytes < 1 << 20;
  say(stderr, "%.1f %s%s", bytes / (small ? 1 << 10 : 1 << 20), small ? "KiB" : "MiB", end);
}

static void say_captured(const char *file, const capture *c) {
  double bytes = 0;
  for (size_t i = 0; i < c->blob_count; i++) {
    bytes += (double)c->blobs[i].size;
  }
  say(stderr, "cltestcheck: %s: ", file);
  say_count(count_kind(c, CAPTURE_LAUNCH, CAPTURE_LAUNCH), "launch", " of ");
  say_count(count_kind(c, CAPTURE_KERNEL, CAPTURE_CLONE), "kernel", ", ");
  say_count(count_kind(c, CAPTURE_READ, CAPTURE_READ_IMAGE), "read", "; ");
  say_size(bytes, " of data in ");
  say_size((double)c->stored_bytes, ". It holds the program's data and kernels: mind whom you give it to\n");
}

/* The program has ended: its capture becomes the file, unless it is no good. */
static int keep(const char *raw, const char *file, const capture_wish *wish, error *e) {
  capture c;
  if (access(raw, F_OK) != 0) {
    return error_set(e, EXIT_NOTHING,
                     "nothing was captured: the program made nothing on an OpenCL device (if it does use OpenCL, its "
                     "loader knows no layers)");
  }
  if (capture_read(raw, &c, e) != 0) {
    return -1;
  }
  int result = 0;
  if (c.unsuitable != NULL && !wish->partly) {
    result = error_set(e, EXIT_NOTHING, "nothing was captured: the program cannot be replayed: %s", c.unsuitable);
  }
  capture_free(&c);
  if (result != 0 || capture_pack(raw, file, e) != 0 || capture_read(file, &c, e) != 0) {
    return -1;
  }
  if (!wish->quiet) {
    say_captured(file, &c);
  }
  capture_free(&c);
  return 0;
}

/* The program has ended without any work for a device. */
static int say_no_work(const capture_wish *wish, const target *t, const recording *r, const program_end *h, error *e) {
  const session_summary seen = session_summarise(r->session);
  if (seen.device_denied) {
    say_denied(wish->given, t, seen.denied_type);
    return error_set(e, EXIT_NOTHING, "nothing was captured: the program got no device");
  }
  return h->status == 0
             ? 0
             : error_set(e, EXIT_BASELINE, "the program itself %s %d before it did anything on an OpenCL device",
                         h->status > 128 ? "was killed by signal" : "failed with exit status",
                         h->status > 128 ? h->status - 128 : h->status);
}

/* The program has failed after something was captured. */
static int say_failed(char **argv, const program_end *h, const char *kept, error *e) {
  if (h->status <= 128) {
    return error_set(e, EXIT_BASELINE, "the program itself failed with exit status %d; %s", h->status, kept);
  }
  char next[1024];
  char *line = shell_line(argv);
  crash_advice(h->status, line, false, next, sizeof next);
  free(line);
  return error_set(e, EXIT_BASELINE, "the program itself was killed by signal %d (%s); %s; %s%s%s", h->status - 128,
                   strsignal(h->status - 128), h->last_launch, kept, next[0] == '\0' ? "" : ". ", next);
}

/* `nowhere`: a descriptor for what the program reads and writes, -1: the terminal. */
static int run_program(char **argv, const target *t, const char *file, const capture_wish *wish, int nowhere,
                       recording *r, error *e) {
  capture_file raw;
  capture_file_init(&raw, r->directory, 0, "");
  program_options options = {
      .child = {.argv = argv, .layer = t->layer, .device = t->device, .capture_layer = t->capture, .capture = raw.path},
      .timeout = wish->timeout,
      .form = FORM_UNTOUCHED,
      .name = argv[0],
      .waiting = say_note};
  options.child.own_streams = nowhere >= 0;
  for (int i = 0; i < 3; i++) {
    options.child.streams[i] = nowhere;
  }
  program_end h;
  int result = recording_run(r, &options, &h, e);
  if (result == 0 && (h.timed_out || h.interrupted)) {
    result = error_set(e, h.interrupted ? 130 : EXIT_BASELINE, "the program was ended before its end: no capture");
  }
  if (result == 0 && access(raw.path, F_OK) != 0) {
    result = say_no_work(wish, t, r, &h, e);
  }
  if (result == 0 && keep(raw.path, file, wish, e) != 0) {
    result = -1;
  } else if (result == 0 && h.status != 0) {
    result = say_failed(argv, &h, wish->kept, e);
  }
  capture_file_free(&raw);
  return result;
}

static int capture_to(char **argv, const target *t, const char *file, const capture_wish *wish, int nowhere, error *e) {
  recording r = {0};
  if (t->capture == NULL) {
    return error_set(e, EXIT_INTERNAL, "the capture layer is not where cltestcheck looks for it; install it again");
  }
  const bool open = recording_open(&r, e) == 0;
  int result = open ? run_program(argv, t, file, wish, nowhere, &r, e) : -1;
  error other;
  if (wish->found != NULL && r.db != NULL && db_load(r.db, &r.run, 1, wish->found, &other) != 0 && result == 0) {
    *e = other;
    result = -1;
  }
  recording_close(&r);
  return result;
}

int capture_program(char **argv, const target *t, const char *file, const capture_wish *wish, error *e) {
  const int nowhere = wish->silent ? open("/dev/null", O_RDWR | O_CLOEXEC) : -1;
  const int result = capture_to(argv, t, file, wish, nowhere, e);
  if (nowhere >= 0) {
    (void)close(nowhere);
  }
  return result;
}

int capture_planned(const plan *p, const target *t, const char *file, const capture_wish *wish, error *e) {
  if (p->count != 1) {
    return error_set(e, EXIT_USAGE, "--capture %s keeps what one test case does, and there are %zu; give one program",
                     file, p->count);
  }
  if (p->tests[0].capture != NULL) {
    return capture_pack(p->tests[0].capture, file, e);
  }
  const int result = capture_program(p->tests[0].argv, t, file, wish, e);
  const bool failed = result != 0 && e->code == EXIT_BASELINE && strstr(e->text, wish->kept) != NULL;
  return failed ? 0 : result;
}
