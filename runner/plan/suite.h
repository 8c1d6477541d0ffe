/* suite.yaml: a benchmark as test cases of one program. */
#ifndef CLTC_RUNNER_PLAN_SUITE_H
#define CLTC_RUNNER_PLAN_SUITE_H

#include <stddef.h>

#include "base/error.h"

typedef struct suite_test {
  char *name;
  char **args;
  unsigned args_count;
} suite_test;

typedef struct suite {
  char *name;
  char *description; /* may be NULL */
  char *program;     /* as written: a path relative to the file's folder, or a command found in PATH if it has no slash
                        and no such file is there */
  char *defect;      /* what was planted, NULL for nothing */
  suite_test *tests;
  unsigned tests_count;
} suite;

/* Reads a suite file. Errors (EXIT_USAGE) name the file, line and column. Release with suite_free. */
int suite_load(const char *path, suite **out, error *e);
void suite_free(suite *s);

/* The program of a suite read from `path`, as something to execute: to be freed. */
char *suite_program(const suite *s, const char *path);

#endif
