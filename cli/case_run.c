/* The capture of a case goes to a file, and cltestcheck-replay does it. */
#include "cli/case_run.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/subprocess.h"
#include "capture/capture.h"

/* --- results ------------------------------------------------------------------------------------------------------ */

static char *result_path(const char *folder, size_t number) {
  buffer path = {0};
  buffer_printf(&path, "%s/%zu", folder, number);
  return buffer_take(&path);
}

static unsigned char *take_result(const char *folder, size_t number, size_t size) {
  char *path = result_path(folder, number);
  FILE *f = fopen(path, "rbe");
  unsigned char *bytes = mem_calloc(1, size + 1);
  const bool read = f != NULL && fread(bytes, 1, size, f) == size;
  if (f != NULL) {
    (void)fclose(f);
  }
  (void)unlink(path);
  free(path);
  if (!read) {
    free(bytes);
    return NULL;
  }
  return bytes;
}

/* --- the process -------------------------------------------------------------------------------------------------- */

static void say_ending(const case_run_options *o, const case_capture *c, subprocess_end end, int status, buffer *said) {
  const char *name = c->capture.program;
  if (end == SUBPROCESS_LATE) {
    buffer_printf(said, "%s: ran longer than %g seconds and was ended\n", name, o->timeout);
  } else if (end == SUBPROCESS_TOO_MUCH) {
    buffer_printf(said, "%s: printed more than 1 GiB and was ended\n", name);
  } else if (WIFSIGNALED(status)) {
    buffer_printf(said, "%s: was killed by signal %d (%s)\n", name, WTERMSIG(status), strsignal(WTERMSIG(status)));
  } else if (WEXITSTATUS(status) != 0 && said->length == 0) {
    buffer_printf(said, "%s: the replay ended with exit status %d\n", name, WEXITSTATUS(status));
  }
}

int case_run(const case_run_options *o, const case_capture *c, case_run_result *out, error *e) {
  buffer file = {0};
  *out = (case_run_result){.count = c->result_count};
  out->results = mem_calloc(out->count + 1, sizeof *out->results);
  buffer_printf(&file, "%s/case", o->folder);
  char *argv[] = {(char *)o->replay, file.data, "--case", (char *)o->folder, "--device", (char *)o->device, NULL};
  argv[4] = o->device == NULL ? NULL : argv[4];
  const subprocess s = {.argv = argv, .deadline = o->timeout > 0 ? clock_now() + o->timeout : 0, .interruptible = true};
  subprocess_end end = SUBPROCESS_ENDED;
  int status = 0;
  int result = capture_write(&c->capture, file.data, e);
  result = result == 0 ? subprocess_read(&s, &out->said, &end, &status, e) : -1;
  if (result == 0 && end == SUBPROCESS_INTERRUPTED) {
    result = error_set(e, 130, "interrupted");
  }
  out->passed = result == 0 && end == SUBPROCESS_ENDED && WIFEXITED(status) && WEXITSTATUS(status) == 0;
  if (result == 0 && !out->passed) {
    say_ending(o, c, end, status, &out->said);
  }
  for (size_t i = 0; i < out->count; i++) {
    out->results[i] = take_result(o->folder, i, (size_t)c->results[i].size);
  }
  buffer_free(&file);
  return result;
}

void case_run_free(case_run_result *r) {
  for (size_t i = 0; i < r->count && r->results != NULL; i++) {
    free(r->results[i]);
  }
  free(r->results);
  buffer_free(&r->said);
  *r = (case_run_result){0};
}
