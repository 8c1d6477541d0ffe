/* cltestcheck show: the rewritten source of a file, or its tree, without a device; the sources of runs, annotated. */
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "cli/options.h"
#include "cli/output.h"
#include "frontend/frontend.h"
#include "runner/build/build.h"

/* Which files are annotated: those named, by the end of their path or a glob; all that a selected kernel reaches. */

/* Does a path end in `name`, by whole names, or match it as a glob? */
static bool is_named(const char *path, const char *name) {
  return path_ends(path, name) || fnmatch(name, path, 0) == 0;
}

static bool is_reported(const view *v, const bool *functions, size_t file) {
  for (size_t i = 0; i < v->function_count; i++)
    if (functions[i] && v->functions[i].file == file) return true;
  return false;
}

static int no_such_file(const view *v, const char *name, error *e) {
  return error_set(e, EXIT_USAGE, "no source of these runs is named \"%s\"%s%s", name,
                   v->file_count == 0 ? "" : "; there is ", v->file_count == 0 ? "" : v->files[0].name);
}

static int annotate(const view *v, const report_settings *s, const word_list *names, error *e) {
  const report_options shown = terminal_options(s, stdout);
  if (say_unmatched(v, &s->kernels)) return EXIT_NOTHING;
  scoped bool *wanted = mem_calloc(v->file_count, sizeof *wanted);
  scoped bool *functions = report_functions(v, &shown);
  int result = 0;
  for (size_t i = 0; i < v->file_count; i++) wanted[i] = names->count == 0 && is_reported(v, functions, i);
  for (size_t n = 0; n < names->count && result == 0; n++) {
    bool found = false;
    for (size_t i = 0; i < v->file_count; i++)
      if (is_named(v->files[i].name, names->items[n])) found = wanted[i] = true;
    result = found ? 0 : no_such_file(v, names->items[n], e);
  }
  const bool chosen = result == 0;
  return chosen ? annotate_write(v, &shown, wanted, stdout, e) : -1;
}

/* Returns the exit code, or -1 with `e`. */
static int show_annotated(const report_settings *s, const word_list *names, error *e) {
  db *d = NULL;
  view v;
  int code = -1;
  if (db_open(&d, s->database, DB_READ, e) == 0 && load_view(d, NULL, 0, s, &v, e) == 0) {
    code = annotate(&v, s, names, e);
    view_free(&v);
  }
  db_close(d);
  return code;
}

static int show_instrumented(const program_request *r, kernel_form form, error *e) {
  instrument_result made;
  const int result = build_instrumented(r, form, &made, e);
  if (result == 0) (void)fputs(made.texts[0], stdout);
  instrument_free(&made);
  return result;
}

static int show_mutants(const program_request *r, error *e) {
  mutate_result made;
  const int result = build_mutated(r, &(build_mutants){0}, &made, e);
  if (result == 0) (void)fputs(made.texts[0], stdout);
  mutate_free(&made);
  return result;
}

static int show_tree(const program_request *r, error *e) {
  pp_result text;
  tree *t = NULL;
  const int result = front_source(&r->sources[0].input, &text, &t, e);
  if (result == 0) {
    scoped_buffer out = {0};
    tree_dump(t, &out);
    (void)fputs(buffer_text(&out), stdout);
  }
  tree_free(t);
  pp_result_free(&text);
  return result;
}

/* What only --annotate heeds must not be given without it. */
static int check_options(const struct assignments *given, error *e) {
  static const char *const only[] = {"db", "kernel", "exclude", "color"};
  EACH(const assignment, a, given->items, given->count) {
    for (size_t k = 0; a->level == FROM_COMMAND_LINE && k < sizeof only / sizeof only[0]; k++)
      if (strcmp(a->option->name, only[k]) == 0)
        return error_set(e, EXIT_USAGE, "--%s is for show --annotate, which is not given", only[k]);
  }
  return 0;
}

static int cmd_show(const settings *s, error *e) {
  if (s->shown.annotate) return show_annotated(&s->report, &s->given.positional, e);
  if (check_options(s->given.assigned, e) != 0) return -1;
  if (s->given.positional.count != 1)
    return error_set(e, EXIT_USAGE, "show wants one kernel file: cltestcheck show FILE.cl [-- BUILD OPTIONS]");
  program_request r;
  if (request_of_file(&r, s->given.positional.items[0], s->given.command, e) != 0) return -1;
  const kernel_form form = s->shown.memory     ? KERNEL_MEMORY
                           : s->shown.checked  ? KERNEL_CHECKED
                           : s->shown.schedule ? KERNEL_GATED
                                               : KERNEL_COUNTED;
  const int result = s->shown.tree      ? show_tree(&r, e)
                     : s->shown.mutants ? show_mutants(&r, e)
                                        : show_instrumented(&r, form, e);
  if (result != 0 && e->code == EXIT_INTERNAL) e->code = EXIT_USAGE; /* the file is at fault, not we */
  request_free(&r);
  return result;
}

const command command_show = {
    "show",
    "print the rewritten source of a kernel file, or sources with their coverage",
    "[OPTIONS] FILE.cl [-- BUILD OPTIONS] | --annotate [OPTIONS] [FILE…]",
    "Prints what the device's compiler gets instead of FILE.cl built with these options, without running anything. "
    "With --annotate, the sources of the database's newest runs as they were built: each line with the number of test "
    "cases that executed it, and under it what was never seen, findings, and mutants that survived.",
    "cltestcheck show kernels.cl -- -DN=64 -I include",
    cmd_show,
    FOR_SHOW};