/* The look at a test case's commands: one more run that is captured, where the run that counts has had several queues, one that is
 * out of order, or commands while the host had memory mapped. */
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "runner/experiment/captures.h"
#include "runner/measure/look.h"

static int judge(measuring *m, const experiment_test *t, int64_t test_case, const char *path, error *e) {
  const commands_seen seen = {.path = path,
                              .argv = t->argv,
                              .rules = m->options->rules,
                              .db = m->db,
                              .run = m->run,
                              .test_case = test_case,
                              .further = m->further};
  char *why = NULL;
  const int result = access(path, F_OK) == 0 ? m->options->commands(&seen, &why, e) : 0;
  if (result == 0 && why != NULL) {
    measuring_note(m, "%s: whether its commands race is not known after a part of it: %s", t->name, why);
  }
  free(why);
  return result;
}

int measuring_commands(measuring *m, const experiment_test *t, int64_t test_case, program_options options, error *e) {
  char *directory = captures_open(e);
  const int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
  capture_file file;
  program_end end = {0};
  session *s = session_new(m->db, m->run);
  if (directory == NULL) {
    session_free(s);
    return -1;
  }
  capture_file_init(&file, directory, 0, "");
  session_check_aside(s);
  session_use(s, form_rows[FORM_UNTOUCHED].kernels);
  session_begin_test_case(s, test_case, t->argv);
  options = measuring_aside(options, nowhere);
  options.form = FORM_UNTOUCHED;
  options.child.capture = file.path;
  options.child.order = true;
  options.timeout = measuring_limit(m, t);
  int result = program_run(s, m->db, &options, &end, e);
  m->out->common.interrupted = m->out->common.interrupted || end.interrupted;
  if (result == 0 && !end.interrupted && !end.timed_out) {
    result = judge(m, t, test_case, file.path, e);
  }
  (void)close(nowhere);
  session_free(s);
  capture_file_free(&file);
  captures_close(directory);
  return result;
}
