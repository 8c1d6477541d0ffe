/* Tests that frameworks list: pytest, GoogleTest, CTest. */

#include <jansson.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/files.h"
#include "base/memory.h"
#include "base/subprocess.h"
#include "runner/paths.h"
#include "runner/plan/plan.h"

bool plan_is_listed(const plan_words *s) { return s->tests.pytest || s->tests.gtest || s->tests.ctest != NULL; }

static int plan_pytest(const plan_words *s, plan *p, error *e);
static int plan_ctest(const plan_words *s, plan *p, error *e);
static int plan_gtest(const plan_words *s, plan *p, error *e);

int plan_listed(const plan_words *s, plan *p, error *e) {
  if ((s->tests.pytest ? 1 : 0) + (s->tests.gtest ? 1 : 0) + (s->tests.ctest != NULL ? 1 : 0) > 1) {
    return error_set(e, EXIT_USAGE,
                     "--pytest, --gtest and --ctest each say where test cases come from; give one of them");
  }
  if (s->words.count > 0) {
    return error_set(e, EXIT_USAGE,
                     "\"%s\" cannot be run together with tests that are listed; put what belongs to them after --",
                     s->words.items[0]);
  }
  if (s->tests.capture != NULL)
    return error_set(e, EXIT_USAGE, "--capture keeps one test case; give that one after -- as a program");
  return s->tests.ctest != NULL ? plan_ctest(s, p, e) : s->tests.gtest ? plan_gtest(s, p, e) : plan_pytest(s, p, e);
}

/* Runs a program that lists tests; what it prints on standard output is appended to `out`. Returns its exit status as a
 * shell shows it, or -1 with `e` set when it could not be started. */
static int listing_run(char *const *argv, buffer *out, error *e) {
  const subprocess s = {.argv = argv};
  subprocess_end end;
  int status;
  if (subprocess_read(&s, out, &end, &status, e) != 0) return -1;
  if (end != SUBPROCESS_ENDED)
    return error_set(e, EXIT_USAGE, "%s printed more than 1 GiB when it was asked for its tests", argv[0]);
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

/* Says that something that is listed is not run, and why, unless --quiet is given. */
static void listing_left_out(const plan_words *s, const char *name, const char *why) {
  if (!s->quiet) (void)fprintf(stderr, "cltestcheck: test %s is left out: %s\n", name, why);
}

/* The tests of a GoogleTest program: what --gtest_list_tests prints, each run with --gtest_filter. */

static const char filter_option[] = "--gtest_filter=";
static const char *const no_words[] = {NULL};

/* The program's own words, but for its filter, which has done its part in the listing. */
static char **words_for_tests(char *const *command) {
  char **argv = shell_join(command, no_words);
  size_t kept = 0;
  for (size_t i = 0; argv[i] != NULL; i++)
    if (i == 0 || strncmp(argv[i], filter_option, strlen(filter_option)) != 0)
      argv[kept++] = argv[i];
    else
      free(argv[i]);
  argv[kept] = NULL;
  return argv;
}

static bool has_word(char *const *command, const char *word) {
  for (size_t i = 0; command[i] != NULL; i++)
    if (strcmp(command[i], word) == 0) return true;
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
  scoped_buffer name = {0};
  scoped_buffer filter = {0};
  buffer_printf(&name, "%s%s", l->suite, test);
  buffer_printf(&filter, "%s%s", filter_option, buffer_text(&name));
  int result = 0;
  l->tests++;
  if (!l->all && disabled(l->suite, test)) {
    listing_left_out(l->settings, buffer_text(&name), "it is disabled");
  } else {
    const char *const more[] = {buffer_text(&filter), NULL};
    result = plan_add(l->plan, "", buffer_text(&name), shell_join(l->argv, more), e);
  }
  return result;
}

/* One line, which is changed: "Suite." or "  Test", each with a comment after "  # " or without. Others are what the
 * program prints itself. */
static int take_line(gtest_list *l, char *line, error *e) {
  char *comment = strstr(line, "  # ");
  if (comment != NULL) *comment = '\0';
  const size_t length = strlen(line);
  if (length > 1 && line[0] != ' ' && line[length - 1] == '.' && strchr(line, ' ') == NULL) {
    free(l->suite);
    l->suite = mem_strdup(line);
    return 0;
  }
  const bool test = length > 2 && strncmp(line, "  ", 2) == 0 && strchr(line + 2, ' ') == NULL;
  return test && l->suite != NULL ? add_listed(l, line + 2, e) : 0;
}

static int plan_gtest(const plan_words *s, plan *p, error *e) {
  if (s->command == NULL || s->command[0] == NULL) {
    return error_set(e, EXIT_USAGE,
                     "--gtest: no program was given after --, such as: cltestcheck %s --gtest -- ./my_tests", s->verb);
  }
  if (!plan_is_program(s->command[0]))
    return error_set(e, EXIT_USAGE, "--gtest: \"%s\" is no program that can be run", s->command[0]);
  const char *const list[] = {"--gtest_list_tests", NULL};
  char **argv = shell_join(s->command, list);
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
  scoped char *text = buffer_take(&out);
  for (char *line = strtok_r(text, "\r\n", &rest); line != NULL && result == 0; line = strtok_r(NULL, "\r\n", &rest))
    result = take_line(&l, line, e);
  if (result == 0 && p->count == 0) {
    result = error_set(e, EXIT_USAGE,
                       l.tests > 0 ? "%s --gtest_list_tests lists disabled tests only"
                                   : "%s --gtest_list_tests lists no test; was it made with GoogleTest?",
                       argv[0]);
  }
  free(l.suite);
  shell_free(l.argv);
  shell_free(argv);
  return result;
}

/* The tests of a pytest suite. For coverage it runs once, and our plugin (packaging/pytest) names its tests; else the
 * plugin lists them, and each is run alone. */

static const char list_variable[] = "CLTESTCHECK_PYTEST_LIST"; /* pytest_cltestcheck.py reads it */

/* Python finds the plugin that came with this program, whether or not one is installed. */
static int offer_plugin(error *e) {
  scoped char *folder = own_path("pytest");
  if (folder == NULL)
    return error_set(e, EXIT_INTERNAL, "the pytest plugin is not where cltestcheck looks for it; install it again");
  const char *old = getenv("PYTHONPATH");
  scoped_buffer path = buffer_with("%s%s%s", folder, old == NULL || old[0] == '\0' ? "" : ":", old == NULL ? "" : old);
  (void)setenv("PYTHONPATH", buffer_text(&path), 1);
  return 0;
}

static int plan_one_run(plan *p, char **command, error *e) {
  static const char *const more[] = {"-p", "pytest_cltestcheck", "--cltestcheck", NULL};
  return plan_add(p, "", "pytest", shell_join(command, more), e);
}

/* One entry of the plugin's list: {"name": …, "command": [words]}. */
static int pytest_add_listed(plan *p, const json_t *test, error *e) {
  const json_t *command = json_object_get(test, "command");
  char **argv = mem_calloc(json_array_size(command) + 1, sizeof *argv);
  for (size_t i = 0; i < json_array_size(command); i++)
    argv[i] = mem_strdup(json_string_value(json_array_get(command, i)));
  return plan_add(p, "", json_string_value(json_object_get(test, "name")), argv, e);
}

static int plan_each(plan *p, char **command, error *e) {
  static const char *const more[] = {"-p", "pytest_cltestcheck", "--collect-only", NULL};
  enum { NO_TESTS = 5 }; /* exit status of pytest */
  char *folder = scratch_temporary("cltestcheck-pytest", e);
  if (folder == NULL) return -1;
  scoped_buffer path = buffer_with("%s/tests.json", folder);
  (void)setenv(list_variable, buffer_text(&path), 1);
  char **argv = shell_join(command, more);
  scoped_buffer out = {0};
  int result = listing_run(argv, &out, e);
  (void)unsetenv(list_variable);
  if (result > 0 && result != NO_TESTS) {
    (void)fwrite(buffer_text(&out), 1, out.length, stderr);
    result = error_set(e, EXIT_BASELINE, "pytest could not list its tests: exit status %d", result);
  } else if (result >= 0) {
    json_t *list = json_load_file(buffer_text(&path), 0, NULL);
    const json_t *tests = json_object_get(list, "tests");
    result = list != NULL ? 0
                          : error_set(e, EXIT_USAGE,
                                      "%s did not list its tests; give pytest as the program after --, such as: "
                                      "python3 -m pytest tests",
                                      command[0]);
    for (size_t i = 0; i < json_array_size(tests) && result == 0; i++)
      result = pytest_add_listed(p, json_array_get(tests, i), e);
    if (result == 0 && p->count == 0) result = error_set(e, EXIT_USAGE, "pytest finds no test");
    json_decref(list);
  }
  (void)unlink(buffer_text(&path));
  shell_free(argv);
  scratch_close(folder);
  return result;
}

static int plan_pytest(const plan_words *s, plan *p, error *e) {
  /* What stands after `--`, with `python3 -m pytest` in front where that is no program. */
  static char *const pytest[] = {"python3", "-m", "pytest", NULL};
  char *const none[] = {NULL};
  char *const *own = s->command == NULL ? none : s->command;
  const size_t length = own[0] == NULL ? 0 : strlen(own[0]);
  const bool module = length > 3 && strcmp(own[0] + length - 3, ".py") == 0;
  const bool program = length > 0 && !module && plan_is_program(own[0]);
  char **command = program ? shell_join(own, no_words) : shell_join(pytest, (const char *const *)own);
  int result = offer_plugin(e);
  if (result == 0) result = strcmp(s->verb, "coverage") == 0 ? plan_one_run(p, command, e) : plan_each(p, command, e);
  shell_free(command);
  return result;
}

/* The tests of a CMake build: what `ctest --show-only=json-v1` prints. A test runs as CTest would run it: in its
 * working directory, with its environment, after those that it depends on; properties that say when it passes become a
 * line of shell around it, so that its command can be run as it is printed. */

static const json_t *property(const json_t *test, const char *name) {
  const json_t *properties = json_object_get(test, "properties");
  for (size_t i = 0; i < json_array_size(properties); i++) {
    const json_t *p = json_array_get(properties, i);
    const char *own = json_string_value(json_object_get(p, "name"));
    if (own != NULL && strcmp(own, name) == 0) return json_object_get(p, "value");
  }
  return NULL;
}

static const char *name_of(const json_t *test) {
  const char *name = json_string_value(json_object_get(test, "name"));
  return name == NULL ? "" : name;
}

/* Whether a list has the text, or shares one with the other list. */
static bool lists(const json_t *list, const char *text) {
  for (size_t i = 0; i < json_array_size(list); i++) {
    const char *item = json_string_value(json_array_get(list, i));
    if (item != NULL && strcmp(item, text) == 0) return true;
  }
  return false;
}

static bool share(const json_t *list, const json_t *other) {
  for (size_t i = 0; i < json_array_size(list); i++) {
    const char *item = json_string_value(json_array_get(list, i));
    if (item != NULL && lists(other, item)) return true;
  }
  return false;
}

/* Whether `a` has to run before `b`. */
static bool goes_first(const json_t *a, const json_t *b) {
  const json_t *sets_up = property(a, "FIXTURES_SETUP");
  const json_t *cleans_up = property(b, "FIXTURES_CLEANUP");
  return lists(property(b, "DEPENDS"), name_of(a)) || share(sets_up, property(b, "FIXTURES_REQUIRED")) ||
         share(sets_up, cleans_up) || share(property(a, "FIXTURES_REQUIRED"), cleans_up);
}

typedef struct ctest_order {
  const json_t *tests;
  bool *seen;
  const json_t **order;
  size_t count;
} ctest_order;

/* As deep as dependencies go. */
static void put_in_order(ctest_order *o, size_t index) {
  if (o->seen[index]) return;
  o->seen[index] = true;
  const json_t *test = json_array_get(o->tests, index);
  for (size_t i = 0; i < json_array_size(o->tests); i++)
    if (!o->seen[i] && goes_first(json_array_get(o->tests, i), test)) put_in_order(o, i);
  o->order[o->count++] = test;
}

/* --- environment -------------------------------------------------------------------------------------------------- */

/* Variables as `env` takes them: NAME=VALUE, and names to unset. */
typedef struct ctest_environment {
  word_list set, unset;
} ctest_environment;

static const char *value_now(const ctest_environment *v, const char *name) {
  const size_t length = strlen(name);
  for (size_t i = v->set.count; i-- > 0;)
    if (strncmp(v->set.items[i], name, length) == 0 && v->set.items[i][length] == '=')
      return v->set.items[i] + length + 1;
  return getenv(name);
}

static void set_variable(ctest_environment *v, const char *name, const char *value) {
  *ARRAY_ADD(v->set.items, v->set.count, v->set.capacity) = mem_printf("%s=%s", name, value);
}

/* Operations of ENVIRONMENT_MODIFICATION that join the old value and a new one. */
static const struct joining {
  const char *operation, *between;
  bool behind;
} joinings[] = {
    {"string_append", "", true},       {"string_prepend", "", false},    {"path_list_append", ":", true},
    {"path_list_prepend", ":", false}, {"cmake_list_append", ";", true}, {"cmake_list_prepend", ";", false},
};

/* One entry: NAME=OPERATION:VALUE. */
static void modify(ctest_environment *v, const char *entry) {
  const char *equals = strchr(entry, '=');
  const char *colon = equals == NULL ? NULL : strchr(equals, ':');
  if (colon == NULL) return;
  scoped char *name = mem_strndup(entry, (size_t)(equals - entry));
  scoped char *operation = mem_strndup(equals + 1, (size_t)(colon - equals - 1));
  const char *old = value_now(v, name);
  if (strcmp(operation, "set") == 0)
    set_variable(v, name, colon + 1);
  else if (strcmp(operation, "unset") == 0)
    *ARRAY_ADD(v->unset.items, v->unset.count, v->unset.capacity) = mem_strdup(name);
  else if (strcmp(operation, "reset") == 0 && getenv(name) != NULL)
    set_variable(v, name, getenv(name));
  for (size_t i = 0; i < sizeof joinings / sizeof *joinings; i++) {
    if (strcmp(joinings[i].operation, operation) == 0) {
      const char *between = old == NULL || old[0] == '\0' ? "" : joinings[i].between;
      scoped_buffer joined = buffer_with("%s%s%s", joinings[i].behind ? (old == NULL ? "" : old) : colon + 1, between,
                                         joinings[i].behind ? colon + 1 : (old == NULL ? "" : old));
      set_variable(v, name, buffer_text(&joined));
    }
  }
}

/* --- the command -------------------------------------------------------------------------------------------------- */

static bool is_here(const char *folder) {
  char here[PATH_MAX];
  char there[PATH_MAX];
  return realpath(".", here) != NULL && realpath(folder, there) != NULL && strcmp(here, there) == 0;
}

static void add(word_list *line, const char *word) {
  *ARRAY_ADD(line->items, line->count, line->capacity) = mem_strdup(word);
}

static char **command_line(const json_t *test) {
  word_list line = {0};
  /* `env` with the working directory and the environment, where there is something of either. */
  ctest_environment v = {0};
  const json_t *set = property(test, "ENVIRONMENT");
  for (size_t i = 0; i < json_array_size(set); i++) {
    const char *entry = json_string_value(json_array_get(set, i));
    if (entry != NULL && strchr(entry, '=') != NULL)
      *ARRAY_ADD(v.set.items, v.set.count, v.set.capacity) = mem_strdup(entry);
  }
  const json_t *changes = property(test, "ENVIRONMENT_MODIFICATION");
  for (size_t i = 0; i < json_array_size(changes); i++) {
    const char *entry = json_string_value(json_array_get(changes, i));
    modify(&v, entry == NULL ? "" : entry);
  }
  const char *folder = json_string_value(property(test, "WORKING_DIRECTORY"));
  const bool elsewhere = folder != NULL && !is_here(folder);
  if (elsewhere || v.set.count + v.unset.count > 0) add(&line, "env");
  for (size_t i = 0; i < v.unset.count; i++) {
    add(&line, "-u");
    add(&line, v.unset.items[i]);
  }
  if (elsewhere) {
    add(&line, "-C");
    add(&line, folder);
  }
  for (size_t i = 0; i < v.set.count; i++) add(&line, v.set.items[i]);
  const word_list *const both[] = {&v.set, &v.unset};
  for (size_t b = 0; b < 2; b++) mem_free_all(both[b]->items, both[b]->count);
  /* When a test passes that does not pass by exit status 0 alone; NULL: it does. To be freed. */
  const json_t *skip = property(test, "SKIP_RETURN_CODE");
  buffer text = {0};
  if (property(test, "PASS_REGULAR_EXPRESSION") != NULL) /* CTest does not look at the status then; a crash fails */
    buffer_puts(&text, "\"$@\"; [ $? -lt 128 ]");
  else if (json_is_true(property(test, "WILL_FAIL")))
    buffer_puts(&text, "\"$@\"; status=$?; [ $status -gt 0 ] && [ $status -lt 128 ]");
  else if (json_is_number(skip))
    buffer_printf(&text, "\"$@\" || [ $? = %d ]", (int)json_number_value(skip));
  char *passes = text.length == 0 ? NULL : buffer_take(&text);
  if (passes != NULL) {
    add(&line, "sh");
    add(&line, "-c");
    add(&line, passes);
    add(&line, "sh");
  }
  free(passes);
  const json_t *command = json_object_get(test, "command");
  for (size_t i = 0; i < json_array_size(command); i++) {
    const char *word = json_string_value(json_array_get(command, i));
    add(&line, word == NULL ? "" : word);
  }
  *ARRAY_ADD(line.items, line.count, line.capacity) = NULL;
  return (char **)line.items;
}

/* --- the plan ----------------------------------------------------------------------------------------------------- */

static int ctest_add_listed(const plan_words *s, plan *p, const json_t *test, error *e) {
  const char *program = json_string_value(json_array_get(json_object_get(test, "command"), 0));
  const char *name = name_of(test);
  if (json_is_true(property(test, "DISABLED"))) {
    listing_left_out(s, name, "it is disabled");
  } else if (program == NULL || !plan_is_program(program)) {
    listing_left_out(s, name, "its program is not there; build the project first");
  } else {
    if (property(test, "PASS_REGULAR_EXPRESSION") != NULL || property(test, "FAIL_REGULAR_EXPRESSION") != NULL) {
      (void)fprintf(stderr, "cltestcheck: test %s passes or fails in CTest by what it prints, which is not looked at\n",
                    name);
    }
    const int result = plan_add(p, "", name, command_line(test), e);
    p->tests[p->count - 1].limit = json_number_value(property(test, "TIMEOUT"));
    return result;
  }
  return 0;
}

static int add_all(const plan_words *s, plan *p, const json_t *tests, error *e) {
  const size_t count = json_array_size(tests);
  ctest_order o = {tests, mem_calloc(count, sizeof *o.seen), mem_calloc(count, sizeof *o.order), 0};
  for (size_t i = 0; i < count; i++) put_in_order(&o, i);
  int result = 0;
  for (size_t i = 0; i < count && result == 0; i++) result = ctest_add_listed(s, p, o.order[i], e);
  free(o.seen);
  free(o.order);
  if (result == 0 && p->count == 0)
    result = error_set(e, EXIT_USAGE, "CTest lists no test to run in %s", s->tests.ctest);
  return result;
}

static int plan_ctest(const plan_words *s, plan *p, error *e) {
  char *const head[] = {"ctest", "--test-dir", (char *)s->tests.ctest, "--show-only=json-v1", NULL};
  if (!plan_is_program("ctest"))
    return error_set(e, EXIT_USAGE, "--ctest: ctest was not found in PATH; it comes with CMake");
  char **argv = shell_join(head, s->command == NULL ? no_words : (const char *const *)s->command);
  scoped_buffer out = {0};
  int result = listing_run(argv, &out, e);
  const char *begin = strchr(buffer_text(&out), '{'); /* --test-dir prints a line before it */
  json_t *list = result == 0 && begin != NULL ? json_loads(begin, JSON_DISABLE_EOF_CHECK, NULL) : NULL;
  if (result >= 0 && list == NULL) {
    result = error_set(e, EXIT_USAGE, "ctest cannot list the tests of %s: is it the build folder of a CMake project?",
                       s->tests.ctest);
  } else if (result == 0) {
    result = add_all(s, p, json_object_get(list, "tests"), e);
  }
  json_decref(list);
  shell_free(argv);
  return result;
}
