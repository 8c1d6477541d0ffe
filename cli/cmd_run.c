/* Commands that run kernel cases and captures as they are: `run`, `capture` and `replay`. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/files.h"
#include "base/say.h"
#include "capture/number.h"
#include "cli/options.h"
#include "cli/output.h"
#include "reports/ci/junit.h"
#include "runner/paths.h"

typedef struct run_command {
  const settings *settings;
  target target;
  char *folder;
  const char *suite;                   /* the file that is being run */
  size_t seen, cases, failed, updated; /* seen: with those of other shards */
  junit_case *shown;
  size_t shown_count, shown_capacity;
} run_command;

/* --- results ------------------------------------------------------------------------------------------------------ */

/* Of two devices, within the tolerances of the case. */
static void compare_devices(const case_capture *c, const case_run_result *first, const case_run_result *other,
                            const char *one, const char *two, buffer *said) {
  for (size_t i = 0; i < c->result_count; i++) {
    const case_result *r = &c->results[i];
    const unsigned char *a = first->results[i], *b = other->results[i];
    number_difference d;
    if (a != NULL && b != NULL && numbers_differ(&r->shape, a, b, (size_t)r->size, &d)) {
      buffer_printf(said, "%s: %s: device %s differs from device %s: ", c->capture.program, r->name, two, one);
      numbers_say(&r->shape, a, b, &d, said);
      buffer_puts(said, "\n");
    }
  }
}

static void show(run_command *r, const case_capture *c, bool passed, const buffer *said) {
  r->cases++;
  r->failed += passed ? 0 : 1;
  *ARRAY_ADD(r->shown, r->shown_count, r->shown_capacity) =
      (junit_case){mem_strdup(r->suite), mem_strdup(c->capture.program), passed, mem_strdup(buffer_text(said))};
  if (!passed || !r->settings->report.quiet) {
    say(stdout, "%s  %s%s\n", passed ? "ok  " : "FAIL", c->capture.program,
        c->expects ? "" : " (it expects nothing but its end)");
  }
  if (!passed) {
    for (const char *at = buffer_text(said); *at != '\0';) {
      const size_t length = strcspn(at, "\n");
      say(stdout, "      %.*s\n", (int)length, at);
      at += length + (at[length] == '\n' ? 1 : 0);
    }
  }
  (void)fflush(stdout);
}

/* --- cases -------------------------------------------------------------------------------------------------------- */

static case_run_options options_of(const run_command *r, size_t device) {
  return (case_run_options){.replay = r->target.replay,
                            .folder = r->folder,
                            .device = r->target.device_count == 0 ? NULL : r->target.devices[device],
                            .timeout = r->settings->experiment.limit};
}

static int run_on_others(const run_command *r, const case_capture *c, const case_run_result *first, bool *passed,
                         buffer *said, error *e) {
  int result = 0;
  for (size_t d = 1; d < r->target.device_count && result == 0; d++) {
    const case_run_options o = options_of(r, d);
    case_run_result other;
    result = case_run(&o, c, &other, e);
    buffer_puts(said, buffer_text(&other.said));
    const size_t before = said->length;
    compare_devices(c, first, &other, r->target.devices[0], r->target.devices[d], said);
    *passed = *passed && other.passed && said->length == before;
    case_run_free(&other);
  }
  return result;
}

/* `u` NULL: results are judged. */
static int run_one(run_command *r, case_suite *suite, size_t number, case_update *u, error *e) {
  case_capture c;
  case_run_result ran;
  if (case_compose(suite, number, &c, e) != 0) return -1;
  const case_run_options o = options_of(r, 0);
  int result = case_run(&o, &c, &ran, e);
  if (result == 0 && u != NULL) {
    /* Results of a case that did not come are no reason to change what is expected. */
    bool whole = true;
    error why = {0};
    scoped_buffer said = {0};
    for (size_t i = 0; i < c.result_count; i++) whole = whole && ran.results[i] != NULL;
    for (size_t i = 0; i < c.result_count && whole; i++)
      if (case_update_take(u, number, &c, i, ran.results[i], &why) != 0) buffer_printf(&said, "%s\n", why.text);
    if (!whole) buffer_puts(&said, buffer_text(&ran.said));
    if (said.length > 0)
      show(r, &c, false, &said);
    else
      r->cases++;
  } else if (result == 0) {
    bool passed = ran.passed;
    result = run_on_others(r, &c, &ran, &passed, &ran.said, e);
    if (result == 0) show(r, &c, passed, &ran.said);
  }
  case_run_free(&ran);
  case_capture_free(&c);
  return result;
}

static int run_suite(run_command *r, const char *path, error *e) {
  case_suite *suite = NULL;
  r->suite = path;
  if (!plan_names_suite(path))
    return error_set(e, EXIT_USAGE, "run takes suites of kernel cases (SUITE.yaml), and \"%s\" is none", path);
  if (case_suite_open(&suite, path, case_kernels_read, e) != 0) return -1;
  case_update *u = r->settings->cases.update ? case_update_open(suite) : NULL;
  int result = 0;
  for (size_t i = 0; i < case_suite_count(suite) && result == 0; i++) {
    const settings *s = r->settings;
    const bool mine = s->experiment.shards == 0 || r->seen % s->experiment.shards == s->experiment.shard - 1;
    r->seen++;
    result = mine ? run_one(r, suite, i, u, e) : 0;
  }
  size_t changed = 0;
  if (result == 0 && u != NULL) result = case_update_write(u, &changed, e);
  r->updated += changed;
  case_update_close(u);
  case_suite_close(suite);
  return result;
}

/* --- all ---------------------------------------------------------------------------------------------------------- */

static int write_to(const whole_file *f, void *context, error *e) {
  const run_command *r = context;
  return junit_cases_write(r->shown, r->shown_count, f->out, e);
}

static int prepare_run(run_command *r, error *e) {
  const settings *s = r->settings;
  /* Formats that a project asks of all its commands are passed over where they are for others. */
  EACH(const assignment, a, s->given.assigned->items, s->given.assigned->count) {
    const bool asked = a->value != NULL && (a->level == FROM_COMMAND_LINE || a->level == FROM_SECTION) &&
                       strcmp(a->option->name, "format") == 0;
    if (asked && strcmp(a->value, "junit") != 0 && strncmp(a->value, "junit=", 6) != 0)
      return error_set(e, EXIT_USAGE, "--format %s: run writes junit alone", a->value);
    if (asked && s->cases.update)
      return error_set(e, EXIT_USAGE, "--format and --update do not go together: nothing is judged");
  }
  if (s->given.positional.count == 0 || s->given.command != NULL)
    return error_set(e, EXIT_USAGE, "run wants suites of kernel cases: cltestcheck run SUITE.yaml…");
  if (target_find(&s->device, TARGET_ANY, &r->target, e) != 0) return -1;
  if (r->target.replay == NULL) return replay_is_missing(e);
  if (s->cases.update && r->target.device_count > 1)
    return error_set(e, EXIT_USAGE, "--update takes the results of one device; give one --device");
  r->folder = scratch_temporary("cltestcheck-run", e);
  return r->folder == NULL ? -1 : 0;
}

static void summarise(const run_command *r) {
  if (r->settings->cases.update) {
    say(stdout, "%zu result%s of %zu case%s written anew\n", r->updated, r->updated == 1 ? "" : "s", r->cases,
        r->cases == 1 ? "" : "s");
    return;
  }
  say(stdout, "%zu of %zu case%s pass%s\n", r->cases - r->failed, r->cases, r->cases == 1 ? "" : "s",
      r->cases - r->failed == 1 || r->cases == 1 ? "es" : "");
}

static int cmd_run(const settings *s, error *e) {
  run_command r = {.settings = s};
  int result = prepare_run(&r, e);
  for (size_t i = 0; i < s->given.positional.count && result == 0; i++)
    result = run_suite(&r, s->given.positional.items[i], e);
  if (result == 0) {
    summarise(&r);
    for (size_t i = 0; i < r.settings->report.format_count && result == 0; i++) {
      const char *file = r.settings->report.formats[i].file;
      if (strcmp(r.settings->report.formats[i].name, "junit") != 0) continue;
      result = file != NULL && strcmp(file, "-") != 0 ? whole_file_write(file, write_to, &r, e)
                                                      : junit_cases_write(r.shown, r.shown_count, stdout, e);
    }
  }
  for (size_t i = 0; i < r.shown_count; i++) {
    free(r.shown[i].suite);
    free(r.shown[i].name);
    free(r.shown[i].said);
  }
  free(r.shown);
  scratch_close(r.folder);
  target_free(&r.target);
  return result != 0 ? -1 : r.failed > 0 ? EXIT_BASELINE : EXIT_FINE;
}

const command command_run = {
    "run",
    "run kernel cases as plain tests",
    "[OPTIONS] SUITE.yaml…",
    "Runs kernel cases: launches without a host program, which a SUITE.yaml with `kernels:` describes "
    "(docs/kernel-cases.md). Says of each whether it passes; of one that fails, which element is the first that is "
    "wrong, how many are, and by how much. Exits with 4 when a case fails. The other commands take the same files: "
    "coverage, mutate, amplify, races, verify, repair.",
    "cltestcheck run suite.yaml",
    cmd_run,
    FOR_RUN};

/* cltestcheck capture: records what a program does on the device, so that it can be done again without it. */

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
  if (result == 0 && !quiet) {
    size_t launches = 0;
    for (size_t i = 0; i < c.command_count; i++) launches += c.commands[i].kind == CAPTURE_LAUNCH ? 1 : 0;
    say(stderr, "cltestcheck: %s/suite.yaml: a case of %zu launch%s; cltestcheck run %s/suite.yaml\n", folder, launches,
        launches == 1 ? "" : "es", folder);
    if (varied > 0) {
      say(stderr,
          "cltestcheck: of %zu of its reads nothing is expected, as a replay got something else than the program: they "
          "vary, or depend on memory that nobody has written\n",
          varied);
    }
    if (c.include_count > 0)
      say(stderr, "cltestcheck: its kernels include files, which stay where they are: run it in the same folder\n");
  }
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

static int capture_check_arguments(const settings *s, error *e) {
  if (s->given.positional.count != 1 || s->given.command == NULL) {
    return error_set(e, EXIT_USAGE,
                     "capture wants one file and a program, such as: cltestcheck capture tests.cltc -- ./my_tests");
  }
  return 0;
}

static int cmd_capture(const settings *s, error *e) {
  settings only_program = *s;
  const capture_wish wish = planning_wish(s, "its capture was kept");
  only_program.given.positional = (word_list){0};
  plan p = {0};
  target t = {0};
  const bool captured = s->cases.yaml != NULL
                            ? target_find(&s->device, TARGET_ONE, &t, e) == 0 && case_capture_command(s, &t, e) == 0
                            : capture_check_arguments(s, e) == 0 && planning_make(&only_program, &p, e) == 0 &&
                                  target_find(&s->device, TARGET_ONE, &t, e) == 0 &&
                                  capture_program(p.tests[0].argv, &t, s->given.positional.items[0], &wish, e) == 0;
  target_free(&t);
  plan_free(&p);
  return captured ? EXIT_FINE : -1;
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

/* cltestcheck replay: does again what was captured, as it was, with a mutant or with a schedule. */

enum { ARGUMENTS = 8 };

static int replay_check_arguments(const settings *s, error *e) {
  if (s->given.positional.count != 1 || s->given.command != NULL)
    return error_set(e, EXIT_USAGE, "replay wants one file that `cltestcheck capture` has made");
  if (s->experiment.mutant != 0 && s->replay.schedule != 0)
    return error_set(e, EXIT_USAGE, "--mutant and --schedule cannot be had together");
  return 0;
}

/* The schedule of the database, with the replay as its program. */
static int replay_schedule(const settings *s, char **argv, error *e) {
  settings amplify = *s;
  amplify.given.verb = "amplify";
  amplify.given.positional = (word_list){0};
  amplify.given.command = argv;
  amplify.replay.id = s->replay.schedule;
  return command_amplify.run(&amplify, e);
}

static int no_mutant(const settings *s, const session *with, error *e) {
  const char *reason = session_summarise(with).last_skip;
  return reason[0] != '\0'
             ? error_set(e, EXIT_USAGE, "--mutant: %s", reason)
             : error_set(e, EXIT_USAGE, "--mutant: no program has mutant %u; `cltestcheck mutate --list` shows them",
                         (unsigned)s->experiment.mutant);
}

static int replay_run(const settings *s, const target *t, char **argv, error *e) {
  recording r;
  program_end h = {0};
  program_options how = {.child = {.argv = argv, .on = {.layer = t->layer, .device = t->device}},
                         .timeout = s->experiment.limit,
                         .form = s->experiment.mutant != 0 ? FORM_COVERAGE : FORM_UNTOUCHED};
  int result = recording_open(&r, s->experiment.mutant, e);
  if (result == 0) result = program_run(r.session, r.db, &how, &h, e);
  if (result == 0 && s->experiment.mutant != 0 && !session_has_mutant(r.session)) result = no_mutant(s, r.session, e);
  recording_close(&r);
  if (result == 0 && h.timed_out)
    result = error_set(e, EXIT_BASELINE, "the replay ran longer than %g seconds and was ended", s->experiment.limit);
  if (result == 0 && h.status > 128) {
    result =
        h.interrupted
            ? error_set(e, 130, "interrupted")
            : error_set(e, EXIT_BASELINE,
                        "the replay was killed by signal %d (%s): a kernel leaves its buffers, which a program may get "
                        "away with and a replay does not; --launch N shows what the launches before leave in memory",
                        h.status - 128, strsignal(h.status - 128));
  }
  return result != 0 ? -1 : h.status;
}

/* -1 with `e` set, or the exit code. */
static int replay_capture(const settings *s, const target *t, error *e) {
  if (t->replay == NULL) return replay_is_missing(e);
  char *includes = plan_includes_folder(e);
  if (includes == NULL) return -1;
  char launch[32];
  (void)snprintf(launch, sizeof launch, "%lld", (long long)s->replay.launch);
  char *argv[ARGUMENTS] = {t->replay, (char *)s->given.positional.items[0]};
  if (s->replay.launch >= 0) {
    argv[2] = "--launch";
    argv[3] = launch;
  }
  const int code = s->replay.schedule != 0 ? replay_schedule(s, argv, e) : replay_run(s, t, argv, e);
  scratch_close(includes);
  return code;
}

static int cmd_replay(const settings *s, error *e) {
  target t = {0};
  const bool ready = replay_check_arguments(s, e) == 0 && target_find(&s->device, TARGET_ONE, &t, e) == 0;
  const int code = ready ? replay_capture(s, &t, e) : -1;
  target_free(&t);
  return code;
}

const command command_replay = {
    "replay",
    "do again what was captured, as it was or with a fault",
    "[OPTIONS] FILE",
    "Does again what `cltestcheck capture` recorded and compares what is read back with what the program got: exits "
    "with 0 when all is the same and with 1 when not. With --mutant or --schedule it shows what that mutant or that "
    "order of work-groups changes: a reproduction of a survivor or a race that needs no program.",
    "cltestcheck replay tests.cltc --mutant 2071",
    cmd_replay,
    FOR_REPLAY};
