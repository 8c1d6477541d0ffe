/* cltestcheck capture: records what a program does on the device, so that it can be done again without it. */
#include "cli/capturing.h"
#include "cli/case_capture.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "cli/planning.h"

static int check_arguments(const settings *s, error *e) {
  if (s->given.positional.count != 1 || s->given.command == NULL) {
    return error_set(e, EXIT_USAGE,
                     "capture wants one file and a program, such as: cltestcheck capture tests.cltc -- ./my_tests");
  }
  return 0;
}

static int capture_cases(const settings *s) {
  error e = {0};
  target t = {0};
  const bool written = target_find_one(&s->device, &t, &e) == 0 && case_capture_command(s, &t, &e) == 0;
  target_free(&t);
  return written ? EXIT_FINE : say_error(&e);
}

int cmd_capture(const settings *s) {
  if (s->cases.yaml != NULL) {
    return capture_cases(s);
  }
  error e = {0};
  settings only_program = *s;
  const capture_wish wish = planning_wish(s, "its capture was kept");
  only_program.given.positional = (words){0};
  plan p = {0};
  target t = {0};
  const bool captured = check_arguments(s, &e) == 0 && planning_make(&only_program, &p, &e) == 0 &&
                        target_find_one(&s->device, &t, &e) == 0 &&
                        capture_program(p.tests[0].argv, &t, s->given.positional.items[0], &wish, &e) == 0;
  const int code = captured ? EXIT_FINE : say_error(&e);
  target_free(&t);
  plan_free(&p);
  return code;
}
