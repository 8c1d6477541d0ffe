#include "runner/plan/recorded.h"

#include <string.h>

#include "base/shell.h"

/* Puts the test case of that name first. */
static int choose(plan *p, const recorded_test *t, error *e) {
  for (size_t i = 0; i < p->count; i++) {
    if (strcmp(p->tests[i].name, t->name) == 0) {
      const experiment_test first = p->tests[0];
      p->tests[0] = p->tests[i];
      p->tests[i] = first;
      return 0;
    }
  }
  return error_set(e, EXIT_USAGE, "--replay: suite %s has no test case %s any more; give the program after --",
                   t->suite, t->name);
}

int recorded_plan(const plan_words *s, const recorded_test *t, plan *out, char ***command, error *e) {
  *command = NULL;
  if (s->command != NULL || s->word_count > 0) {
    return plan_make(s, out, e);
  }
  plan_words recorded = *s;
  if (t->suite[0] == '\0') {
    *command = shell_split(t->command_line);
    if (*command == NULL) {
      return error_set(e, EXIT_USAGE,
                       "--replay: %s is no command line that can be run again; give the program after --",
                       t->command_line);
    }
    recorded.command = *command;
    return plan_make(&recorded, out, e);
  }
  char **line = shell_split(t->command_line); /* of kernel cases: their file */
  const bool cases = line != NULL && line[1] == NULL && plan_names_suite(line[0]);
  const char *suite = cases ? line[0] : t->suite;
  recorded.words = &suite;
  recorded.word_count = 1;
  const int result = plan_make(&recorded, out, e) == 0 ? choose(out, t, e) : -1;
  shell_free(line);
  return result;
}
