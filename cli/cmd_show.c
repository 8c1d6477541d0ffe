/* cltestcheck show: the rewritten source of a file, or its tree, without a device. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/annotating.h"
#include "cli/assignments.h"
#include "cli/commands.h"
#include "cli/mutants.h"
#include "cli/offline.h"
#include "cli/output.h"
#include "frontend/tree.h"
#include "runner/isolate.h"
#include "schedamp/gate.h"

static int show_instrumented(offline *o, instrument_form form, error *e) {
  instrument_result r;
  int result = 0;
  while ((result = isolated_instrument(&o->input, 1, form, form == INSTRUMENT_WITH_GATE ? gate_text : NULL, &r, e)) ==
             0 &&
         r.question_count > 0) {
    for (size_t i = 0; i < r.question_count; i++) {
      offline_answer(o, r.questions[i].expression);
    }
    instrument_free(&r);
  }
  if (result == 0) {
    (void)fputs(r.texts[0], stdout);
  }
  instrument_free(&r);
  return result;
}

static int show_mutants(offline *o, error *e) {
  mutate_result r;
  int result = offline_mutants(o, &r, e);
  if (result == 0) {
    (void)fputs(r.texts[0], stdout);
  }
  mutate_free(&r);
  return result;
}

static int show_tree(offline *o, error *e) {
  pp_result text;
  tree *t = NULL;
  const int result = offline_read(o, &text, &t, e);
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

static instrument_form form_of(const settings *s) {
  return s->show_checked ? INSTRUMENT_WITH_CHECKS : s->show_schedule ? INSTRUMENT_WITH_GATE : INSTRUMENT_FOR_COVERAGE;
}

static int show(const settings *s, offline *o, error *e) {
  return s->show_tree ? show_tree(o, e) : s->show_mutants ? show_mutants(o, e) : show_instrumented(o, form_of(s), e);
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
  if (s->annotate) {
    return show_annotated(s);
  }
  if (has_annotate_option(s, &e)) {
    return say_error(&e);
  }
  if (s->positional.count != 1) {
    (void)error_set(&e, EXIT_USAGE, "show wants one kernel file: cltestcheck show FILE.cl [-- BUILD OPTIONS]");
    return say_error(&e);
  }
  offline o;
  if (offline_open(s->positional.items[0], s->command, &o, &e) != 0) {
    offline_close(&o);
    return say_error(&e);
  }
  int code = EXIT_FINE;
  if (show(s, &o, &e) != 0) {
    code = say_error(&e);
    code = code == EXIT_INTERNAL ? EXIT_USAGE : code; /* the file is at fault, not we */
  }
  offline_close(&o);
  return code;
}
