/* The capture of a case goes to a file, and cltestcheck-replay does it. */
#include "runner/plan/case_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "capture/capture.h"
#include "runner/replaying.h"

/* --- the process -------------------------------------------------------------------------------------------------- */

static void say_ending(const case_run_options *o, const case_capture *c, const replaying_end *end, buffer *said) {
  const char *name = c->capture.program;
  if (end->late)
    buffer_printf(said, "%s: ran longer than %g seconds and was ended\n", name, o->timeout);
  else if (end->too_much)
    buffer_printf(said, "%s: printed more than 1 GiB and was ended\n", name);
  else if (end->signal != 0)
    buffer_printf(said, "%s: was killed by signal %d (%s)\n", name, end->signal, strsignal(end->signal));
  else if (end->status != 0 && said->length == 0)
    buffer_printf(said, "%s: the replay ended with exit status %d\n", name, end->status);
}

int case_run(const case_run_options *o, const case_capture *c, case_run_result *out, error *e) {
  scoped_buffer file = {0};
  capture_results read;
  replaying_end end = {0};
  *out = (case_run_result){.count = c->result_count};
  out->results = mem_calloc(out->count + 1, sizeof *out->results);
  buffer_printf(&file, "%s/case", o->folder);
  const char *const more[] = {"--case", o->folder, NULL};
  const replaying r = {.program = o->replay,
                       .capture = buffer_text(&file),
                       .device = o->device,
                       .timeout = o->timeout,
                       .more = more,
                       .joined = o->joined};
  const int result = capture_write(&c->capture, buffer_text(&file), e) == 0 &&
                             capture_places_write(&c->capture, buffer_text(&file), e) == 0
                         ? replaying_run(&r, &out->said, &end, e)
                         : -1;
  out->passed = result == 0 && end.status == 0;
  out->crashed = result == 0 && end.signal != 0 && !end.late && !end.too_much;
  out->late = result == 0 && end.late;
  if (result == 0 && !out->passed) say_ending(o, c, &end, &out->said);
  capture_results_take(o->folder, &read);
  for (size_t i = 0; i < out->count; i++) {
    const size_t size = (size_t)c->results[i].size;
    const unsigned char *bytes = capture_results_find(&read, i, size);
    if (bytes != NULL) out->results[i] = memcpy(mem_calloc(1, size + 1), bytes, size);
  }
  capture_results_free(&read);
  return result;
}

void case_run_free(case_run_result *r) {
  mem_free_all(r->results, r->count);
  buffer_free(&r->said);
  *r = (case_run_result){0};
}
