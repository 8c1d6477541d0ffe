/* The tests of a pytest suite. For coverage it runs once, and our plugin (packaging/pytest) names its tests; else the
 * plugin lists them, and each is run alone. */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/scratch.h"
#include "runner/paths.h"
#include "runner/plan/listing.h"

static const char list_variable[] = "CLTESTCHECK_PYTEST_LIST"; /* pytest_cltestcheck.py reads it */

/* Python finds the plugin that came with this program, whether or not one is installed. */
static int offer_plugin(error *e) {
  char *folder = own_path("pytest");
  if (folder == NULL) {
    return error_set(e, EXIT_INTERNAL, "the pytest plugin is not where cltestcheck looks for it; install it again");
  }
  const char *old = getenv("PYTHONPATH");
  buffer path = {0};
  buffer_printf(&path, "%s%s%s", folder, old == NULL || old[0] == '\0' ? "" : ":", old == NULL ? "" : old);
  (void)setenv("PYTHONPATH", buffer_text(&path), 1);
  buffer_free(&path);
  free(folder);
  return 0;
}

/* What stands after `--`, with `python3 -m pytest` in front where that is no program. */
static char **command_of(const plan_words *s) {
  static char *const pytest[] = {"python3", "-m", "pytest", NULL};
  char *const none[] = {NULL};
  char *const *own = s->command == NULL ? none : s->command;
  const size_t length = own[0] == NULL ? 0 : strlen(own[0]);
  const bool module = length > 3 && strcmp(own[0] + length - 3, ".py") == 0;
  const char *const nothing[] = {NULL};
  const bool program = length > 0 && !module && plan_is_program(own[0]);
  return program ? listing_join(own, nothing) : listing_join(pytest, (const char *const *)own);
}

static int plan_one_run(plan *p, char **command, error *e) {
  static const char *const more[] = {"-p", "pytest_cltestcheck", "--cltestcheck", NULL};
  int result = plan_add(p, "", "pytest", listing_join(command, more), e);
  return result;
}

/* One entry of the plugin's list: {"name": …, "command": [words]}. */
static int add_listed(plan *p, const json_t *test, error *e) {
  const json_t *command = json_object_get(test, "command");
  char **argv = mem_calloc(json_array_size(command) + 1, sizeof *argv);
  for (size_t i = 0; i < json_array_size(command); i++) {
    argv[i] = mem_strdup(json_string_value(json_array_get(command, i)));
  }
  return plan_add(p, "", json_string_value(json_object_get(test, "name")), argv, e);
}

static int take_list(plan *p, const char *path, char *const *command, error *e) {
  json_t *list = json_load_file(path, 0, NULL);
  const json_t *tests = json_object_get(list, "tests");
  int result = list != NULL ? 0
                            : error_set(e, EXIT_USAGE,
                                        "%s did not list its tests; give pytest as the program after --, such as: "
                                        "python3 -m pytest tests",
                                        command[0]);
  for (size_t i = 0; i < json_array_size(tests) && result == 0; i++) {
    result = add_listed(p, json_array_get(tests, i), e);
  }
  if (result == 0 && p->count == 0) {
    result = error_set(e, EXIT_USAGE, "pytest finds no test");
  }
  json_decref(list);
  return result;
}

static int plan_each(plan *p, char **command, error *e) {
  static const char *const more[] = {"-p", "pytest_cltestcheck", "--collect-only", NULL};
  enum { NO_TESTS = 5 }; /* exit status of pytest */
  char *folder = scratch_temporary("cltestcheck-pytest", e);
  if (folder == NULL) {
    return -1;
  }
  buffer path = {0};
  buffer_printf(&path, "%s/tests.json", folder);
  (void)setenv(list_variable, buffer_text(&path), 1);
  char **argv = listing_join(command, more);
  buffer out = {0};
  int result = listing_run(argv, &out, e);
  (void)unsetenv(list_variable);
  if (result > 0 && result != NO_TESTS) {
    (void)fwrite(buffer_text(&out), 1, out.length, stderr);
    result = error_set(e, EXIT_BASELINE, "pytest could not list its tests: exit status %d", result);
  } else if (result >= 0) {
    result = take_list(p, buffer_text(&path), command, e);
  }
  (void)unlink(buffer_text(&path));
  buffer_free(&path);
  buffer_free(&out);
  listing_free(argv);
  scratch_close(folder);
  return result;
}

int plan_pytest(const plan_words *s, plan *p, error *e) {
  char **command = command_of(s);
  int result = offer_plugin(e);
  if (result == 0) {
    result = strcmp(s->verb, "coverage") == 0 ? plan_one_run(p, command, e) : plan_each(p, command, e);
  }
  listing_free(command);
  return result;
}
