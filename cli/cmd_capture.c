/* cltestcheck capture: records what a program does on the device, so that it can be done again without it. */
#include "cli/capturing.h"
#include "cli/case_capture.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "cli/planning.h"

static int check_arguments(const settings *s, error *e) {
  if (s->positional.count != 1 || s->command == NULL) {
    return error_set(e, EXIT_USAGE,
                     "capture wants one file and a program, such as: cltestcheck capture tests.cltc -- ./my_tests");
  }
  return 0;
}

static int capture_cases(const settings *s) {
  error e = {0};
  target t = {0};
  const bool written = target_find_one(s, &t, &e) == 0 && case_capture_command(s, &t, &e) == 0;
  target_free(&t);
  return written ? EXIT_FINE : say_error(&e);
}

int cmd_capture(const settings *s) {
  if (s->yaml != NULL) {
    return capture_cases(s);
  }
  error e = {0};
  settings only_program = *s;
  only_program.positional = (words){0};
  plan p = {0};
  target t = {0};
  const bool captured = check_arguments(s, &e) == 0 && planning_make(&only_program, &p, &e) == 0 &&
                        target_find_one(s, &t, &e) == 0 &&
                        capture_program(s, p.tests[0].argv, &t, s->positional.items[0],
                                        &(capture_wish){.kept = "its capture was kept"}, &e) == 0;
  const int code = captured ? EXIT_FINE : say_error(&e);
  target_free(&t);
  plan_free(&p);
  return code;
}
