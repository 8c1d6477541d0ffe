/* cltestcheck list: benchmarks, or runs. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/say.h"
#include "base/utf8.h"
#include "cli/commands.h"
#include "cli/measuring.h"
#include "cli/output.h"
#include "db/db.h"
#include "runner/plan/plan.h"

enum { COLUMNS = 80, MOST_COLUMNS = 300, BEFORE_PROGRAM = 65 };

/* What a run has found, or how it ended, in a word or two. */
static void put_end(const run_summary *r, char *out, size_t size) {
  if (r->findings > 0)
    (void)snprintf(out, size, "%zu finding%s", r->findings, r->findings == 1 ? "" : "s");
  else if (r->exit >= 0 && r->survivors > 0)
    (void)snprintf(out, size, "%zu survive%s", r->survivors, r->survivors == 1 ? "s" : "");
  else if (r->exit >= 0)
    (void)snprintf(out, size, "exit %d", r->exit);
  else
    (void)snprintf(out, size, "%s", r->running ? "running" : "no end");
}

/* The command line, as it was started or, where that is too long, without the folder of the program. */
static const char *line_of(const run_summary *r, size_t columns) {
  const char *line = r->program;
  const char *end = line + strcspn(line, " ");
  for (const char *c = line; c < end && utf8_columns(r->program) > columns; c++) line = *c == '/' ? c + 1 : line;
  return line;
}

/* That, then the device, in the columns that are left. */
static void put_program(const run_summary *r, size_t columns) {
  const char *line = line_of(r, columns - BEFORE_PROGRAM);
  scoped_buffer text = {0}, shown = {0};
  utf8_line(&text, line, strlen(line));
  utf8_shorten(&shown, buffer_text(&text), columns - BEFORE_PROGRAM);
  (void)fputs(buffer_text(&shown), stdout);
  size_t used = BEFORE_PROGRAM + utf8_columns(buffer_text(&shown)) + 2;
  buffer_free(&text);
  if (r->device[0] != '\0' && used + 20 < columns) {
    buffer_free(&shown);
    utf8_line(&text, r->device, strcspn(r->device, "\n"));
    utf8_shorten(&shown, buffer_text(&text), columns - used);
    (void)printf(", %s", buffer_text(&shown));
  }
  (void)fputc('\n', stdout);
}

static void put_run(const run_summary *r, size_t columns) {
  char end[32];
  size_t length = strlen(r->revision);
  bool changed = length > 0 && r->revision[length - 1] == '+';
  char revision[16];
  (void)snprintf(revision, sizeof revision, "%.7s%s", length == 0 ? "-" : r->revision, changed ? "+" : "");
  put_end(r, end, sizeof end);
  char made_by[32]; /* the runs of `check` have their part's name */
  (void)snprintf(made_by, sizeof made_by, "%s%s", strcmp(r->settings, PART_OF_CHECK) == 0 ? "check " : "", r->command);
  say(stdout, "%5lld %-16.16s %-12s %5zu %-12s %-8s ", (long long)r->id, r->started, made_by, r->test_cases, end,
      revision);
  put_program(r, columns);
}

static int list_runs(const settings *s, error *e) {
  db *d = NULL;
  run_summary *runs = NULL;
  size_t count = 0;
  struct winsize size;
  bool terminal = isatty(STDOUT_FILENO) != 0;
  bool sized = terminal && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > COLUMNS;
  size_t columns = !terminal ? MOST_COLUMNS : sized ? size.ws_col : COLUMNS;
  int result = db_open(&d, s->report.database, DB_READ, e);
  result = result != 0 ? result : db_list_runs(d, &runs, &count, e);
  for (size_t i = 0; result == 0 && i < count; i++) {
    if (i == 0) {
      (void)printf("%5s %-16s %-12s %5s %-12s %-8s %s\n", "run", "started (UTC)", "command", "tests", "end", "revision",
                   "program, device");
    }
    put_run(&runs[i], columns);
  }
  db_free_runs(runs, count);
  db_close(d);
  return result;
}

static int not_hidden(const struct dirent *entry) { return entry->d_name[0] != '.'; }

static void print_suite(const char *folder, const program_suite *s) {
  say(stdout, "%s%s%s%s\n", folder, s->defect == NULL ? "" : "  [planted: ", s->defect == NULL ? "" : s->defect,
      s->defect == NULL ? "" : "]");
  if (s->description != NULL) say(stdout, "    %s\n", s->description);
  say(stdout, "    test cases:");
  for (size_t i = 0; i < s->tests_count; i++) say(stdout, "%s %s", i == 0 ? "" : ",", s->tests[i].name);
  say(stdout, "\n");
}

static int list_benchmarks(const settings *s, error *e) {
  char *directory = plan_suites_directory(s->tests.suites);
  struct dirent **entries = NULL;
  int count = directory == NULL ? -1 : scandir(directory, &entries, not_hidden, alphasort);
  if (count < 0) {
    int result = error_set(e, EXIT_USAGE, "no benchmarks were found%s%s", directory == NULL ? "" : " in ",
                           directory == NULL ? "" : directory);
    free(directory);
    return result;
  }
  int result = 0;
  for (int i = 0; i < count; i++) {
    scoped_buffer path = buffer_with("%s/%s/suite.yaml", directory, entries[i]->d_name);
    program_suite loaded;
    if (access(buffer_text(&path), R_OK) == 0 && result == 0) {
      result = suite_load(buffer_text(&path), &loaded, e);
      if (result == 0) print_suite(entries[i]->d_name, &loaded);
      suite_free(&loaded);
    }
    free(entries[i]);
  }
  free(entries);
  free(directory);
  return result;
}

static int cmd_list(const settings *s) {
  error e;
  if (s->given.positional.count > 0) {
    (void)error_set(&e, EXIT_USAGE, "list takes no arguments, but got \"%s\"", s->given.positional.items[0]);
    return say_error(&e);
  }
  int result = s->shown.runs ? list_runs(s, &e) : list_benchmarks(s, &e);
  return result == 0 ? EXIT_FINE : say_error(&e);
}

const command command_list = {"list",
                              "list the benchmarks, or the runs in the database",
                              "[OPTIONS]",
                              "Lists the benchmarks that `coverage` knows by name, with their test cases; with --runs, "
                              "the runs that the database holds.",
                              "cltestcheck list --runs",
                              cmd_list,
                              FOR_LIST};
