/* suite.yaml of a program: its keys. */
#include "runner/plan/suite.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/memory.h"

/* A word, `*out` stays NULL where there is none. */
static int take_text(const suite *s, yaml_value *v, const char **out, error *e) {
  *out = v == NULL ? NULL : yaml_text(v);
  return v == NULL || (yaml_is_text(v) && **out != '\0') ? 0 : yaml_wrong(s->file, v, e, "a word is wanted here");
}

static int want_text(const suite *s, yaml_value *v, yaml_value *at, const char *key, const char **out, error *e) {
  return v == NULL ? yaml_wrong(s->file, at, e, "%s: is missing here", key) : take_text(s, v, out, e);
}

static int read_test(suite *s, yaml_value *test, error *e) {
  yaml_value *name, *args;
  suite_test *t = &s->tests[s->tests_count++];
  const yaml_key keys[] = {{"name", &name}, {"args", &args}};
  if (yaml_keys(s->file, test, "a test of a program", keys, 2, e) != 0 ||
      want_text(s, name, test, "name", &t->name, e) != 0) {
    return -1;
  }
  t->args = args;
  if (args != NULL && !yaml_is_list(args)) {
    return yaml_wrong(s->file, args, e, "args is a list of words, such as [-n, 64]");
  }
  for (size_t i = 0; args != NULL && i < yaml_count(args); i++) {
    if (!yaml_is_text(yaml_item(s->file, args, i))) {
      return yaml_wrong(s->file, yaml_item(s->file, args, i), e, "a word is wanted here");
    }
  }
  return 0;
}

static int read_suite(suite *s, error *e) {
  yaml_value *name, *program, *description, *defect, *tests, *root = yaml_root(s->file);
  const yaml_key keys[] = {
      {"name", &name}, {"program", &program}, {"tests", &tests}, {"description", &description}, {"defect", &defect}};
  if (yaml_keys(s->file, root, "a suite", keys, sizeof keys / sizeof *keys, e) != 0 ||
      want_text(s, name, root, "name", &s->name, e) != 0 ||
      want_text(s, program, root, "program", &s->program, e) != 0 ||
      take_text(s, description, &s->description, e) != 0 || take_text(s, defect, &s->defect, e) != 0) {
    return -1;
  }
  if (tests == NULL || !yaml_is_list(tests) || yaml_count(tests) == 0) {
    return yaml_wrong(s->file, tests == NULL ? root : tests, e,
                      "tests: and a list are wanted here: a line with `- ` for each test");
  }
  s->tests = mem_calloc(yaml_count(tests), sizeof *s->tests);
  int result = 0;
  for (size_t i = 0; i < yaml_count(tests) && result == 0; i++) {
    result = read_test(s, yaml_item(s->file, tests, i), e);
  }
  return result;
}

int suite_load(const char *path, suite *out, error *e) {
  *out = (suite){0};
  return yaml_open(&out->file, path, "suite file", e) != 0 ? -1 : read_suite(out, e);
}

void suite_free(suite *s) {
  free(s->tests);
  yaml_close(s->file);
}

static char *program_of(const suite *s) {
  const char *path = yaml_path(s->file), *slash = strrchr(path, '/');
  if (s->program[0] == '/') {
    return mem_strdup(s->program);
  }
  buffer beside = {0};
  buffer_append(&beside, slash == NULL ? "./" : path, slash == NULL ? 2 : (size_t)(slash - path + 1));
  buffer_puts(&beside, s->program);
  if (strchr(s->program, '/') == NULL && access(buffer_text(&beside), X_OK) != 0) {
    buffer_free(&beside);
    return mem_strdup(s->program);
  }
  return buffer_take(&beside);
}

char **suite_command(const suite *s, const suite_test *t) {
  const size_t count = t->args == NULL ? 0 : yaml_count(t->args);
  char **argv = mem_calloc(count + 2, sizeof *argv);
  argv[0] = program_of(s);
  for (size_t i = 0; i < count; i++) {
    argv[i + 1] = mem_strdup(yaml_text(yaml_item(s->file, t->args, i)));
  }
  return argv;
}
