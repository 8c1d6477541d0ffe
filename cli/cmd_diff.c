/* cltestcheck diff: what changed from one run to another. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/memory.h"
#include "cli/commands.h"
#include "cli/git.h"
#include "cli/output.h"
#include "reports/compare/diff.h"

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

/* --- arguments ----------------------------------------------------------------------------------------------- */

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

/* Opens the database and finds the newest run of each command that came to its end. */
static int find_runs(side *s, error *e) {
  if (db_open(&s->d, s->path, DB_READ, e) != 0 || db_list_runs(s->d, &s->runs, &s->run_count, e) != 0) return -1;
  for (size_t i = 0; i < s->run_count; i++) {
    const run_summary *r = &s->runs[i];
    bool there = s->revision == NULL || strcmp(r->revision, s->revision) == 0;
    for (size_t c = 0; c < COMPARED && there && r->exit >= 0; c++)
      s->newest[c] = strcmp(r->command, compared[c]) == 0 ? r->id : s->newest[c];
  }
  return 0;
}

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
    if (find_runs(&sides[i], e) != 0) return -1;
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

static int write_all(const report_settings *s, const diff *d, int code, error *e) {
  const report_options options = {.exit = code, .show_missed = s->show_missed, .kernels = s->kernels};
  const format_request text = {.name = "text"};
  int result = s->format_count == 0 ? write_format(d, &options, &text, e) : 0;
  for (size_t i = 0; i < s->format_count && result == 0; i++) result = write_format(d, &options, &s->formats[i], e);
  return result;
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
    result = write_all(s, &d, code, e);
  }
  diff_free(&d);
  free(names[0]);
  free(names[1]);
  return result != 0 ? -1 : code;
}

static int cmd_diff(const settings *s) {
  side sides[2] = {0};
  error e;
  int code = -1;
  if (check_formats(&s->report, &e) == 0 && read_arguments(&s->given.positional, s->report.database, sides, &e) == 0 &&
      load_sides(&s->report, sides, &e) == 0)
    code = compare_sides(&s->report, s->fail.worse, sides, &e);
  free_side(&sides[0]);
  free_side(&sides[1]);
  return code < 0 ? say_error(&e) : code;
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
