/* Reports to files and streams, thresholds. */
#include "cli/output.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/memory.h"
#include "cli/changed_lines.h"
#include "reports/amplification.h"
#include "reports/mutation.h"
#include "reports/report.h"
#include "runner/isolate.h"

int say_error(const error *e) {
  (void)fprintf(stderr, "cltestcheck: %s\n", e->text);
  return e->code;
}

/* What every report of a command is told; lives as long as they are written. */
typedef struct report_context {
  char *root;                   /* of the git repository that the current directory is in; NULL: it is in none */
  report_threshold *thresholds; /* of what the view measures */
  size_t threshold_count;
  changed_lines lines;
  report_change *changes;
} report_context;

static char *repository_root(void) {
  char *at = realpath(".", NULL);
  while (at != NULL && at[0] != '\0') {
    buffer git = {0};
    buffer_printf(&git, "%s/.git", at);
    bool found = access(buffer_text(&git), F_OK) == 0;
    buffer_free(&git);
    if (found) {
      return at;
    }
    *strrchr(at, '/') = '\0';
  }
  free(at);
  return NULL;
}

/* Lines changed since --since, or, in a pull request on GitHub, since its base as far as git knows it. */
static void read_changes(const settings *s, changed_lines *lines) {
  const char *base = getenv("GITHUB_BASE_REF");
  buffer revision = {0};
  error ignored;
  if (s->since != NULL) {
    buffer_puts(&revision, s->since);
  } else if (base != NULL && base[0] != '\0') {
    buffer_printf(&revision, "origin/%s", base);
  }
  if (revision.length > 0 && changed_lines_read(buffer_text(&revision), lines, &ignored) != 0) {
    changed_lines_free(lines);
  }
  buffer_free(&revision);
}

/* Mutation and amplification alone measure no coverage: its thresholds, which a configuration may have for all
 * commands, are about other runs. */
static bool measures(const view *v, const char *metric) {
  bool covered = (!mutation_is(v) && !amplification_is(v)) || strcmp(metric, "mutation") == 0;
  for (size_t i = 0; i < v->kernel_count && !covered; i++) {
    covered = v->kernels[i].launches > 0;
  }
  return covered;
}

static report_context context_for(const view *v, const settings *s) {
  report_context c = {.root = repository_root()};
  bool wanted = false;
  for (size_t i = 0; i < s->format_count; i++) {
    wanted = wanted || strcmp(s->formats[i].name, "github") == 0;
  }
  if (wanted) {
    read_changes(s, &c.lines);
  }
  c.changes = mem_calloc(c.lines.count, sizeof *c.changes);
  for (size_t i = 0; i < c.lines.count; i++) {
    c.changes[i] = (report_change){c.lines.items[i].file, c.lines.items[i].first, c.lines.items[i].last};
  }
  c.thresholds = mem_calloc(s->threshold_count, sizeof *c.thresholds);
  for (size_t i = 0; i < s->threshold_count; i++) {
    if (measures(v, s->thresholds[i].metric)) {
      c.thresholds[c.threshold_count++] = (report_threshold){s->thresholds[i].metric, s->thresholds[i].percent};
    }
  }
  return c;
}

static void context_free(report_context *c) {
  free(c->root);
  free(c->changes);
  free(c->thresholds);
  changed_lines_free(&c->lines);
}

static report_options options_for(const settings *s, const report_context *c, int exit, FILE *out) {
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
      .database = strcmp(s->database, DEFAULT_DATABASE) == 0 ? NULL : s->database,
      .exit = exit,
      .kernels = s->kernels.items,
      .kernel_count = s->kernels.count,
      .exclude = s->exclude.items,
      .exclude_count = s->exclude.count,
      .root = c == NULL ? NULL : c->root,
      .thresholds = c == NULL ? NULL : c->thresholds,
      .threshold_count = c == NULL ? 0 : c->threshold_count,
      .changes = c == NULL ? NULL : c->changes,
      .change_count = c == NULL ? 0 : c->lines.count,
      .highlight = isolated_highlight,
  };
}

int write_text(const view *v, const settings *s, int exit, FILE *out, error *e) {
  report_options options = options_for(s, NULL, exit, out);
  int result = report_find("text")->write(v, &options, out, e);
  if (result == 0 && fflush(out) != 0 && errno != EPIPE) {
    result = error_set(e, EXIT_INTERNAL, "the report could not be written: %s", strerror(errno));
  }
  return result;
}

/* Pipes, devices and the like are written as they are; files (what a link points to) through a temporary name, so that
 * a reader never finds half a report. */
static int write_file(const view *v, const report_writer *w, const settings *s, const report_context *c, int exit,
                      const char *name, error *e) {
  struct stat status;
  bool special = stat(name, &status) == 0 && !S_ISREG(status.st_mode);
  char *resolved = special ? NULL : realpath(name, NULL);
  const char *path = resolved == NULL ? name : resolved;
  buffer temporary = {0};
  buffer_printf(&temporary, "%s%s", path, special ? "" : ".part");
  buffer sources = {0};
  buffer_printf(&sources, "%s.sources", path);
  int result = 0;
  FILE *out = fopen(buffer_text(&temporary), "w");
  if (out == NULL) {
    result = error_set(e, EXIT_USAGE, "the report \"%s\" cannot be written: %s", path, strerror(errno));
  } else {
    report_options options = options_for(s, c, exit, out);
    size_t written = 0;
    if (w->names_files && !special) {
      options.source_directory = buffer_text(&sources);
      result = report_write_sources(v, options.source_directory, &written, e);
    }
    if (written > 0 && result == 0 && !s->quiet) {
      (void)fprintf(stderr, "cltestcheck: %zu source%s not on disk as built: %s %s beside the report, in %s\n", written,
                    written == 1 ? " is" : "s are", written == 1 ? "a copy" : "copies", written == 1 ? "is" : "are",
                    buffer_text(&sources));
    }
    result = result != 0 ? result : w->write(v, &options, out, e);
    int reason = errno;
    bool failed = ferror(out) != 0;
    if (fclose(out) != 0 || (result == 0 && !failed && !special && rename(buffer_text(&temporary), path) != 0)) {
      reason = failed ? reason : errno;
      failed = true;
    }
    if (failed) {
      result = error_set(e, EXIT_INTERNAL, "the report \"%s\" could not be written: %s", path, strerror(reason));
    }
    if (result != 0 && !special) {
      (void)unlink(buffer_text(&temporary));
      (void)rmdir(buffer_text(&sources)); /* if there is nothing in it */
    }
  }
  free(resolved);
  buffer_free(&temporary);
  buffer_free(&sources);
  return result;
}

static int write_requested(const view *v, const settings *s, const report_context *c, int exit, FILE *standard,
                           error *e) {
  for (size_t i = 0; i < s->format_count; i++) {
    const report_writer *w = report_find(s->formats[i].name);
    const char *path = s->formats[i].file;
    int result = 0;
    if (path != NULL && strcmp(path, "-") != 0) {
      result = write_file(v, w, s, c, exit, path, e);
    } else {
      FILE *out = path == NULL ? standard : stdout;
      report_options options = options_for(s, c, exit, out);
      result = w->write(v, &options, out, e);
      if (result == 0 && fflush(out) != 0 && errno != EPIPE) {
        result = error_set(e, EXIT_INTERNAL, "the report could not be written: %s", strerror(errno));
      }
    }
    if (result != 0) {
      return result;
    }
  }
  return 0;
}

int write_formats(const view *v, const settings *s, int exit, FILE *standard, error *e) {
  report_context c = context_for(v, s);
  int result = write_requested(v, s, &c, exit, standard, e);
  context_free(&c);
  return result;
}

bool below_thresholds(const view *v, const settings *s) {
  report_options options = options_for(s, NULL, 0, stderr);
  coverage total;
  coverage_total(v, &options, &total);
  bool below = false;
  for (size_t i = 0; i < s->threshold_count; i++) {
    ratio r = {0, 0};
    (void)coverage_get(&total, s->thresholds[i].metric, &r);
    double percent = r.total == 0 ? 100.0 : 100.0 * (double)r.covered / (double)r.total;
    if (percent < s->thresholds[i].percent && measures(v, s->thresholds[i].metric)) {
      const char *what = strcmp(s->thresholds[i].metric, "mutation") == 0 ? "score" : "coverage";
      (void)fprintf(stderr, "cltestcheck: %s %s is %.1f %% (%lu of %lu), below --fail-under %s=%g\n",
                    s->thresholds[i].metric, what, percent, r.covered, r.total, s->thresholds[i].metric,
                    s->thresholds[i].percent);
      below = true;
    }
  }
  return below;
}
