/* Which files are annotated: those named, by the end of their path or a glob; all that a selected kernel reaches. */
#include "cli/annotating.h"

#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/names.h"
#include "cli/loading.h"
#include "cli/output.h"
#include "reports/text/annotate.h"

/* Does a path end in `name`, by whole names, or match it as a glob? */
static bool is_named(const char *path, const char *name) {
  return path_ends(path, name) || fnmatch(name, path, 0) == 0;
}

static bool is_reported(const view *v, const bool *functions, size_t file) {
  for (size_t i = 0; i < v->function_count; i++) {
    if (functions[i] && v->functions[i].file == file) {
      return true;
    }
  }
  return false;
}

static int no_such_file(const view *v, const char *name, error *e) {
  return error_set(e, EXIT_USAGE, "no source of these runs is named \"%s\"%s%s", name,
                   v->file_count == 0 ? "" : "; there is ", v->file_count == 0 ? "" : v->files[0].name);
}

static int choose(const view *v, const report_options *options, const words *names, bool *wanted, error *e) {
  bool *functions = report_functions(v, options);
  int result = 0;
  for (size_t i = 0; i < v->file_count; i++) {
    wanted[i] = names->count == 0 && is_reported(v, functions, i);
  }
  for (size_t n = 0; n < names->count && result == 0; n++) {
    bool found = false;
    for (size_t i = 0; i < v->file_count; i++) {
      if (is_named(v->files[i].name, names->items[n])) {
        found = wanted[i] = true;
      }
    }
    result = found ? 0 : no_such_file(v, names->items[n], e);
  }
  free(functions);
  return result;
}

static int annotate(const view *v, const report_settings *s, const words *names, error *e) {
  const report_options options = terminal_options(s, stdout);
  if (say_unmatched(v, &s->kernels)) {
    return EXIT_NOTHING;
  }
  bool *wanted = mem_calloc(v->file_count, sizeof *wanted);
  const bool chosen = choose(v, &options, names, wanted, e) == 0;
  const int result = chosen ? annotate_write(v, &options, wanted, stdout, e) : -1;
  free(wanted);
  return result;
}

int show_annotated(const report_settings *s, const words *names) {
  error e;
  db *d = NULL;
  view v;
  int code = -1;
  if (db_open(&d, s->database, DB_READ, &e) == 0 && load_view(d, NULL, 0, s, &v, &e) == 0) {
    code = annotate(&v, s, names, &e);
    view_free(&v);
  }
  db_close(d);
  return code < 0 ? say_error(&e) : code;
}
