/* cltestcheck capture: records what a program does on the device, so that it can be done again without it. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/memory.h"
#include "base/names.h"
#include "base/say.h"
#include "base/scratch.h"
#include "capture/capture.h"
#include "cases/cases.h"
#include "cli/commands.h"
#include "cli/experiment.h"
#include "cli/output.h"
#include "cli/settings.h"
#include "runner/plan/plan.h"
#include "runner/replaying.h"

static char *open_scratch(error *e) { return scratch_temporary("cltestcheck-yaml", e); }

/* Puts what is read into the folder. */
static int replay(const target *t, const char *capture_path, const char *folder, error *e) {
  const char *const more[] = {"--case", folder, "--reads", "any", NULL};
  const replaying r = {.program = t->replay, .capture = capture_path, .device = t->device, .more = more};
  scoped_buffer said = {0};
  replaying_end end;
  int result = replaying_run(&r, &said, &end, e);
  if (result == 0 && end.status != 0) {
    result = error_set(e, EXIT_BASELINE, "the capture cannot be done again to learn its results: the replay %s",
                       end.signal == 0 ? "failed" : "crashed");
  }
  return result;
}

static int make_folder(const char *folder, error *e) {
  struct stat status;
  if (mkdir(folder, 0777) == 0 || (errno == EEXIST && stat(folder, &status) == 0 && S_ISDIR(status.st_mode))) return 0;
  return error_set(e, EXIT_USAGE, "the folder %s cannot be made: %s", folder, strerror(errno));
}

static size_t count_launches(const capture *c) {
  size_t count = 0;
  for (size_t i = 0; i < c->command_count; i++) count += c->commands[i].kind == CAPTURE_LAUNCH ? 1 : 0;
  return count;
}

static void say_written(const char *folder, const capture *c, size_t varied) {
  const size_t launches = count_launches(c);
  say(stderr, "cltestcheck: %s/suite.yaml: a case of %zu launch%s; cltestcheck run %s/suite.yaml\n", folder, launches,
      launches == 1 ? "" : "es", folder);
  if (varied > 0) {
    say(stderr,
        "cltestcheck: of %zu of its reads nothing is expected, as a replay got something else than the program: they "
        "vary, or depend on memory that nobody has written\n",
        varied);
  }
  if (c->include_count > 0)
    say(stderr, "cltestcheck: its kernels include files, which stay where they are: run it in the same folder\n");
}

/* Writes a capture as a suite of one case into the folder, which is made. -1 with `e` set. */
static int case_capture_write(const target *t, const char *capture_path, const char *name, const char *folder,
                              bool quiet, error *e) {
  capture c = {0};
  size_t varied = 0;
  char *scratch = open_scratch(e);
  if (scratch == NULL || capture_read(capture_path, &c, e) != 0) {
    scratch_close(scratch);
    return -1;
  }
  const case_description how = {.name = name, .folder = folder, .results = scratch, .reader = case_kernels_read};
  int result = 0;
  if (c.unsuitable != NULL) {
    result = error_set(e, EXIT_NOTHING, "%s cannot be done again: %s", capture_path, c.unsuitable);
  } else {
    result = replay(t, capture_path, scratch, e) != 0 || make_folder(folder, e) != 0
                 ? -1
                 : case_describe(&c, &how, &varied, e);
  }
  if (result == 0 && !quiet) say_written(folder, &c, varied);
  capture_free(&c);
  scratch_close(scratch);
  return result;
}

static int write_program(const settings *s, const target *t, error *e) {
  plan p = {0};
  capture_wish wish = planning_wish(s, "what it did until then is written");
  wish.quiet = true;
  scoped_buffer file = {0};
  char *scratch = open_scratch(e);
  int result = scratch == NULL || planning_make(s, &p, e) != 0 ? -1 : 0;
  buffer_printf(&file, "%s/program", scratch == NULL ? "" : scratch);
  error failed = {0};
  if (result == 0) result = capture_program(p.tests[0].argv, t, buffer_text(&file), &wish, e);
  if (result != 0 && e->code == EXIT_BASELINE && access(buffer_text(&file), R_OK) == 0) {
    failed = *e; /* what it did until then is a case all the same */
    result = 0;
  }
  if (result == 0)
    result = case_capture_write(t, buffer_text(&file), path_end(p.tests[0].argv[0]), s->cases.yaml, s->report.quiet, e);
  if (result == 0 && failed.code != 0) {
    *e = failed;
    result = -1;
  }
  plan_free(&p);
  scratch_close(scratch);
  return result;
}

/* The same for a program, which runs once, or for a capture file: as the command line says. */
static int case_capture_command(const settings *s, const target *t, error *e) {
  if (s->given.command != NULL && s->given.positional.count == 0) return write_program(s, t, e);
  if (s->given.command == NULL && s->given.positional.count == 1) {
    const char *file = path_end(s->given.positional.items[0]);
    scoped char *name = mem_strndup(file, strcspn(file, "."));
    return case_capture_write(t, s->given.positional.items[0], name[0] == '\0' ? file : name, s->cases.yaml,
                              s->report.quiet, e);
  }
  return error_set(
      e, EXIT_USAGE,
      "capture --yaml wants a program or a capture, such as: cltestcheck capture --yaml cases -- ./my_tests");
}

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
  if (s->cases.yaml != NULL) return capture_cases(s);
  error e = {0};
  settings only_program = *s;
  const capture_wish wish = planning_wish(s, "its capture was kept");
  only_program.given.positional = (word_list){0};
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
