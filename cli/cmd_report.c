/* Commands that read databases: `report`, `list`, `diff` and `merge`. */
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/say.h"
#include "base/utf8.h"
#include "cli/experiment.h"
#include "cli/git.h"
#include "cli/output.h"
#include "reports/compare/diff.h"
#include "runner/experiment/run_words.h"

static int read_runs(const word_list *given, bool every, db *d, int64_t **runs, size_t *count, error *e) {
  size_t capacity = 0;
  for (size_t i = 0; i < given->count; i++) {
    char *end = NULL;
    long long number = strtoll(given->items[i], &end, 10);
    if (*end != '\0' || number <= 0) {
      return error_set(e, EXIT_USAGE, "a run is a number, not \"%s\"; `cltestcheck list --runs` shows them",
                       given->items[i]);
    }
    *ARRAY_ADD(*runs, *count, capacity) = number;
  }
  if (every) {
    run_summary *all = NULL;
    size_t found = 0;
    if (db_list_runs(d, &all, &found, e) != 0) return -1;
    for (size_t i = 0; i < found; i++) *ARRAY_ADD(*runs, *count, capacity) = all[i].id;
    db_free_runs(all, found);
  }
  return 0;
}

static int write_all(const report_settings *s, const view *v, error *e) {
  if (say_unmatched(v, &s->kernels)) return EXIT_NOTHING;
  const bool below = below_thresholds(v, s);
  const int code = count_findings(v, &s->kernels) > 0 ? EXIT_FOUND : below ? EXIT_THRESHOLD : EXIT_FINE;
  const bool lacks = formats_lack(v, s);
  int result = s->format_count == 0 ? write_text(v, s, code, stdout, e) : write_formats(v, s, code, stdout, e);
  say_below(v, s, true);
  /* Reporting is not judging: only a threshold that was asked for makes a report fail, and a format without anything to
   * report on. */
  return result != 0 ? -1 : lacks ? EXIT_NOTHING : below ? EXIT_THRESHOLD : EXIT_FINE;
}

static int cmd_report(const settings *s, error *e) {
  db *d = NULL;
  scoped int64_t *runs = NULL;
  size_t count = 0;
  view v;
  int code = -1;
  if (db_open(&d, s->report.database, DB_READ, e) == 0 &&
      read_runs(&s->given.positional, s->shown.all, d, &runs, &count, e) == 0 &&
      load_view(d, runs, count, &s->report, &v, e) == 0) {
    code = write_all(&s->report, &v, e);
    view_free(&v);
  }
  db_close(d);
  return code;
}

const command command_report = {
    "report",
    "report on earlier runs: tables, a page, formats for CI",
    "[OPTIONS] [RUN…]",
    "Reports on runs of the database together: by default the newest of each command on the sources of the newest run; "
    "else those named, or --all. Without --format, as text. Goes to standard output unless --format names a file.",
    "cltestcheck report --format lcov=coverage.info --fail-under line=90",
    cmd_report,
    FOR_REPORT};

/* cltestcheck list: benchmarks, or runs. */

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
    char end[32];
    size_t length = strlen(runs[i].revision);
    bool changed = length > 0 && runs[i].revision[length - 1] == '+';
    char revision[16];
    (void)snprintf(revision, sizeof revision, "%.7s%s", length == 0 ? "-" : runs[i].revision, changed ? "+" : "");
    put_end(&runs[i], end, sizeof end);
    char made_by[32]; /* the runs of `check` have their part's name */
    (void)snprintf(made_by, sizeof made_by, "%s%s", strcmp(runs[i].settings, PART_OF_CHECK) == 0 ? "check " : "",
                   runs[i].command);
    say(stdout, "%5lld %-16.16s %-12s %5zu %-12s %-8s ", (long long)runs[i].id, runs[i].started, made_by,
        runs[i].test_cases, end, revision);
    /* That, then the device, in the columns that are left. */
    const char *line = line_of(&runs[i], columns - BEFORE_PROGRAM);
    scoped_buffer text = {0}, shown = {0};
    utf8_line(&text, line, strlen(line));
    utf8_shorten(&shown, buffer_text(&text), columns - BEFORE_PROGRAM);
    (void)fputs(buffer_text(&shown), stdout);
    size_t used = BEFORE_PROGRAM + utf8_columns(buffer_text(&shown)) + 2;
    buffer_free(&text);
    if (runs[i].device[0] != '\0' && used + 20 < columns) {
      buffer_free(&shown);
      utf8_line(&text, runs[i].device, strcspn(runs[i].device, "\n"));
      utf8_shorten(&shown, buffer_text(&text), columns - used);
      (void)printf(", %s", buffer_text(&shown));
    }
    (void)fputc('\n', stdout);
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
  scoped struct dirent **entries = NULL;
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
  free(directory);
  return result;
}

static int cmd_list(const settings *s, error *e) {
  if (s->given.positional.count > 0)
    return error_set(e, EXIT_USAGE, "list takes no arguments, but got \"%s\"", s->given.positional.items[0]);
  return s->shown.runs ? list_runs(s, e) : list_benchmarks(s, e);
}

const command command_list = {"list",
                              "list the benchmarks, or the runs in the database",
                              "[OPTIONS]",
                              "Lists the benchmarks that `coverage` knows by name, with their test cases; with --runs, "
                              "the runs that the database holds.",
                              "cltestcheck list --runs",
                              cmd_list,
                              FOR_LIST};

/* cltestcheck diff: what changed from one run to another. */

/* Commands whose runs are compared, of each the newest, where no run is named. */
static const char *const compared[] = {"coverage", "mutate", "amplify"};
enum { COMPARED = sizeof compared / sizeof compared[0] };

/* One of the two that are compared. */
typedef struct side {
  char *path;     /* of the database */
  int64_t run;    /* 0: none is named */
  char *revision; /* runs made there; NULL: any */
  char *name;     /* as given */
  db *d;
  run_summary *runs;
  size_t run_count;
  int64_t newest[COMPARED]; /* 0: there is none */
  view v;
  bool loaded;
} side;

static void free_side(side *s) {
  if (s->loaded) view_free(&s->v);
  db_free_runs(s->runs, s->run_count);
  db_close(s->d);
  free(s->path);
  free(s->revision);
  free(s->name);
}

static bool is_number(const char *s) { return s[0] != '\0' && s[strspn(s, "0123456789")] == '\0'; }

static int read_number(const char *s, int64_t *run, error *e) {
  errno = 0;
  *run = strtoll(s, NULL, 10);
  return errno == 0 && *run > 0 ? 0 : error_set(e, EXIT_USAGE, "a run is a number from 1, not \"%s\"", s);
}

/* RUN, FILE.db or FILE.db:RUN. */
static int read_side(const char *database, const char *word, side *out, error *e) {
  out->name = mem_strdup(word);
  if (is_number(word)) {
    out->path = mem_strdup(database);
    return read_number(word, &out->run, e);
  }
  const char *colon = strrchr(word, ':');
  bool numbered = colon != NULL && colon > word && is_number(colon + 1) && access(word, F_OK) != 0;
  out->path = mem_strndup(word, numbered ? (size_t)(colon - word) : strlen(word));
  return numbered ? read_number(colon + 1, &out->run, e) : 0;
}

static int read_revision(const char *database, const char *name, size_t length, side *out, error *e) {
  out->name = length == 0 ? mem_strdup("HEAD") : mem_strndup(name, length);
  out->path = mem_strdup(database);
  out->revision = revision_resolve(out->name, e);
  return out->revision == NULL ? -1 : 0;
}

/* A..B, either of which may be left out for HEAD; RUN RUN; files. */
static int read_arguments(const word_list *given, const char *database, side sides[2], error *e) {
  bool range = given->count == 1 && access(given->items[0], F_OK) != 0;
  const char *dots = range ? strstr(given->items[0], "..") : NULL;
  if (dots != NULL && strncmp(dots, "...", 3) == 0)
    return error_set(e, EXIT_USAGE, "diff wants a range A..B of two revisions, not \"%s\"", given->items[0]);
  if (dots != NULL) {
    int first = read_revision(database, given->items[0], (size_t)(dots - given->items[0]), &sides[0], e);
    return first != 0 ? -1 : read_revision(database, dots + 2, strlen(dots + 2), &sides[1], e);
  }
  if (given->count != 2) {
    return error_set(e, EXIT_USAGE,
                     "diff wants two runs (`cltestcheck list --runs`), two databases or a range of git revisions: "
                     "cltestcheck diff OLD NEW, cltestcheck diff A..B");
  }
  int first = read_side(database, given->items[0], &sides[0], e);
  return first != 0 ? -1 : read_side(database, given->items[1], &sides[1], e);
}

/* --- which runs ---------------------------------------------------------------------------------------------- */

static int nothing_at(const side *s, error *e) {
  return error_set(
      e, EXIT_USAGE,
      "%s holds no finished run made at %s (%.12s) without other changes; make one there, or name two runs", s->path,
      s->name, s->revision);
}

/* A named run has only its own command. */
static void keep_command_of(side *s) {
  for (size_t i = 0; i < s->run_count && s->run != 0; i++)
    for (size_t c = 0; c < COMPARED && s->runs[i].id == s->run; c++)
      s->newest[c] = strcmp(s->runs[i].command, compared[c]) == 0 ? s->run : 0;
}

/* The runs of a side to load: the named one, else of each command that both have. */
static size_t choose_runs(const side *s, const side *other, int64_t runs[COMPARED]) {
  size_t count = 0;
  if (s->run != 0) {
    runs[0] = s->run;
    return 1;
  }
  for (size_t c = 0; c < COMPARED; c++)
    if (s->newest[c] != 0 && other->newest[c] != 0) runs[count++] = s->newest[c];
  return count;
}

static bool any_run(const side *s) {
  for (size_t c = 0; c < COMPARED; c++)
    if (s->newest[c] != 0) return true;
  return false;
}

static int load_sides(const report_settings *s, side sides[2], error *e) {
  for (size_t i = 0; i < 2; i++) {
    /* Opens the database and finds the newest run of each command that came to its end. */
    if (db_open(&sides[i].d, sides[i].path, DB_READ, e) != 0 ||
        db_list_runs(sides[i].d, &sides[i].runs, &sides[i].run_count, e) != 0)
      return -1;
    EACH(const run_summary, r, sides[i].runs, sides[i].run_count) {
      bool there = sides[i].revision == NULL || strcmp(r->revision, sides[i].revision) == 0;
      for (size_t c = 0; c < COMPARED && there && r->exit >= 0; c++)
        sides[i].newest[c] = strcmp(r->command, compared[c]) == 0 ? r->id : sides[i].newest[c];
    }
    if (sides[i].revision != NULL && !any_run(&sides[i])) return nothing_at(&sides[i], e);
  }
  keep_command_of(&sides[0]);
  keep_command_of(&sides[1]);
  for (size_t i = 0; i < 2; i++) {
    int64_t runs[COMPARED];
    size_t count = choose_runs(&sides[i], &sides[1 - i], runs);
    if (count == 0) {
      return error_set(e, EXIT_USAGE, "%s and %s have no finished runs of the same command to compare", sides[0].name,
                       sides[1].name);
    }
    if (load_view(sides[i].d, runs, count, s, &sides[i].v, e) != 0) return -1;
    sides[i].loaded = true;
  }
  return 0;
}

/* --- output -------------------------------------------------------------------------------------------------- */

/* "run 3 (coverage, 2026-11-22T05:16:10Z)", "2 runs up to run 3 (2026-11-22T05:16:10Z)", with the name that was given
 * where it says more. */
static char *title_of(const side *s) {
  scoped_buffer title = {0};
  if (!is_number(s->name)) buffer_printf(&title, "%s, ", s->name);
  report_runs(&s->v, NULL, &title);
  buffer_printf(&title, " (%s%s%s)", s->v.run_count > 1 ? "" : s->v.command, s->v.run_count > 1 ? "" : ", ",
                s->v.started);
  return buffer_take(&title);
}

typedef struct request {
  const diff *d;
  const report_options *options;
  const diff_writer *writer;
} request;

static int write_to(const whole_file *f, void *context, error *e) {
  const request *r = context;
  return r->writer->write(r->d, r->options, f->out, e);
}

static int write_format(const diff *d, const report_options *options, const format_request *f, error *e) {
  request r = {d, options, diff_find(f->name)};
  if (f->file != NULL && strcmp(f->file, "-") != 0) return whole_file_write(f->file, write_to, &r, e);
  return r.writer->write(d, options, stdout, e);
}

static int check_formats(const report_settings *s, error *e) {
  for (size_t i = 0; i < s->format_count; i++)
    if (diff_find(s->formats[i].name) == NULL)
      return error_set(e, EXIT_USAGE, "diff writes text, json and markdown, not %s", s->formats[i].name);
  return 0;
}

static int compare_sides(const report_settings *s, bool fail_on_worse, side sides[2], error *e) {
  const report_options chosen = {.kernels = s->kernels};
  char *names[2] = {title_of(&sides[0]), title_of(&sides[1])};
  diff d;
  diff_make(&sides[0].v, &sides[1].v, &chosen, &d);
  d.old_name = names[0];
  d.new_name = names[1];
  int code = fail_on_worse && diff_is_worse(&d) ? EXIT_THRESHOLD : EXIT_FINE;
  int result = 0;
  if (!d.coverage && !d.mutation && !d.schedules && strcmp(sides[0].v.command, sides[1].v.command) != 0) {
    result = error_set(e, EXIT_USAGE, "%s and %s have nothing to compare: give two runs of the same command", names[0],
                       names[1]);
  } else {
    const report_options options = {.exit = code, .show_missed = s->show_missed, .kernels = s->kernels};
    const format_request text = {.name = "text"};
    result = s->format_count == 0 ? write_format(&d, &options, &text, e) : 0;
    for (size_t i = 0; i < s->format_count && result == 0; i++) result = write_format(&d, &options, &s->formats[i], e);
  }
  diff_free(&d);
  free(names[0]);
  free(names[1]);
  return result != 0 ? -1 : code;
}

static int cmd_diff(const settings *s, error *e) {
  side sides[2] = {0};
  int code = -1;
  if (check_formats(&s->report, e) == 0 && read_arguments(&s->given.positional, s->report.database, sides, e) == 0 &&
      load_sides(&s->report, sides, e) == 0)
    code = compare_sides(&s->report, s->fail.worse, sides, e);
  free_side(&sides[0]);
  free_side(&sides[1]);
  return code;
}

const command command_diff = {
    "diff",
    "show what changed from one run to another",
    "[OPTIONS] OLD NEW | A..B",
    "Compares two runs, the newest runs of two databases (FILE.db, or FILE.db:RUN), or the newest runs made at two git "
    "revisions: lines and outcomes that are newly missed or newly covered, mutants newly not noticed or newly killed, "
    "findings that are new or gone, metrics. Code that has moved is the same code. --fail-on-worse exits with 2 when "
    "anything is worse, new code that no test covers included.",
    "cltestcheck diff --fail-on-worse main..HEAD",
    cmd_diff,
    FOR_DIFF};

/* Whether all can be read, before the first changes anything. */
static int check_readable(const word_list *paths, error *e) {
  int result = 0;
  for (size_t i = 0; i < paths->count && result == 0; i++) {
    db *from = NULL;
    result = db_open(&from, paths->items[i], DB_READ, e);
    db_close(from);
  }
  return result;
}

static int merge_all(const settings *s, db *into, error *e) {
  for (size_t i = 0; i < s->given.positional.count; i++) {
    size_t merged = 0;
    db *from = NULL;
    int result = db_open(&from, s->given.positional.items[i], DB_READ, e);
    result = result != 0 ? result : db_merge(into, from, &merged, e);
    db_close(from);
    if (result != 0) return -1;
    if (!s->report.quiet) {
      say(stdout, "%s: %zu run%s new or brought up to date\n", s->given.positional.items[i], merged,
          merged == 1 ? "" : "s");
    }
  }
  return db_commit(into, e);
}

static int cmd_merge(const settings *s, error *e) {
  if (s->given.positional.count == 0)
    return error_set(e, EXIT_USAGE, "merge wants databases to read: cltestcheck merge --db ALL.db FILE.db…");
  db *into = NULL;
  const bool done = check_readable(&s->given.positional, e) == 0 &&
                    db_open(&into, s->report.database, DB_WRITE, e) == 0 && merge_all(s, into, e) == 0;
  db_close(into); /* it commits what came before a failure */
  return done ? EXIT_FINE : -1;
}

const command command_merge = {"merge",
                               "copy the runs of other databases into one",
                               "[OPTIONS] FILE.db…",
                               "Copies every run of the given databases that the database (--db) does not have yet. "
                               "Merging twice changes nothing.",
                               "cltestcheck merge --db all.db shard1.db shard2.db",
                               cmd_merge,
                               FOR_MERGE};
