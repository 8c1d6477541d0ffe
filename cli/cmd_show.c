/* cltestcheck show: the rewritten source of a file, or its tree, without a device. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/annotating.h"
#include "cli/assignments.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "frontend/frontend.h"
#include "frontend/tree.h"
#include "runner/build/build.h"

static int show_instrumented(const program_request *r, kernel_form form, error *e) {
  instrument_result made;
  const int result = build_instrumented(r, form, &made, e);
  if (result == 0) {
    (void)fputs(made.texts[0], stdout);
  }
  instrument_free(&made);
  return result;
}

static int show_mutants(const program_request *r, error *e) {
  mutate_result made;
  const int result = build_mutated(r, &(build_mutants){0}, &made, e);
  if (result == 0) {
    (void)fputs(made.texts[0], stdout);
  }
  mutate_free(&made);
  return result;
}

static int show_tree(const program_request *r, error *e) {
  pp_result text;
  tree *t = NULL;
  const int result = front_source(&r->sources[0].input, &text, &t, e);
  if (result == 0) {
    buffer out = {0};
    tree_dump(t, &out);
    (void)fputs(buffer_text(&out), stdout);
    buffer_free(&out);
  }
  tree_free(t);
  pp_result_free(&text);
  return result;
}

static kernel_form form_of(const settings *s) {
  return s->shown.show_memory     ? KERNEL_MEMORY
         : s->shown.show_checked  ? KERNEL_CHECKED
         : s->shown.show_schedule ? KERNEL_GATED
                                  : KERNEL_COUNTED;
}

static int show(const settings *s, const program_request *r, error *e) {
  return s->shown.show_tree      ? show_tree(r, e)
         : s->shown.show_mutants ? show_mutants(r, e)
                                 : show_instrumented(r, form_of(s), e);
}

/* What only --annotate heeds must not be given without it. */
static bool has_annotate_option(const settings *s, error *e) {
  static const char *const only[] = {"db", "kernel", "exclude", "color"};
  for (size_t i = 0; i < s->assigned->count; i++) {
    const assignment *a = &s->assigned->items[i];
    for (size_t k = 0; a->level == FROM_COMMAND_LINE && k < sizeof only / sizeof only[0]; k++) {
      if (strcmp(a->option->name, only[k]) == 0) {
        (void)error_set(e, EXIT_USAGE, "--%s is for show --annotate, which is not given", only[k]);
        return true;
      }
    }
  }
  return false;
}

int cmd_show(const settings *s) {
  error e;
  if (s->shown.annotate) {
    return show_annotated(s);
  }
  if (has_annotate_option(s, &e)) {
    return say_error(&e);
  }
  if (s->positional.count != 1) {
    (void)error_set(&e, EXIT_USAGE, "show wants one kernel file: cltestcheck show FILE.cl [-- BUILD OPTIONS]");
    return say_error(&e);
  }
  program_request r;
  if (request_of_file(&r, s->positional.items[0], s->command, &e) != 0) {
    return say_error(&e);
  }
  int code = EXIT_FINE;
  if (show(s, &r, &e) != 0) {
    code = say_error(&e);
    code = code == EXIT_INTERNAL ? EXIT_USAGE : code; /* the file is at fault, not we */
  }
  request_free(&r);
  return code;
}
