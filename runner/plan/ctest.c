/* The tests of a CMake build: what `ctest --show-only=json-v1` prints. A test runs as CTest would run it: in its
 * working directory, with its environment, after those that it depends on; properties that say when it passes become a
 * line of shell around it, so that its command can be run as it is printed. */
#include <jansson.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/names.h"
#include "runner/plan/listing.h"

/* --- properties --------------------------------------------------------------------------------------------------- */

static const json_t *property(const json_t *test, const char *name) {
  const json_t *properties = json_object_get(test, "properties");
  for (size_t i = 0; i < json_array_size(properties); i++) {
    const json_t *p = json_array_get(properties, i);
    const char *own = json_string_value(json_object_get(p, "name"));
    if (own != NULL && strcmp(own, name) == 0) {
      return json_object_get(p, "value");
    }
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
    if (item != NULL && strcmp(item, text) == 0) {
      return true;
    }
  }
  return false;
}

static bool share(const json_t *list, const json_t *other) {
  for (size_t i = 0; i < json_array_size(list); i++) {
    const char *item = json_string_value(json_array_get(list, i));
    if (item != NULL && lists(other, item)) {
      return true;
    }
  }
  return false;
}

/* --- order: dependencies and fixtures ----------------------------------------------------------------------------- */

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
  if (o->seen[index]) {
    return;
  }
  o->seen[index] = true;
  const json_t *test = json_array_get(o->tests, index);
  for (size_t i = 0; i < json_array_size(o->tests); i++) {
    if (!o->seen[i] && goes_first(json_array_get(o->tests, i), test)) {
      put_in_order(o, i);
    }
  }
  o->order[o->count++] = test;
}

/* --- environment -------------------------------------------------------------------------------------------------- */

/* Variables as `env` takes them: NAME=VALUE, and names to unset. */
typedef struct ctest_environment {
  words set, unset;
} ctest_environment;

static const char *value_now(const ctest_environment *v, const char *name) {
  const size_t length = strlen(name);
  for (size_t i = v->set.count; i-- > 0;) {
    if (strncmp(v->set.items[i], name, length) == 0 && v->set.items[i][length] == '=') {
      return v->set.items[i] + length + 1;
    }
  }
  return getenv(name);
}

static void set_variable(ctest_environment *v, const char *name, const char *value) {
  buffer text = {0};
  buffer_printf(&text, "%s=%s", name, value);
  *ARRAY_ADD(v->set.items, v->set.count, v->set.capacity) = buffer_take(&text);
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
  if (colon == NULL) {
    return;
  }
  char *name = mem_strndup(entry, (size_t)(equals - entry));
  char *operation = mem_strndup(equals + 1, (size_t)(colon - equals - 1));
  const char *old = value_now(v, name);
  if (strcmp(operation, "set") == 0) {
    set_variable(v, name, colon + 1);
  } else if (strcmp(operation, "unset") == 0) {
    *ARRAY_ADD(v->unset.items, v->unset.count, v->unset.capacity) = mem_strdup(name);
  } else if (strcmp(operation, "reset") == 0 && getenv(name) != NULL) {
    set_variable(v, name, getenv(name));
  }
  for (size_t i = 0; i < sizeof joinings / sizeof *joinings; i++) {
    if (strcmp(joinings[i].operation, operation) == 0) {
      const char *between = old == NULL || old[0] == '\0' ? "" : joinings[i].between;
      buffer joined = {0};
      buffer_printf(&joined, "%s%s%s", joinings[i].behind ? (old == NULL ? "" : old) : colon + 1, between,
                    joinings[i].behind ? colon + 1 : (old == NULL ? "" : old));
      set_variable(v, name, buffer_text(&joined));
      buffer_free(&joined);
    }
  }
  free(name);
  free(operation);
}

static void read_environment(const json_t *test, ctest_environment *v) {
  const json_t *set = property(test, "ENVIRONMENT");
  for (size_t i = 0; i < json_array_size(set); i++) {
    const char *entry = json_string_value(json_array_get(set, i));
    if (entry != NULL && strchr(entry, '=') != NULL) {
      *ARRAY_ADD(v->set.items, v->set.count, v->set.capacity) = mem_strdup(entry);
    }
  }
  const json_t *changes = property(test, "ENVIRONMENT_MODIFICATION");
  for (size_t i = 0; i < json_array_size(changes); i++) {
    const char *entry = json_string_value(json_array_get(changes, i));
    modify(v, entry == NULL ? "" : entry);
  }
}

/* --- the command -------------------------------------------------------------------------------------------------- */

/* When a test passes that does not pass by exit status 0 alone; NULL: it does. To be freed. */
static char *condition(const json_t *test) {
  const json_t *skip = property(test, "SKIP_RETURN_CODE");
  buffer text = {0};
  if (property(test, "PASS_REGULAR_EXPRESSION") != NULL) { /* CTest does not look at the status then; a crash fails */
    buffer_puts(&text, "\"$@\"; [ $? -lt 128 ]");
  } else if (json_is_true(property(test, "WILL_FAIL"))) {
    buffer_puts(&text, "\"$@\"; status=$?; [ $status -gt 0 ] && [ $status -lt 128 ]");
  } else if (json_is_number(skip)) {
    buffer_printf(&text, "\"$@\" || [ $? = %d ]", (int)json_number_value(skip));
  }
  return text.length == 0 ? NULL : buffer_take(&text);
}

static bool is_here(const char *folder) {
  char here[PATH_MAX];
  char there[PATH_MAX];
  return realpath(".", here) != NULL && realpath(folder, there) != NULL && strcmp(here, there) == 0;
}

static void add(words *line, const char *word) {
  *ARRAY_ADD(line->items, line->count, line->capacity) = mem_strdup(word);
}

/* `env` with the working directory and the environment, where there is something of either. */
static void add_env(words *line, const json_t *test) {
  ctest_environment v = {0};
  read_environment(test, &v);
  const char *folder = json_string_value(property(test, "WORKING_DIRECTORY"));
  const bool elsewhere = folder != NULL && !is_here(folder);
  if (elsewhere || v.set.count + v.unset.count > 0) {
    add(line, "env");
  }
  for (size_t i = 0; i < v.unset.count; i++) {
    add(line, "-u");
    add(line, v.unset.items[i]);
  }
  if (elsewhere) {
    add(line, "-C");
    add(line, folder);
  }
  for (size_t i = 0; i < v.set.count; i++) {
    add(line, v.set.items[i]);
  }
  const words *const both[] = {&v.set, &v.unset};
  for (size_t b = 0; b < 2; b++) {
    mem_free_all(both[b]->items, both[b]->count);
  }
}

static char **command_line(const json_t *test) {
  words line = {0};
  add_env(&line, test);
  char *passes = condition(test);
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

static int add_listed(const plan_words *s, plan *p, const json_t *test, error *e) {
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
  for (size_t i = 0; i < count; i++) {
    put_in_order(&o, i);
  }
  int result = 0;
  for (size_t i = 0; i < count && result == 0; i++) {
    result = add_listed(s, p, o.order[i], e);
  }
  free(o.seen);
  free(o.order);
  if (result == 0 && p->count == 0) {
    result = error_set(e, EXIT_USAGE, "CTest lists no test to run in %s", s->ctest);
  }
  return result;
}

int plan_ctest(const plan_words *s, plan *p, error *e) {
  char *const head[] = {"ctest", "--test-dir", (char *)s->ctest, "--show-only=json-v1", NULL};
  const char *const none[] = {NULL};
  if (!plan_is_program("ctest")) {
    return error_set(e, EXIT_USAGE, "--ctest: ctest was not found in PATH; it comes with CMake");
  }
  char **argv = listing_join(head, s->command == NULL ? none : (const char *const *)s->command);
  buffer out = {0};
  int result = listing_run(argv, &out, e);
  const char *begin = strchr(buffer_text(&out), '{'); /* --test-dir prints a line before it */
  json_t *list = result == 0 && begin != NULL ? json_loads(begin, JSON_DISABLE_EOF_CHECK, NULL) : NULL;
  if (result >= 0 && list == NULL) {
    result = error_set(e, EXIT_USAGE, "ctest cannot list the tests of %s: is it the build folder of a CMake project?",
                       s->ctest);
  } else if (result == 0) {
    result = add_all(s, p, json_object_get(list, "tests"), e);
  }
  json_decref(list);
  buffer_free(&out);
  listing_free(argv);
  return result;
}
