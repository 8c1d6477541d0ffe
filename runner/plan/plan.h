/* The test cases that a command line asks for: suites, kernel cases, tests that frameworks list. */
#ifndef CLTC_RUNNER_PLAN_PLAN_H
#define CLTC_RUNNER_PLAN_PLAN_H

#include "cases/cases.h"
#include "cases/yaml.h"
#include "db/db.h"
#include "runner/experiment/options.h"

typedef struct test_settings {
  bool pytest, gtest;  /* the program after `--` is one test case a test */
  const char *ctest;   /* build folder, NULL: none */
  const char *suites;  /* folder of benchmarks, NULL: our own */
  const char *capture; /* file that keeps what the one test case does, NULL: none */
} test_settings;

/* What says which test cases there are, as a command line has it. */
typedef struct plan_words {
  const char *verb; /* of the command, for sentences */
  word_list words;  /* benchmarks, suites, captures */
  char **command;   /* after `--`; NULL: there was none */
  test_settings tests;
  bool any_reads; /* reads that differ are no failure: races make them differ where they are looked for */
  bool quiet;
} plan_words;

typedef struct plan {
  experiment_test *tests;
  size_t count, capacity;
  char *includes; /* folder for what captured kernels include; NULL: none was needed */
  char *cases;    /* folder for the captures of kernel cases; NULL: none was needed */
} plan;

/* Resolves benchmarks, suite files, captures and the program after `--`; every program must be there and executable.
 * Errors are EXIT_USAGE. Release with plan_free in every case. */
int plan_make(const plan_words *s, plan *out, error *e);
void plan_free(plan *p);

/* Adds a test case; takes over `argv`. Returns -1 with `e` set (EXIT_USAGE) when its program cannot be run. */
int plan_add(plan *p, const char *suite, const char *name, char **argv, error *e);
/* Whether a word names a program as execvp finds it. */
bool plan_is_program(const char *word);

/* Whether a word is the path of a suite file. */
bool plan_names_suite(const char *word);

/* Whether it is a file of `cltestcheck capture`. */
bool plan_names_capture(const char *word);

/* A folder in which replays put what captured kernels include, for as long as this process needs them; to be closed
 * with scratch_close (base/files.h). NULL with `e` set. */
char *plan_includes_folder(error *e);

/* The folder of benchmarks, to be freed; NULL if there is none. */
char *plan_suites_directory(const char *chosen);

/* A test case of an earlier run, once more. */

typedef struct recorded_test {
  const char *suite, *name, *command_line, *word; /* as the database has them */
} recorded_test;

/* The test case becomes the plan's first one; the command line's take its place, if it names any. `*command` is for
 * shell_free when the plan is no longer used; NULL: a suite's, or the command line has another. */
int recorded_plan(const plan_words *s, const recorded_test *t, plan *out, char ***command, error *e);

/* What the plan of a run lends. */
typedef struct recorded_run {
  char **command, **suites;
  size_t suite_count, suite_capacity;
} recorded_run;

/* All test cases of a run become the plan. Release `lent` with recorded_run_free when the plan is no longer used, in every
 * case. */
int recorded_run_plan(const plan_words *s, db *d, int64_t run, plan *out, recorded_run *lent, error *e);
void recorded_run_free(recorded_run *lent);

/* What kernel cases need to know of their kernels. */

/* A case_kernels_reader: as verify reads them, in a process of its own. */
int case_kernels_read(const pp_input *in, case_kernels *out, error *e);

/* suite.yaml with `program:`: a benchmark as test cases of one program. */

typedef struct suite_test {
  const char *name;
  yaml_value *args; /* a list of words, NULL: none */
} suite_test;

/* What a file says; texts are lent by it. */
typedef struct program_suite {
  yaml_file *file;
  const char *name, *program;
  const char *description, *defect; /* defect: what was planted; NULL: nothing is said */
  suite_test *tests;
  size_t tests_count;
} program_suite;

/* Reads a suite file. Errors (EXIT_USAGE) name the file, line and column. Release with suite_free. */
int suite_load(const char *path, program_suite *out, error *e);
void suite_free(program_suite *s);

/* What a test executes: a program beside the file, or a command found in PATH if it has no slash and no such file is
 * there; with its arguments. To be freed. */
char **suite_command(const program_suite *s, const suite_test *t);

/* A kernel case, done once by cltestcheck-replay: what its results are, and whether they are what it expects. */

typedef struct case_run_options {
  const char *replay; /* the program */
  const char *folder; /* for its capture and its results */
  const char *device; /* "P:D", NULL: the first one */
  double timeout;     /* seconds, 0: none */
  bool joined;        /* what the replay says on standard error is a part of what is said */
} case_run_options;

typedef struct case_run_result {
  bool passed;
  bool crashed;            /* a signal ended it that we did not send */
  bool late;               /* it was ended after its time */
  buffer said;             /* why not, in lines */
  unsigned char **results; /* the bytes of each of the case's results, NULL: it has not come so far */
  size_t count;
} case_run_result;

/* -1 with `e` set: it could not be run, or was interrupted (130). Release with case_run_free in every case. */
int case_run(const case_run_options *o, const case_capture *c, case_run_result *out, error *e);
void case_run_free(case_run_result *r);

/* Test cases that test frameworks list: pytest, GoogleTest, CTest. */

/* Whether --pytest, --gtest or --ctest is given. */
bool plan_is_listed(const plan_words *s);
/* The test cases that it asks for. Errors are EXIT_USAGE, and EXIT_BASELINE where the framework could not list. */
int plan_listed(const plan_words *s, plan *p, error *e);

#endif
