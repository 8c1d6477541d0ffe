/* The test cases that a command line asks for. */
#ifndef CLTC_CLI_PLAN_H
#define CLTC_CLI_PLAN_H

#include "cli/settings.h"

typedef struct planned_test {
  char *suite; /* "" for a program behind `--` */
  char *name;
  char **argv; /* program and arguments, ended by NULL */
  char *line;  /* the same for people */
} planned_test;

typedef struct plan {
  planned_test *tests;
  size_t count, capacity;
} plan;

/* Resolves benchmarks, suite files, captures and the program behind `--`; every program must be there and executable.
 * Errors are EXIT_USAGE. Release with plan_free in every case. */
int plan_make(const settings *s, plan *out, error *e);
void plan_free(plan *p);

/* The folder of benchmarks, to be freed; NULL if there is none. */
char *plan_suites_directory(const settings *s);

#endif
