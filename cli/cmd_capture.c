/* cltestcheck capture: records what a program does on the device, so that it can be done again without it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/commands.h"
#include "cli/output.h"
#include "cli/plan.h"
#include "cli/recording.h"
#include "cli/target.h"
#include "runner/capture/capture.h"
#include "runner/captures.h"

static size_t count_kind(const capture *c, capture_kind first, capture_kind last) {
  size_t count = 0;
  for (size_t i = 0; i < c->command_count; i++) {
    count += c->commands[i].kind >= first && c->commands[i].kind <= last ? 1 : 0;
  }
  return count;
}

static void say_captured(const char *file, const capture *c) {
  double bytes = 0;
  for (size_t i = 0; i < c->blob_count; i++) {
    bytes += (double)c->blobs[i].size;
  }
  (void)fprintf(stderr,
                "cltestcheck: %s: %zu launches of %zu kernels, %zu reads; %.1f MiB of data in %.1f MiB. It holds the "
                "program's data and kernels: mind whom you give it to\n",
                file, count_kind(c, CAPTURE_LAUNCH, CAPTURE_LAUNCH), count_kind(c, CAPTURE_KERNEL, CAPTURE_CLONE),
                count_kind(c, CAPTURE_READ, CAPTURE_READ_IMAGE), bytes / (1 << 20),
                (double)c->stored_bytes / (1 << 20));
}

/* The program has ended: its capture becomes the file, unless it is no good. */
static int keep(const settings *s, const char *raw, const char *file, error *e) {
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
  if (c.unsuitable != NULL) {
    result = error_set(e, EXIT_NOTHING, "nothing was captured: the program cannot be replayed: %s", c.unsuitable);
  }
  capture_free(&c);
  if (result != 0 || capture_pack(raw, file, e) != 0 || capture_read(file, &c, e) != 0) {
    return -1;
  }
  if (!s->quiet) {
    say_captured(file, &c);
  }
  capture_free(&c);
  return 0;
}

static int run_program(const settings *s, const plan *p, const target *t, recording *r, error *e) {
  capture_file raw;
  capture_file_init(&raw, r->directory, 0, "");
  host_options options = {.child = {.argv = p->tests[0].argv,
                                    .layer = t->layer,
                                    .device = t->device,
                                    .capture_layer = t->capture,
                                    .capture = raw.path},
                          .timeout = s->timeout,
                          .form = SESSION_UNTOUCHED};
  host_result h;
  int result = recording_run(r, &options, &h, e);
  if (result == 0 && (h.timed_out || h.interrupted)) {
    result = error_set(e, h.interrupted ? 130 : EXIT_BASELINE, "the program was ended before its end: no capture");
  }
  result = result == 0 ? keep(s, raw.path, s->positional.items[0], e) : result;
  if (result == 0 && h.status != 0) {
    result =
        error_set(e, EXIT_BASELINE, "the program itself failed with exit status %d; its capture was kept", h.status);
  }
  capture_file_free(&raw);
  return result;
}

static int check_arguments(const settings *s, error *e) {
  if (s->positional.count != 1 || s->command == NULL) {
    return error_set(e, EXIT_USAGE,
                     "capture wants one file and a program, such as: cltestcheck capture tests.cltc -- ./my_tests");
  }
  return 0;
}

int cmd_capture(const settings *s) {
  error e = {0};
  settings only_program = *s;
  only_program.positional = (words){0};
  plan p = {0};
  target t = {0};
  recording r = {0};
  int result = check_arguments(s, &e);
  result = result == 0 ? plan_make(&only_program, &p, &e) : result;
  result = result == 0 ? target_find_one(s, &t, &e) : result;
  if (result == 0 && t.capture == NULL) {
    result = error_set(&e, EXIT_INTERNAL, "the capture layer is not where cltestcheck looks for it; install it again");
  }
  result = result == 0 ? recording_open(&r, &e) : result;
  result = result == 0 ? run_program(s, &p, &t, &r, &e) : result;
  int code = result == 0 ? EXIT_FINE : say_error(&e);
  recording_close(&r);
  target_free(&t);
  plan_free(&p);
  return code;
}
