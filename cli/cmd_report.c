/* cltestcheck report: reports on runs that the database holds. */
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "cli/commands.h"
#include "cli/output.h"
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

static int cmd_report(const settings *s) {
  error e;
  db *d = NULL;
  scoped int64_t *runs = NULL;
  size_t count = 0;
  view v;
  int code = -1;
  if (db_open(&d, s->report.database, DB_READ, &e) == 0 &&
      read_runs(&s->given.positional, s->shown.all, d, &runs, &count, &e) == 0 &&
      load_view(d, runs, count, &s->report, &v, &e) == 0) {
    code = write_all(&s->report, &v, &e);
    view_free(&v);
  }
  db_close(d);
  return code < 0 ? say_error(&e) : code;
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
