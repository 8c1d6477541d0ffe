/* The test cases that a command line asks for. */
#ifndef CLTC_CLI_PLAN_H
#define CLTC_CLI_PLAN_H

#include "cli/settings.h"

typedef struct planned_test {
  char *suite; /* "" for a program behind `--` */
  char *name;
  char **argv;         /* program and arguments, ended by NULL */
  char *line;          /* the same for people */
  double timeout;      /* seconds that it may take at most, 0: nothing is said */
  const char *capture; /* of a kernel case, which the program replays; lent by `argv`. NULL: a program like others */
} planned_test;

typedef struct plan {
  planned_test *tests;
  size_t count, capacity;
  char *includes; /* folder for what captured kernels include; NULL: none was needed */
  char *cases;    /* folder for the captures of kernel cases; NULL: none was needed */
} plan;

/* Resolves benchmarks, suite files, captures and the program behind `--`; every program must be there and executable.
 * Errors are EXIT_USAGE. Release with plan_free in every case. */
int plan_make(const settings *s, plan *out, error *e);
void plan_free(plan *p);

/* Adds a test case; takes over `argv`. Returns -1 with `e` set (EXIT_USAGE) when its program cannot be run. */
int plan_add(plan *p, const char *suite, const char *name, char **argv, error *e);
/* Whether a word names a program as execvp finds it. */
bool plan_is_program(const char *word);

/* Whether a word is the path of a suite file. */
bool plan_names_suite(const char *word);

/* Whether reads that differ are no failure: races make them differ where they are looked for. */
bool plan_may_read_any(const settings *s);

/* Whether it is a file of `cltestcheck capture`. */
bool plan_names_capture(const char *word);

/* A folder in which replays put what captured kernels include, for as long as this process needs them; to be closed
 * with scratch_close (base/scratch.h). NULL with `e` set. */
char *plan_includes_folder(error *e);

/* The folder of benchmarks, to be freed; NULL if there is none. */
char *plan_suites_directory(const settings *s);

#endif
