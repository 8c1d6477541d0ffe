/* suite.yaml with `program:`: a benchmark as test cases of one program. */
#ifndef CLTC_RUNNER_PLAN_SUITE_H
#define CLTC_RUNNER_PLAN_SUITE_H

#include <stddef.h>

#include "base/error.h"
#include "cases/yaml.h"

typedef struct suite_test {
  const char *name;
  yaml_value *args; /* a list of words, NULL: none */
} suite_test;

/* What a file says; texts are lent by it. */
typedef struct suite {
  yaml_file *file;
  const char *name, *program;
  const char *description, *defect; /* defect: what was planted; NULL: nothing is said */
  suite_test *tests;
  size_t tests_count;
} suite;

/* Reads a suite file. Errors (EXIT_USAGE) name the file, line and column. Release with suite_free. */
int suite_load(const char *path, suite *out, error *e);
void suite_free(suite *s);

/* What a test executes: a program beside the file, or a command found in PATH if it has no slash and no such file is
 * there; with its arguments. To be freed. */
char **suite_command(const suite *s, const suite_test *t);

#endif
