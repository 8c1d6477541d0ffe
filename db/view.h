/* What a report needs of some runs of the database, put together: db_load makes it. */
#ifndef CLTC_DB_VIEW_H
#define CLTC_DB_VIEW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/model.h"
#include "db/rows.h"

/* What a report needs of some runs together, evidence merged by OR over runs, test cases, programs. Sites are unique by
 * (file sha256, offset, kind): a header used by two programs is there once. */
typedef struct view_line {
  uint32_t file, line;
  uint32_t function;
  uint32_t tests; /* number of test cases that executed it */
  uint32_t set;   /* these test cases: of the view's sets, MODEL_NONE when there are none */
} view_line;
/* Some test cases, told as one more than another set has. Lines that the same test cases executed share one. */
typedef struct view_test_set {
  uint32_t before; /* the set without the last test case, MODEL_NONE: it is the only one */
  uint32_t last;   /* test case; those of `before` are smaller */
} view_test_set;
/* A kernel as launched: per-kernel evidence. `sites[i]` are the sites in the functions it reaches, with only what its
 * own launches covered; `lines` likewise. Kernels of the same name, file and line in several programs (other options)
 * are one. */
typedef struct view_kernel {
  char *name;
  uint32_t function;
  uint32_t *functions;
  size_t function_count;
  uint64_t launches; /* of each test case the most that an execution of it made */
  uint32_t tests;    /* test cases that launched it */
  model_site *sites;
  size_t site_count;
  view_line *lines;
  size_t line_count;
} view_kernel;
typedef struct view_skipped {
  char *program, *reason;
} view_skipped;
typedef struct view_test_case {
  char *suite, *name, *command_line;
  char *word; /* that names the suite on a command line (db_set_word); "" without a suite, or of an older database */
  int status;
  bool timed_out;
  uint64_t launches;
  uint32_t lines, branches; /* lines and outcomes of branches that it covers */
} view_test_case;
typedef struct view_unstable {
  uint32_t test_case;
  char *what;
  double share;
} view_unstable;

/* A suppression of the configuration, and how many findings, mutants and schedules it holds back. */
typedef struct view_suppression {
  char *rule, *kernel, *line; /* patterns as written, NULL: any */
  char *reason;
  size_t count;
} view_suppression;

/* A run of a view. */
typedef struct view_run {
  int64_t id;
  char *command;
  uint32_t *test_cases; /* of the view */
  size_t test_case_count;
} view_run;

typedef struct view {
  int64_t run;    /* the newest of the runs */
  view_run *runs; /* oldest first */
  size_t run_count;
  bool covers; /* coverage was measured: a run is of `coverage`, or evidence says what launches execute */
  char *command, *device, *version, *started;
  char *revision; /* commit of the sources at that run, a + after it when they were changed since; "" when not known */
  char *settings; /* of the newest run of mutate, "" when there is none */
  model_file *files;
  size_t file_count;
  model_function *functions;
  size_t function_count;
  model_site *sites;
  size_t site_count;
  view_line *lines;
  size_t line_count;
  view_test_set *sets; /* of test cases, for lines; a set comes after the one that it adds to */
  size_t set_count;
  view_kernel *kernels;
  size_t kernel_count;
  db_finding *findings;
  size_t finding_count;
  db_finding *meant; /* what explanations tell of kernels that say that their order dependence is meant: no findings */
  size_t meant_count;
  view_skipped *skipped;
  size_t skipped_count;
  db_refused *refused; /* most frequent first, of each run */
  size_t refused_count;
  view_test_case *test_cases;
  size_t test_case_count;
  db_mutant *mutants; /* in order of file, offset, operator, replacement; none: no run of mutate among the runs */
  size_t mutant_count;
  view_unstable *unstable; /* in order of test case, then `what` */
  size_t unstable_count;
  db_launch *launches; /* in order of test case, kernel, number; none: no run of amplify among the runs */
  size_t launch_count;
  db_proof *proofs; /* in order of file, line, name, options; none: no run of verify among the runs */
  size_t proof_count;
  db_repair *repairs; /* in order of name */
  size_t repair_count;
  view_suppression *suppressions; /* those that the configuration has, used or not */
  size_t suppression_count;
} view;

/* A schedule of the view by its id, and its launch; NULL: there is none. */
const db_schedule *view_find_schedule(const view *v, int64_t id, const db_launch **launch);
/* Runs that differed, for any reason. */
uint64_t view_differed(const mutant_verdict *v);

#endif
