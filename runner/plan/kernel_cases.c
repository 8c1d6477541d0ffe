/* A case is composed, and its capture put where the replay finds it. */
#include "runner/plan/kernel_cases.h"

#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/memory.h"
#include "base/scratch.h"
#include "base/shell.h"
#include "capture/capture.h"
#include "cases/cases.h"
#include "runner/paths.h"
#include "runner/plan/case_kernels.h"

static int open_folder(plan *p, error *e) {
  if (p->cases == NULL) {
    p->cases = scratch_temporary("cltestcheck-cases", e);
  }
  return p->cases == NULL ? -1 : 0;
}

/* Puts the suite file where a command line would stand: who runs a test case of the database again needs it. */
static void name_suite(experiment_test *t, const char *path) {
  buffer line = {0};
  shell_word(&line, path);
  free((char *)t->line);
  t->line = buffer_take(&line);
}

static int add_case(plan *p, const plan_words *s, const char *path, case_suite *suite, size_t number, error *e) {
  case_capture made;
  buffer file = {0};
  if (case_compose(suite, number, &made, e) != 0) {
    return -1;
  }
  buffer_printf(&file, "%s/%zu", p->cases, p->count);
  const bool written = capture_write(&made.capture, buffer_text(&file), e) == 0 &&
                       capture_places_write(&made.capture, buffer_text(&file), e) == 0;
  int result = written ? 0 : -1;
  case_capture_free(&made);
  char **argv = mem_calloc(7, sizeof *argv);
  size_t count = 0;
  argv[count++] = own_path("cltestcheck-replay");
  argv[count++] = buffer_take(&file);
  argv[count++] = mem_strdup("--case");
  argv[count++] = mem_strdup("-");
  if (s->any_reads) {
    argv[count++] = mem_strdup("--reads");
    argv[count] = mem_strdup("any");
  }
  if (argv[0] == NULL && result == 0) {
    result = error_set(e, EXIT_INTERNAL, "cltestcheck-replay is not where cltestcheck looks for it; install it again");
  }
  argv[0] = argv[0] == NULL ? mem_strdup("cltestcheck-replay") : argv[0];
  const int added = plan_add(p, case_suite_name(suite), case_name(suite, number), argv, e);
  experiment_test *t = &p->tests[p->count - 1];
  t->capture = argv[1];
  name_suite(t, path);
  return result == 0 ? added : -1;
}

int plan_cases(plan *p, const plan_words *s, const char *path, error *e) {
  case_suite *suite = NULL;
  int result = open_folder(p, e) != 0 || case_suite_open(&suite, path, case_kernels_read, e) != 0 ? -1 : 0;
  for (size_t i = 0; result == 0 && i < case_suite_count(suite); i++) {
    result = add_case(p, s, path, suite, i, e);
  }
  case_suite_close(suite);
  return result;
}
