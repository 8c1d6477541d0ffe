/* The capture is replayed once for the bytes of its results, and then described. */
#include "cli/case_capture.h"

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
#include "cli/capturing.h"
#include "cli/planning.h"
#include "runner/plan/case_kernels.h"
#include "runner/replaying.h"

static char *open_scratch(error *e) { return scratch_temporary("cltestcheck-yaml", e); }

/* Puts what is read into the folder, in files named by numbers. */
static int replay(const target *t, const char *capture_path, const char *folder, error *e) {
  const char *const more[] = {"--case", folder, "--reads", "any", NULL};
  const replaying r = {.program = t->replay, .capture = capture_path, .device = t->device, .more = more};
  buffer said = {0};
  replaying_end end;
  int result = replaying_run(&r, &said, &end, e);
  buffer_free(&said);
  if (result == 0 && end.status != 0) {
    result = error_set(e, EXIT_BASELINE, "the capture cannot be done again to learn its results: the replay %s",
                       end.signal == 0 ? "failed" : "crashed");
  }
  return result;
}

static int make_folder(const char *folder, error *e) {
  struct stat status;
  if (mkdir(folder, 0777) == 0 || (errno == EEXIST && stat(folder, &status) == 0 && S_ISDIR(status.st_mode))) {
    return 0;
  }
  return error_set(e, EXIT_USAGE, "the folder %s cannot be made: %s", folder, strerror(errno));
}

static size_t count_launches(const capture *c) {
  size_t count = 0;
  for (size_t i = 0; i < c->command_count; i++) {
    count += c->commands[i].kind == CAPTURE_LAUNCH ? 1 : 0;
  }
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
  if (c->include_count > 0) {
    say(stderr, "cltestcheck: its kernels include files, which stay where they are: run it in the same folder\n");
  }
}

int case_capture_write(const target *t, const char *capture_path, const char *name, const char *folder, bool quiet,
                       error *e) {
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
  if (result == 0 && !quiet) {
    say_written(folder, &c, varied);
  }
  capture_free(&c);
  scratch_close(scratch);
  return result;
}

static int write_program(const settings *s, const target *t, error *e) {
  plan p = {0};
  capture_wish wish = planning_wish(s, "what it did until then is written");
  wish.quiet = true;
  buffer file = {0};
  char *scratch = open_scratch(e);
  int result = scratch == NULL || planning_make(s, &p, e) != 0 ? -1 : 0;
  buffer_printf(&file, "%s/program", scratch == NULL ? "" : scratch);
  error failed = {0};
  if (result == 0) {
    result = capture_program(p.tests[0].argv, t, buffer_text(&file), &wish, e);
  }
  if (result != 0 && e->code == EXIT_BASELINE && access(buffer_text(&file), R_OK) == 0) {
    failed = *e; /* what it did until then is a case all the same */
    result = 0;
  }
  if (result == 0) {
    result = case_capture_write(t, buffer_text(&file), path_end(p.tests[0].argv[0]), s->cases.yaml, s->report.quiet, e);
  }
  if (result == 0 && failed.code != 0) {
    *e = failed;
    result = -1;
  }
  buffer_free(&file);
  plan_free(&p);
  scratch_close(scratch);
  return result;
}

int case_capture_command(const settings *s, const target *t, error *e) {
  if (s->given.command != NULL && s->given.positional.count == 0) {
    return write_program(s, t, e);
  }
  if (s->given.command == NULL && s->given.positional.count == 1) {
    const char *file = path_end(s->given.positional.items[0]);
    char *name = mem_strndup(file, strcspn(file, "."));
    const int result = case_capture_write(t, s->given.positional.items[0], name[0] == '\0' ? file : name, s->cases.yaml,
                                          s->report.quiet, e);
    free(name);
    return result;
  }
  return error_set(
      e, EXIT_USAGE,
      "capture --yaml wants a program or a capture, such as: cltestcheck capture --yaml cases -- ./my_tests");
}
