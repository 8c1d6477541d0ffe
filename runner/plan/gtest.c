/* The tests of a GoogleTest program: what --gtest_list_tests prints, each run with --gtest_filter. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "runner/plan/listing.h"

static const char filter_option[] = "--gtest_filter=";

/* The program's own words, but for its filter, which has done its part in the listing. */
static char **words_for_tests(char *const *command) {
  size_t count = 0;
  for (; command[count] != NULL; count++) {
  }
  char **argv = mem_calloc(count + 1, sizeof *argv);
  size_t kept = 0;
  for (size_t i = 0; i < count; i++) {
    if (i == 0 || strncmp(command[i], filter_option, strlen(filter_option)) != 0) {
      argv[kept++] = mem_strdup(command[i]);
    }
  }
  return argv;
}

static bool has_word(char *const *command, const char *word) {
  for (size_t i = 0; command[i] != NULL; i++) {
    if (strcmp(command[i], word) == 0) {
      return true;
    }
  }
  return false;
}

/* As GoogleTest decides it: "DISABLED_" at the front of a test's or a suite's name, or after a slash in it. */
static bool disabled(const char *suite, const char *test) {
  return strncmp(suite, "DISABLED_", 9) == 0 || strstr(suite, "/DISABLED_") != NULL ||
         strncmp(test, "DISABLED_", 9) == 0;
}

typedef struct gtest_list {
  const plan_words *settings;
  plan *plan;
  char **argv;
  char *suite; /* with the dot at its end; NULL before the first */
  bool all;    /* disabled tests, too */
  size_t tests;
} gtest_list;

static int add_listed(gtest_list *l, const char *test, error *e) {
  buffer name = {0};
  buffer filter = {0};
  buffer_printf(&name, "%s%s", l->suite, test);
  buffer_printf(&filter, "%s%s", filter_option, buffer_text(&name));
  int result = 0;
  l->tests++;
  if (!l->all && disabled(l->suite, test)) {
    listing_left_out(l->settings, buffer_text(&name), "it is disabled");
  } else {
    const char *const more[] = {buffer_text(&filter), NULL};
    result = plan_add(l->plan, "", buffer_text(&name), listing_join(l->argv, more), e);
  }
  buffer_free(&name);
  buffer_free(&filter);
  return result;
}

/* One line, which is changed: "Suite." or "  Test", each with a comment after "  # " or without. Others are what the
 * program prints itself. */
static int take_line(gtest_list *l, char *line, error *e) {
  char *comment = strstr(line, "  # ");
  if (comment != NULL) {
    *comment = '\0';
  }
  const size_t length = strlen(line);
  if (length > 1 && line[0] != ' ' && line[length - 1] == '.' && strchr(line, ' ') == NULL) {
    free(l->suite);
    l->suite = mem_strdup(line);
    return 0;
  }
  const bool test = length > 2 && strncmp(line, "  ", 2) == 0 && strchr(line + 2, ' ') == NULL;
  return test && l->suite != NULL ? add_listed(l, line + 2, e) : 0;
}

int plan_gtest(const plan_words *s, plan *p, error *e) {
  if (s->command == NULL || s->command[0] == NULL) {
    return error_set(e, EXIT_USAGE,
                     "--gtest: no program was given after --, such as: cltestcheck %s --gtest -- ./my_tests", s->verb);
  }
  if (!plan_is_program(s->command[0])) {
    return error_set(e, EXIT_USAGE, "--gtest: \"%s\" is no program that can be run", s->command[0]);
  }
  const char *const list[] = {"--gtest_list_tests", NULL};
  char **argv = listing_join(s->command, list);
  gtest_list l = {s, p, words_for_tests(s->command), NULL, has_word(s->command, "--gtest_also_run_disabled_tests"), 0};
  buffer out = {0};
  int result = listing_run(argv, &out, e);
  if (result > 0) {
    result = error_set(e, EXIT_BASELINE,
                       "%s --gtest_list_tests ends with exit status %d and lists no tests: is it a GoogleTest program? "
                       "Without --gtest it runs as one test case",
                       argv[0], result);
  }
  char *rest = NULL;
  char *text = buffer_take(&out);
  for (char *line = strtok_r(text, "\r\n", &rest); line != NULL && result == 0; line = strtok_r(NULL, "\r\n", &rest)) {
    result = take_line(&l, line, e);
  }
  if (result == 0 && p->count == 0) {
    result = error_set(e, EXIT_USAGE,
                       l.tests > 0 ? "%s --gtest_list_tests lists disabled tests only"
                                   : "%s --gtest_list_tests lists no test; was it made with GoogleTest?",
                       argv[0]);
  }
  free(text);
  free(l.suite);
  listing_free(l.argv);
  listing_free(argv);
  return result;
}
