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

static int cmd_capture(const settings *s) {
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

const command command_capture = {
    "capture",
    "record what a program does on the device",
    "[OPTIONS] (FILE -- PROGRAM [ARGS] | --yaml DIR (-- PROGRAM [ARGS] | CAPTURE))",
    "Runs the program, unmodified, and records its OpenCL programs, kernels, launches and transfers with their data, "
    "in order, so that `cltestcheck replay` does all of it again without the program, here or elsewhere. The file "
    "holds the program's kernels and data: mind whom you give it to. What cannot be done again (shared virtual memory, "
    "programs from binaries, several devices, …) is said, and no file is made. With --yaml the launches are written as "
    "kernel cases: a suite.yaml that can be read, changed and run.",
    "cltestcheck capture tests.cltc -- ./my_tests",
    cmd_capture,
    FOR_CAPTURE};
