#include "runner/plan/recorded.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/names.h"
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

/* What names a suite on a command line, to be freed. A database of before has no word: of kernel cases it is their file. */
static char *positional_of(const char *word, const char *suite, const char *command_line) {
  if (word[0] != '\0') {
    return mem_strdup(word);
  }
  char **line = shell_split(command_line);
  const bool cases = line != NULL && line[1] == NULL && plan_names_suite(line[0]);
  char *older = mem_strdup(cases ? line[0] : suite);
  shell_free(line);
  return older;
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
  char *suite = positional_of(t->word, t->suite, t->command_line);
  const char *item = suite;
  recorded.words = &item;
  recorded.word_count = 1;
  const int result = plan_make(&recorded, out, e) == 0 ? choose(out, t, e) : -1;
  free(suite);
  return result;
}

static void add_suite(recorded_run *lent, const view_test_case *t) {
  char *word = positional_of(t->word, t->suite, t->command_line);
  if (name_number((const char *const *)lent->suites, lent->suite_count, word) < 0) {
    *ARRAY_ADD(lent->suites, lent->suite_count, lent->suite_capacity) = word;
  } else {
    free(word);
  }
}

static int take_test_cases(const view *v, recorded_run *lent, error *e) {
  for (size_t i = 0; i < v->test_case_count; i++) {
    const view_test_case *t = &v->test_cases[i];
    if (t->suite[0] != '\0') {
      add_suite(lent, t);
    } else if (lent->command == NULL && (lent->command = shell_split(t->command_line)) == NULL) {
      return error_set(e, EXIT_USAGE,
                       "--resume: %s is no command line that can be run again; give the program after --",
                       t->command_line);
    }
  }
  return lent->command != NULL || lent->suite_count > 0
             ? 0
             : error_set(e, EXIT_USAGE, "--resume: the run ended before its program began; give the program after --");
}

int recorded_run_plan(const plan_words *s, db *d, int64_t run, plan *out, recorded_run *lent, error *e) {
  view v;
  *lent = (recorded_run){0};
  if (db_load(d, &run, 1, &v, e) != 0) {
    return -1;
  }
  plan_words recorded = *s;
  int result = take_test_cases(&v, lent, e);
  view_free(&v);
  recorded.command = lent->command;
  recorded.words = (const char **)lent->suites;
  recorded.word_count = lent->suite_count;
  return result == 0 ? plan_make(&recorded, out, e) : result;
}

void recorded_run_free(recorded_run *lent) {
  mem_free_all(lent->suites, lent->suite_count);
  shell_free(lent->command);
  *lent = (recorded_run){0};
}
