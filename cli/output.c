/* Reports go to files, whole or not at all, and to streams; thresholds are held against them. */
#include "cli/output.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/files.h"
#include "base/say.h"
#include "cli/git.h"
#include "cli/options.h"
#include "reports/common/coverage.h"
#include "reports/formats.h"
#include "runner/devices.h"
#include "runner/experiment/run_words.h"

/* Saying where a report went. */

static bool reported;          /* something, to standard error */
static off_t size_before = -1; /* of the file; below 0: standard output goes to none */

static off_t size_now(void) {
  struct stat s;
  return fstat(STDOUT_FILENO, &s) == 0 && S_ISREG(s.st_mode) ? s.st_size : -1;
}

void empty_output_begin(void) { size_before = size_now(); }

/* If a report went to standard error, and the file of standard output is as it was at the start, says so. */
static void empty_output_say(void) {
  (void)fflush(stdout);
  if (reported && size_before >= 0 && size_now() == size_before) {
    say(stderr,
        "cltestcheck: the report went to standard error, as standard output is the program's; nothing came "
        "there. --format text=FILE writes the report to a file\n");
  }
}

/* Writing through a temporary name. */

enum { MOST_LINKS = 40 }; /* as Linux has it */

/* Why writing fails: the stream has forgotten, so the file is asked once more. */
static int failure_of(FILE *out) { return write(fileno(out), "\n", 1) < 0 ? errno : EIO; }

/* Closes and puts in place what was written with `result`. */
static int finish_file(const whole_file *f, const char *temporary, int result, error *e) {
  bool failed = fflush(f->out) != 0 || ferror(f->out) != 0;
  int reason = failed ? failure_of(f->out) : 0;
  if (fclose(f->out) != 0 || (result == 0 && !failed && !f->special && rename(temporary, f->path) != 0)) {
    reason = failed ? reason : errno;
    failed = true;
  }
  if (failed)
    result = error_set(e, EXIT_INTERNAL, "the report \"%s\" could not be written: %s", f->path, strerror(reason));
  if (result != 0 && !f->special) (void)unlink(temporary);
  return result;
}

/* The file that a path leads to, through links, also where there is none yet. free() it. */
static char *target_of(const char *name) {
  char *path = mem_strdup(name);
  for (int links = 0; links < MOST_LINKS; links++) {
    char linked[PATH_MAX];
    ssize_t length = readlink(path, linked, sizeof linked - 1);
    if (length < 0) break;
    linked[length] = '\0';
    const char *slash = strrchr(path, '/');
    scoped_buffer next = {0};
    buffer_append(&next, path, linked[0] == '/' || slash == NULL ? 0 : (size_t)(slash + 1 - path));
    buffer_puts(&next, linked);
    free(path);
    path = buffer_take(&next);
  }
  return path;
}

static int check_format(const char *name, error *e) {
  struct stat status;
  const bool special = stat(name, &status) == 0 && !S_ISREG(status.st_mode);
  scoped char *path = special ? mem_strdup(name) : target_of(name);
  scoped_buffer temporary = buffer_with("%s.part", path);
  int reason = special && S_ISDIR(status.st_mode) ? EISDIR : special && access(path, W_OK) != 0 ? errno : 0;
  if (!special) {
    FILE *out = fopen(buffer_text(&temporary), "a"); /* another process may be writing it */
    reason = out == NULL ? errno : 0;
    if (out != NULL) {
      const bool empty = fseek(out, 0, SEEK_END) == 0 && ftell(out) == 0;
      (void)fclose(out);
      (void)(empty ? unlink(buffer_text(&temporary)) : 0);
    }
  }
  return reason == 0 ? 0 : error_set(e, EXIT_USAGE, "the report \"%s\" cannot be written: %s", path, strerror(reason));
}

int whole_file_write(const char *name, int (*write)(const whole_file *f, void *context, error *e), void *context,
                     error *e) {
  struct stat status;
  bool special = stat(name, &status) == 0 && !S_ISREG(status.st_mode);
  scoped char *resolved = special ? mem_strdup(name) : target_of(name);
  whole_file f = {.path = resolved, .special = special};
  scoped_buffer temporary = buffer_with("%s%s", f.path, special ? "" : ".part");
  f.out = fopen(buffer_text(&temporary), "w");
  return f.out == NULL ? error_set(e, EXIT_USAGE, "the report \"%s\" cannot be written: %s", f.path, strerror(errno))
                       : finish_file(&f, buffer_text(&temporary), write(&f, context, e), e);
}

int formats_check(const report_settings *s, error *e) {
  int result = 0;
  for (size_t i = 0; i < s->format_count && result == 0; i++) {
    const char *path = s->formats[i].file;
    result = path != NULL && strcmp(path, "-") != 0 ? check_format(path, e) : 0;
  }
  return result;
}

int say_error(const error *e) {
  say(stderr, "cltestcheck: %s\n", e->text);
  return e->code;
}

/* What every report of a command is told; lives as long as they are written. */
typedef struct report_context {
  char *root;                   /* of report_root */
  report_threshold *thresholds; /* of what the view measures */
  size_t threshold_count;
  changed_lines lines;
} report_context;

/* Where sources are looked for: --root, else the repository that the current directory is in. */
static char *report_root(void) {
  const char *chosen = project_chosen_root();
  return chosen != NULL ? mem_strdup(chosen) : project_repository(".");
}

/* Lines changed since --since, or, in a pull request on GitHub, since its base as far as git knows it. */
static int read_changes(const report_settings *s, changed_lines *lines, error *e) {
  const char *base = getenv("GITHUB_BASE_REF");
  scoped_buffer revision = {0};
  int result = 0;
  if (s->since != NULL)
    buffer_puts(&revision, s->since);
  else if (base != NULL && base[0] != '\0')
    buffer_printf(&revision, "origin/%s", base);
  if (revision.length > 0 && changed_lines_read(buffer_text(&revision), lines, e) != 0) {
    changed_lines_free(lines);
    result = s->since != NULL ? -1 : 0;
  }
  return result;
}

/* Release it in every case. */
static int context_for(const view *v, const report_settings *s, report_context *out, error *e) {
  report_context c = {.root = report_root()};
  bool wanted = false;
  int result = 0;
  for (size_t i = 0; i < s->format_count; i++) wanted = wanted || strcmp(s->formats[i].name, "github") == 0;
  if (wanted) result = read_changes(s, &c.lines, e);
  c.thresholds = mem_calloc(s->threshold_count, sizeof *c.thresholds);
  for (size_t i = 0; i < s->threshold_count; i++) /* a configuration may have some for other commands */
    if (report_measures(v, s->thresholds[i].metric))
      c.thresholds[c.threshold_count++] = (report_threshold){s->thresholds[i].metric, s->thresholds[i].percent};
  *out = c;
  return result;
}

static void context_free(report_context *c) {
  free(c->root);
  free(c->thresholds);
  changed_lines_free(&c->lines);
}

static report_options options_for(const report_settings *s, const report_context *c, int exit, FILE *out) {
  bool terminal = isatty(fileno(out)) != 0;
  struct winsize size;
  bool sized = terminal && ioctl(fileno(out), TIOCGWINSZ, &size) == 0 && size.ws_col >= 40;
  const char *no_colour = getenv("NO_COLOR");
  bool automatic = terminal && (no_colour == NULL || no_colour[0] == '\0');
  return (report_options){
      .colour = strcmp(s->colour, "always") == 0 || (strcmp(s->colour, "auto") == 0 && automatic),
      .width = sized && size.ws_col < 80 ? size.ws_col : 80,
      .show_missed = s->show_missed,
      .verbose = s->verbose,
      .all = s->all || s->verbose,
      .database = strcmp(s->database, DEFAULT_DATABASE) == 0 ? NULL : s->database,
      .exit = exit,
      .kernels = s->kernels,
      .root = c == NULL ? NULL : c->root,
      .thresholds = c == NULL ? NULL : c->thresholds,
      .threshold_count = c == NULL ? 0 : c->threshold_count,
      .changes = c == NULL ? NULL : c->lines.items,
      .change_count = c == NULL ? 0 : c->lines.count,
      .highlight = isolated_highlight,
  };
}

report_options terminal_options(const report_settings *s, FILE *out) { return options_for(s, NULL, 0, out); }

/* A report to a stream. */
static int write_stream(const view *v, const report_settings *s, const report_context *c, const report_writer *w,
                        int exit, FILE *out, error *e) {
  if (out == stderr) reported = true;
  report_options how = options_for(s, c, exit, out);
  int result = w->write(v, &how, out, e);
  if (result == 0 && fflush(out) != 0 && errno != EPIPE)
    result = error_set(e, EXIT_INTERNAL, "the report could not be written: %s", strerror(errno));
  return result;
}

int write_text(const view *v, const report_settings *s, int exit, FILE *out, error *e) {
  return write_stream(v, s, NULL, report_find("text"), exit, out, e);
}

/* A report to a file. */
typedef struct file_report {
  const view *v;
  const report_writer *writer;
  const report_settings *settings;
  const report_context *context;
  int exit;
} file_report;

/* With the sources that it names and that are not on disk in a folder beside it. */
static int write_report_file(const whole_file *f, void *context, error *e) {
  const file_report *r = context;
  report_options how = options_for(r->settings, r->context, r->exit, f->out);
  scoped_buffer sources = {0};
  size_t written = 0;
  int result = 0;
  buffer_printf(&sources, "%s.sources", f->path);
  if (r->writer->names_files && !f->special) {
    how.source_directory = buffer_text(&sources);
    result = report_write_sources(r->v, &how, &written, e);
  }
  result = result != 0 ? result : r->writer->write(r->v, &how, f->out, e);
  if (result == 0) {
    if (written > 0 && !r->settings->quiet) {
      say(stderr, "cltestcheck: %zu source%s not on disk as built: %s %s beside the report, in %s\n", written,
          written == 1 ? " is" : "s are", written == 1 ? "a copy" : "copies", written == 1 ? "is" : "are",
          buffer_text(&sources));
    }
  } else if (how.source_directory != NULL) {
    int reason = errno;                 /* of the failure, for whoever says it */
    (void)rmdir(buffer_text(&sources)); /* if there is nothing in it */
    errno = reason;
  }
  return result;
}

static bool lacks(const view *v, const report_writer *w) { return w->has != NULL && !w->has(v); }

bool formats_lack(const view *v, const report_settings *s) {
  bool any = false;
  for (size_t i = 0; i < s->format_count; i++) any = any || lacks(v, report_find(s->formats[i].name));
  return any;
}

static int write_requested(const view *v, const report_settings *s, const report_context *c, int exit, FILE *standard,
                           error *e) {
  for (size_t i = 0; i < s->format_count; i++) {
    const report_writer *w = report_find(s->formats[i].name);
    const char *path = s->formats[i].file;
    int result = 0;
    if (lacks(v, w)) say(stderr, "cltestcheck: %s %s\n", w->name, w->lacks);
    if (path != NULL && strcmp(path, "-") != 0) {
      file_report report = {v, w, s, c, exit};
      result = whole_file_write(path, write_report_file, &report, e);
    } else {
      result = write_stream(v, s, c, w, exit, path == NULL ? standard : stdout, e);
    }
    if (result != 0) return result;
  }
  return 0;
}

int write_formats(const view *v, const report_settings *s, int exit, FILE *standard, error *e) {
  report_context c;
  const int result = context_for(v, s, &c, e) != 0 ? -1 : write_requested(v, s, &c, exit, standard, e);
  context_free(&c);
  if (result == 0) empty_output_say();
  return result;
}

/* What is asked of a metric and what was reached; total 0 is reached. */
typedef struct judged {
  ratio reached;
  double percent;
  bool below;
} judged;

static judged judge_threshold(const view *v, const coverage *total, const threshold *t) {
  judged j = {.percent = 100.0};
  (void)coverage_get(total, t->metric, &j.reached);
  if (j.reached.total > 0) j.percent = 100.0 * (double)j.reached.covered / (double)j.reached.total;
  j.below = j.percent < t->percent && report_measures(v, t->metric);
  return j;
}

bool below_thresholds(const view *v, const report_settings *s) {
  report_options how = options_for(s, NULL, 0, stderr);
  coverage total;
  coverage_total(v, &how, &total);
  bool below = false;
  for (size_t i = 0; i < s->threshold_count; i++) below = below || judge_threshold(v, &total, &s->thresholds[i]).below;
  return below;
}

void say_below(const view *v, const report_settings *s, bool unmeasured) {
  report_options how = options_for(s, NULL, 0, stderr);
  coverage total;
  coverage_total(v, &how, &total);
  EACH(const threshold, t, s->thresholds, s->threshold_count) {
    judged j = judge_threshold(v, &total, t);
    if (unmeasured && !s->quiet && !report_measures(v, t->metric)) {
      say(stderr, "cltestcheck: --fail-under %s=%g is not judged: these runs did not measure it\n", t->metric,
          t->percent);
    } else if (j.below) {
      (void)fflush(stdout);
      (void)fputs(how.colour ? "\033[31m" : "", stderr);
      say(stderr, "cltestcheck: %s %s is %.1f %% (%lu of %lu), below --fail-under %s=%g", t->metric,
          metric_noun(t->metric), j.percent, j.reached.covered, j.reached.total, t->metric, t->percent);
      (void)fputs(how.colour ? "\033[0m\n" : "\n", stderr);
    }
  }
}

const char *fails_on_memory(const fail_settings *s, const view *v) {
  return s->refused && has_finding(v, "api-error")
             ? "the program uses what a refused call should have made (--fail-on api-error)"
         : s->overrun && has_finding(v, "buffer-overrun")
             ? "a kernel writes past the end of a buffer (--fail-on buffer-overrun)"
             : NULL;
}

void say_fails_on_memory(const fail_settings *s, const view *v) {
  const char *why = fails_on_memory(s, v);
  if (why != NULL) (void)fprintf(stderr, "cltestcheck: %s\n", why);
}

/* Views of runs are read here, with what the configuration suppresses. */

enum { SHOWN_KERNELS = 8 };

/* Without a platform, no layer hears of a program's calls: that it got none must not be taken for no call. */
const char *no_opencl_call(void) {
  static char text[sizeof(error) + 64];
  scoped device *all = NULL;
  size_t count = 0;
  error e;
  if (devices_list(&all, &count, &e) != 0) {
    (void)snprintf(text, sizeof text, "%s (`cltestcheck doctor` says what is missing)", e.text);
    return text;
  }
  return "the program made no OpenCL call (if it does use OpenCL, its loader knows no layers: try --preload; "
         "`cltestcheck doctor` says what is missing)";
}

int load_view(db *d, const int64_t *runs, size_t run_count, const report_settings *s, view *out, error *e) {
  if (db_load(d, runs, run_count, out, e) != 0) return -1;
  if (project_chosen_root() != NULL) report_set_root(out, project_chosen_root());
  if (s->configuration != NULL)
    suppress_apply(out, s->configuration->suppressions, s->configuration->suppression_count);
  return 0;
}

size_t count_suppressed_schedules(const view *v) {
  size_t count = 0;
  for (size_t i = 0; i < v->launch_count; i++) {
    for (size_t k = 0; k < v->launches[i].schedule_count; k++) {
      const db_schedule *s = &v->launches[i].schedules[k];
      count += s->suppressed != NULL && amplification_fails(amplification_verdict(s)) ? 1 : 0;
    }
  }
  return count;
}

static bool any_schedule(const view *v, bool (*is)(const db_schedule *s)) {
  for (size_t i = 0; i < v->launch_count; i++) {
    for (size_t k = 0; k < v->launches[i].schedule_count; k++)
      if (is(&v->launches[i].schedules[k])) return true;
  }
  return false;
}

static bool is_order_dependent(const db_schedule *s) {
  const schedule_verdict verdict = amplification_verdict(s);
  return (verdict == VERDICT_ORDER || verdict == VERDICT_DIFFERS) && s->suppressed == NULL && !s->meant;
}

static bool is_listed(const db_schedule *s) { return amplification_is_listed(amplification_verdict(s)); }

bool has_order_dependent(const view *v) { return any_schedule(v, is_order_dependent); }

bool has_other_results(const view *v) { return any_schedule(v, is_listed); }

/* --- kernels that are not there ------------------------------------------------------------------------------------ */

/* The name nearest to a word; NULL: none is near. */
static const char *nearest_kernel(const word_list *kernels, const char *name) {
  suggestion near = {.word = name};
  for (size_t i = 0; i < kernels->count; i++) suggest_consider(&near, kernels->items[i]);
  return near.best;
}

/* What is said of a glob, or of all of them. */
static void say_names(const word_list *kernels, const char *what, const char *near) {
  scoped_buffer text = buffer_with("%s", what);
  if (near != NULL) buffer_printf(&text, "; did you mean --kernel %s?", near);
  buffer_puts(&text, near != NULL ? " There are: " : "; there are: ");
  /* "smooth, differences": each name once. */
  size_t shown = 0;
  for (size_t i = 0; i < kernels->count && shown <= SHOWN_KERNELS; i++) {
    bool again = false;
    for (size_t k = 0; k < i && !again; k++) again = strcmp(kernels->items[k], kernels->items[i]) == 0;
    if (!again) {
      buffer_printf(&text, "%s%s", shown == 0 ? "" : ", ", shown == SHOWN_KERNELS ? "…" : kernels->items[i]);
      shown++;
    }
  }
  say(stderr, "cltestcheck: %s\n", buffer_text(&text));
}

/* Of several globs, those that match nothing. */
static void warn_of_unmatched(const word_list *kernels, const word_list *globs) {
  for (size_t i = 0; i < globs->count; i++) {
    const char *glob = globs->items[i];
    bool matches = false;
    for (size_t k = 0; k < kernels->count && !matches; k++)
      matches = kernel_chosen(&(kernel_choice){.wanted = {&glob, 1, 1}}, kernels->items[k]);
    if (!matches) {
      scoped_buffer what = buffer_with("warning: --kernel %s matches no kernel", glob);
      say_names(kernels, buffer_text(&what), nearest_kernel(kernels, glob));
    }
  }
}

bool say_unmatched_of(const word_list *kernels, const kernel_choice *s) {
  bool any = kernels->count == 0;
  for (size_t i = 0; i < kernels->count && !any; i++) any = kernel_chosen(s, kernels->items[i]);
  if (!any) {
    say_names(kernels, "--kernel and --exclude leave no kernel",
              s->wanted.count == 1 ? nearest_kernel(kernels, s->wanted.items[0]) : NULL);
  } else if (kernels->count > 0) {
    warn_of_unmatched(kernels, &s->wanted);
  }
  return !any;
}

bool say_unmatched(const view *v, const kernel_choice *s) {
  word_list kernels = {0};
  for (size_t i = 0; i < v->kernel_count; i++)
    *ARRAY_ADD(kernels.items, kernels.count, kernels.capacity) = v->kernels[i].name;
  const bool unmatched = say_unmatched_of(&kernels, s);
  free(kernels.items);
  return unmatched;
}
