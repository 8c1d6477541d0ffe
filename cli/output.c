/* Reports to files and streams, thresholds. */
#include "cli/output.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buffer.h"
#include "reports/report.h"

int say_error(const error *e) {
  (void)fprintf(stderr, "cltestcheck: %s\n", e->text);
  return e->code;
}

static report_options options_for(const settings *s, int exit, FILE *out) {
  bool terminal = isatty(fileno(out)) != 0;
  struct winsize size;
  bool sized = terminal && ioctl(fileno(out), TIOCGWINSZ, &size) == 0 && size.ws_col >= 40;
  bool automatic = terminal && getenv("NO_COLOR") == NULL;
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
  };
}

int write_text(const view *v, const settings *s, int exit, FILE *out, error *e) {
  report_options options = options_for(s, exit, out);
  int result = report_find("text")->write(v, &options, out, e);
  if (result == 0 && fflush(out) != 0 && errno != EPIPE) {
    result = error_set(e, EXIT_INTERNAL, "the report could not be written: %s", strerror(errno));
  }
  return result;
}

/* Pipes, devices and the like are written as they are; files (what a link points to) through a temporary name, so that
 * a reader never finds half a report. */
static int write_file(const view *v, const report_writer *w, const settings *s, int exit, const char *name, error *e) {
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
    report_options options = options_for(s, exit, out);
    if (strcmp(w->name, "lcov") == 0) {
      options.source_directory = buffer_text(&sources);
      result = lcov_write_sources(v, options.source_directory, e);
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

int write_formats(const view *v, const settings *s, int exit, FILE *standard, error *e) {
  for (size_t i = 0; i < s->format_count; i++) {
    const report_writer *w = report_find(s->formats[i].name);
    const char *path = s->formats[i].file;
    int result = 0;
    if (path != NULL && strcmp(path, "-") != 0) {
      result = write_file(v, w, s, exit, path, e);
    } else {
      FILE *out = path == NULL ? standard : stdout;
      report_options options = options_for(s, exit, out);
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

bool below_thresholds(const view *v, const settings *s) {
  report_options options = options_for(s, 0, stderr);
  coverage total;
  coverage_total(v, &options, &total);
  bool below = false;
  for (size_t i = 0; i < s->threshold_count; i++) {
    ratio r = {0, 0};
    (void)coverage_get(&total, s->thresholds[i].metric, &r);
    double percent = r.total == 0 ? 100.0 : 100.0 * (double)r.covered / (double)r.total;
    if (percent < s->thresholds[i].percent) {
      const char *what = strcmp(s->thresholds[i].metric, "mutation") == 0 ? "score" : "coverage";
      (void)fprintf(stderr, "cltestcheck: %s %s is %.1f %% (%lu of %lu), below --fail-under %s=%g\n",
                    s->thresholds[i].metric, what, percent, r.covered, r.total, s->thresholds[i].metric,
                    s->thresholds[i].percent);
      below = true;
    }
  }
  return below;
}
