/* cltestcheck run: kernel cases as plain tests, which pass or fail. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/files.h"
#include "base/memory.h"
#include "base/say.h"
#include "capture/capture.h"
#include "capture/number.h"
#include "cases/cases.h"
#include "cli/commands.h"
#include "cli/experiment.h"
#include "cli/options.h"
#include "cli/output.h"
#include "reports/ci/junit.h"
#include "runner/plan/case_run.h"
#include "runner/plan/plan.h"

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

static void say_lines(const buffer *said) {
  for (const char *at = buffer_text(said); *at != '\0';) {
    const size_t length = strcspn(at, "\n");
    say(stdout, "      %.*s\n", (int)length, at);
    at += length + (at[length] == '\n' ? 1 : 0);
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
  if (!passed) say_lines(said);
  (void)fflush(stdout);
}

/* Results of a case that did not come are no reason to change what is expected. */
static void update_case(run_command *r, case_update *u, size_t number, const case_capture *c,
                        const case_run_result *ran) {
  bool whole = true;
  error e = {0};
  scoped_buffer said = {0};
  for (size_t i = 0; i < c->result_count; i++) whole = whole && ran->results[i] != NULL;
  for (size_t i = 0; i < c->result_count && whole; i++)
    if (case_update_take(u, number, c, i, ran->results[i], &e) != 0) buffer_printf(&said, "%s\n", e.text);
  if (!whole) buffer_puts(&said, buffer_text(&ran->said));
  if (said.length > 0)
    show(r, c, false, &said);
  else
    r->cases++;
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
    update_case(r, u, number, &c, &ran);
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

/* Formats that a project asks of all its commands are passed over where they are for others. */
static int check_formats(const settings *s, error *e) {
  for (size_t i = 0; i < s->given.assigned->count; i++) {
    const assignment *a = &s->given.assigned->items[i];
    const bool asked = a->value != NULL && (a->level == FROM_COMMAND_LINE || a->level == FROM_SECTION) &&
                       strcmp(a->option->name, "format") == 0;
    if (asked && strcmp(a->value, "junit") != 0 && strncmp(a->value, "junit=", 6) != 0)
      return error_set(e, EXIT_USAGE, "--format %s: run writes junit alone", a->value);
    if (asked && s->cases.update)
      return error_set(e, EXIT_USAGE, "--format and --update do not go together: nothing is judged");
  }
  return 0;
}

static int write_to(const whole_file *f, void *context, error *e) {
  const run_command *r = context;
  return junit_cases_write(r->shown, r->shown_count, f->out, e);
}

static int write_formats_of(run_command *r, error *e) {
  int result = 0;
  for (size_t i = 0; i < r->settings->report.format_count && result == 0; i++) {
    const char *file = r->settings->report.formats[i].file;
    if (strcmp(r->settings->report.formats[i].name, "junit") != 0) continue;
    result = file != NULL && strcmp(file, "-") != 0 ? whole_file_write(file, write_to, r, e)
                                                    : junit_cases_write(r->shown, r->shown_count, stdout, e);
  }
  return result;
}

static void release_run(run_command *r) {
  for (size_t i = 0; i < r->shown_count; i++) {
    free(r->shown[i].suite);
    free(r->shown[i].name);
    free(r->shown[i].said);
  }
  free(r->shown);
  scratch_close(r->folder);
  target_free(&r->target);
}

static int prepare_run(run_command *r, error *e) {
  const settings *s = r->settings;
  if (check_formats(s, e) != 0) return -1;
  if (s->given.positional.count == 0 || s->given.command != NULL)
    return error_set(e, EXIT_USAGE, "run wants suites of kernel cases: cltestcheck run SUITE.yaml…");
  if (target_find_any(&s->device, &r->target, e) != 0) return -1;
  if (r->target.replay == NULL)
    return error_set(e, EXIT_INTERNAL, "cltestcheck-replay is not where cltestcheck looks for it; install it again");
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

static int cmd_run(const settings *s) {
  run_command r = {.settings = s};
  error e = {0};
  int result = prepare_run(&r, &e);
  for (size_t i = 0; i < s->given.positional.count && result == 0; i++)
    result = run_suite(&r, s->given.positional.items[i], &e);
  if (result == 0) {
    summarise(&r);
    result = write_formats_of(&r, &e);
  }
  release_run(&r);
  return result != 0 ? say_error(&e) : r.failed > 0 ? EXIT_BASELINE : EXIT_FINE;
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