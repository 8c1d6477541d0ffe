/* The results database: the only code that speaks SQL. SQLite, WAL mode, one file, written by cltestcheck's own
 * process. Every function returns 0, or -1 with `e` set to a sentence that names the file and says what to do. */
#ifndef CLTC_DB_DB_H
#define CLTC_DB_DB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/model.h"
#include "db/rows.h"

typedef struct db db;

enum db_mode {
  DB_READ, /* must exist */
  DB_WRITE /* is created when missing, migrated when older */
};

/* Opens `path`. Refuses with a sentence: not a database, a database of something else, a newer schema version, an
 * unreadable or (for DB_WRITE) read-only file, a missing directory. */
int db_open(db **out, const char *path, enum db_mode mode, error *e);
/* Commits what is pending. NULL is fine. */
void db_close(db *d);
/* Writes go into one open transaction; this commits it and begins the next. */
int db_commit(db *d, error *e);

/* --- writing ------------------------------------------------------------------------------------------------ */

int db_begin_run(db *d, const char *command, const char *version, int64_t *run, error *e);
/* This process goes on with a run. */
int db_continue_run(db *d, int64_t run, error *e);
/* `device` may be "" when unknown; `exit` is the exit status of the run's program: the highest of its test cases. */
int db_end_run(db *d, int64_t run, const char *device, int exit, error *e);

/* The commit of the sources that a run is made at, with a + after it where they were changed since. */
int db_set_revision(db *d, int64_t run, const char *revision, error *e);

/* `command_line` is for people. */
int db_begin_test_case(db *d, int64_t run, const char *suite, const char *name, const char *command_line,
                       int64_t *test_case, error *e);
/* What names its suite on a command line: a benchmark, or the path of a SUITE.yaml from the folder of then. */
int db_set_word(db *d, int64_t test_case, const char *word, error *e);
/* `status` as a shell shows it (128 + signal for a killed program). */
int db_end_test_case(db *d, int64_t test_case, int status, bool timed_out, error *e);

/* Takes a test case away again in which nothing was seen. */
int db_drop_test_case(db *d, int64_t test_case, error *e);

/* Database ids of a stored model's parts, index by index. */
typedef struct db_program {
  int64_t id;
  int64_t *kernels;
  int64_t *sites;
} db_program;
/* Stores a program, or finds the same one (same files, options, sites) stored before, and links it to the run. */
int db_add_program(db *d, int64_t run, const model *m, db_program *out, error *e);
void db_program_free(db_program *p);
/* Takes a program out of a run again (it ran untouched after all), unless launches of it were counted. */
int db_drop_program(db *d, int64_t run, int64_t program, error *e);

typedef struct db_evidence {
  int64_t site;
  uint32_t outcome;
} db_evidence;
/* Adds launches and outcomes seen by launches of `kernel` in a test case; outcomes seen before are ignored. */
int db_add_evidence(db *d, int64_t test_case, int64_t kernel, uint64_t launches, const db_evidence *items, size_t count,
                    error *e);
/* The same (rule, kernel, site) is kept once per test case or proof, as it came first; without a site the same places,
 * inlined alike, make the same finding. */
int db_put_finding(db *d, const db_finding *f, error *e);
/* Calls that the driver has refused: of the same run, call, kernel (or ""), error and detail (or "") the counts add up.
 */
int db_add_refused(db *d, int64_t run, const db_refused *r, error *e);
/* Something that was not instrumented. The same (program, reason) is kept once per run. */
int db_add_skipped(db *d, int64_t run, const char *program, const char *reason, error *e);

/* --- mutation --- */

/* "pending", "killed", …, "no-coverage", … */
const char *mutant_status_name(mutant_status s);

/* Stores the mutants of a program (found again when they were stored before); `ids` gets their `count` row ids. Two
 * different mutants of a program with the same id are an error (EXIT_INTERNAL). */
int db_add_mutants(db *d, const db_program *p, const model *m, const db_mutant *items, size_t count, int64_t *ids,
                   error *e);
/* Makes a mutant part of a run or changes its status there. `original` is the row id of the mutant that a duplicate
 * shares its verdict with, else 0; `reason` may be "" ("output", "crash", "timeout", "out of bounds", "unwritten", "race" for
 * killed and undecided). */
int db_set_mutant(db *d, int64_t run, int64_t mutant, mutant_status status, const char *reason, int64_t original,
                  error *e);

/* What the runs of a mutant against one test case gave. Replaces what was there for this mutant and test case. */
int db_put_verdict(db *d, int64_t test_case, int64_t mutant, const mutant_verdict *v, error *e);

/* Says what a verdict rests on: `key` is a digest of all that decides it, so that an equal key is an equal verdict; and
 * whether it was taken over from an earlier run. Verdicts without a key are not found again. */
int db_keep_verdict(db *d, int64_t test_case, int64_t mutant, const char *key, bool reused, error *e);
/* The newest verdict of a key that says what `runs` runs would: if all its runs were alike, it has so many at least; if
 * not, it has so many at most. `*test_case` is the row that it belongs to, 0 if there is none. Whether it is revealed is
 * unknown there: the key does not say what the program makes of its results, see db_find_revealed. */
int db_find_verdict(db *d, const char *key, uint32_t runs, int64_t *test_case, mutant_verdict *v, error *e);
/* Whether the program notices a mutant that this test case kills; `key` ("": none) is a digest of all that decides it. */
int db_keep_revealed(db *d, int64_t test_case, int64_t mutant, mutant_revealed revealed, const char *key, error *e);
/* What the newest verdict with this key says; REVEALED_UNKNOWN: there is none. */
int db_find_revealed(db *d, const char *key, mutant_revealed *revealed, error *e);

/* What a compiler made of a mutant. */
typedef struct db_code {
  bool built;      /* it compiles */
  char digest[65]; /* of the optimised code */
} db_code;
/* Kept by a digest of all that it depends on. */
int db_put_code(db *d, const char *key, const db_code *code, error *e);
int db_find_code(db *d, const char *key, bool *found, db_code *code, error *e);

/* An output that differs from run to run of the original, in words ("argument 1 of kernel k, launch 3"), and the share
 * of its bytes that do, 0 … 1. */
int db_add_unstable(db *d, int64_t test_case, const char *what, double share, error *e);

/* --- schedule amplification --- */

/* A kernel's n-th launch in a test case. Replaces what was there for (test case, kernel, number); its row id and its
 * schedules stay. */
int db_put_launch(db *d, int64_t test_case, int64_t kernel, const db_launch *launch, int64_t *row, error *e);

/* Replaces what was there for (launch, order, gate, target, seed), but for its explanation and what it reached; `*row`
 * is the schedule's id for --replay, the same as before. */
int db_put_schedule(db *d, int64_t launch, const db_schedule *schedule, int64_t *row, error *e);

/* Replaces what was there. */
int db_put_explanation(db *d, int64_t schedule, const db_explanation *x, error *e);

/* Code that the ungated program did not reach and a schedule did. Kept once for (schedule, site, outcome). */
int db_add_reached(db *d, int64_t schedule, int64_t site, uint32_t outcome, error *e);

/* A schedule by its id, with all that is needed to run it again. Strings are the caller's (db_free_replay). */
typedef struct db_replay {
  char *suite, *name, *command_line, *word; /* of the test case */
  char *kernel;
  uint32_t launch;
  char *order, *gate;
  uint32_t target, seed;
  char *settings; /* of the run */
} db_replay;
/* EXIT_USAGE when there is none. */
int db_get_replay(db *d, int64_t schedule, db_replay *out, error *e);
void db_free_replay(db_replay *r);

/* A finding with places of a kernel that a test case launched, with all that is needed to look for it again. Strings are the
 * caller's (db_free_seen). */
typedef struct db_seen {
  char *suite, *name, *command_line, *word; /* of the test case */
  char *kernel;
} db_seen;
/* EXIT_USAGE when there is none. */
int db_get_finding(db *d, int64_t finding, db_seen *out, error *e);
/* The same of one that may have no place; `*found` false: it is of no kernel. */
int db_finding_test(db *d, int64_t finding, bool *found, db_seen *out, error *e);
void db_free_seen(db_seen *s);
/* Whether a run has a finding with the same rule, kernel and places. */
int db_seen_again(db *d, int64_t finding, int64_t run, bool *again, error *e);

/* Settings of a run that a later one must have to go on with it, as one text. */
int db_set_settings(db *d, int64_t run, const char *settings, error *e);
/* The newest run of `command` with these settings ("": any) that did not end or left mutants pending; `*run` 0 if there is none.
 */
int db_find_unfinished(db *d, const char *command, const char *settings, int64_t *run, error *e);
/* A test case of a run that is gone on with: the one of these names that has `nth` of the same names before it;
 * `*test_case` 0 if there is none. */
int db_find_test_case(db *d, int64_t run, const char *suite, const char *name, const char *command_line, size_t nth,
                      int64_t *test_case, error *e);
/* The row ids of the programs of a run; free() them. */
int db_run_programs(db *d, int64_t run, int64_t **programs, size_t *count, error *e);
/* What the mutant is in all builds that are launched: equal texts are equal mutants, in other runs, too. */
int db_set_mutant_code(db *d, int64_t run, int64_t mutant, const char *code, error *e);
/* A mutant of the run turns out to be the same as another: status, reason and verdicts of `from` become those of `to`.
 */
int db_hand_over_mutant(db *d, int64_t run, int64_t from, int64_t to, error *e);
/* Removes the run's verdicts of a mutant that does not count. */
int db_drop_verdicts(db *d, int64_t run, int64_t mutant, error *e);
/* What a run has of a mutant: its status, MUTANT_PENDING also when it is not part of the run. */
int db_get_mutant(db *d, int64_t run, int64_t mutant, mutant_status *status, error *e);

/* --- proofs --- */

/* Stores the proof of a kernel of its run's program, with its parts; `kernel` is 0 where the program's model does not
 * have it, `*row` is for the proof's findings. Replaces what was there for (run, program, name), findings included. */
int db_add_proof(db *d, int64_t program, int64_t kernel, const db_proof *proof, int64_t *row, error *e);
/* The answer of the newest proof with this key; `*answer` is NULL when there is none. free() it. */
int db_find_proof(db *d, const char *key, char **answer, error *e);
/* The newest proof that has this PROOF_COVER; `*proof` is 0 when there is none. */
int db_find_cover(db *d, const char *cover, int64_t *proof, error *e);

/* --- repairs --- */

/* What `repair` made of its run's program; there is one a program. */
int db_add_repair(db *d, int64_t program, const db_repair *r, error *e);

/* Answers of a device's compiler to a preprocessor question, remembered. `*value` is -1 when unknown. */
int db_get_fact(db *d, const char *device, const char *expression, int *value, error *e);
/* All of a device. */
int db_each_fact(db *d, const char *device, void (*take)(void *context, const char *expression, bool value),
                 void *context, error *e);
int db_put_fact(db *d, const char *device, const char *expression, bool value, error *e);

/* Copies every run of `from` that `d` does not have yet, and brings up to date those that it has (runs carry a UUID),
 * with facts and codes: the result is the same in whatever order and how often databases are merged, interrupted runs
 * included. `*merged` is the number of runs of which `d` knows more than before.
 * Several merges may go into one transaction, which db_commit or db_close ends. */
int db_merge(db *d, db *from, size_t *merged, error *e);

/* --- reading ------------------------------------------------------------------------------------------------ */

typedef struct run_summary {
  int64_t id;
  char *command; /* "coverage" */
  char *started; /* ISO 8601, UTC */
  char *device;
  char *revision; /* as db_set_revision had it, "" for none */
  char *settings; /* as db_set_settings had it, "" for none */
  char *program;  /* suite, or command line, of its first test case, else its first source file; or "" */
  int exit;       /* -1: it did not end */
  bool running;   /* it has not ended, and its process lives, on this machine */
  size_t test_cases;
  size_t findings;  /* definite ones, without benign races */
  size_t survivors; /* mutants that survived, are undecided or have no coverage */
} run_summary;
/* All runs, oldest first; free with db_free_runs. */
int db_list_runs(db *d, run_summary **out, size_t *count, error *e);
void db_free_runs(run_summary *runs, size_t count);

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

/* Loads `run_count` runs together; none: the newest run of each command on the sources of the newest run (they have a
 * file in common and none of one name with another text), of a campaign in shards the newest of each shard. An unknown
 * run is an error (EXIT_USAGE). Test cases of the same suite, name and command line in several runs are one; findings
 * are unique by (rule, kernel, file, line, places), those of proofs apart from others; a race that was seen and one that was
 * proved are twins where both are of the same accesses at the same places. */
int db_load(db *d, const int64_t *runs, size_t run_count, view *out, error *e);
void view_free(view *v);

/* A schedule of the view by its id, and its launch; NULL: there is none. */
const db_schedule *view_find_schedule(const view *v, int64_t id, const db_launch **launch);
/* Runs that differed, for any reason. */
uint64_t view_differed(const mutant_verdict *v);

#endif