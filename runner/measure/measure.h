/* Experiments that measure: each test case runs once as it is, with kernels that record what they do, and then again in
 * the form of a further look, if there is one. `coverage` has none, `races` looks at accesses to memory. `memory` records no
 * coverage: its first run says whether an access has left its object, and if so a second one which. */
#ifndef CLTC_RUNNER_MEASURE_MEASURE_H
#define CLTC_RUNNER_MEASURE_MEASURE_H

#include "db/db.h"
#include "runner/build/forms.h"
#include "runner/experiment/options.h"

typedef struct measure_look measure_look; /* look.h */
extern const measure_look look_for_races, look_for_races_in_bounds, look_for_faults, look_for_all_faults;

/* A run whose commands were captured. */
typedef struct commands_seen {
  const char *path; /* of the capture */
  char *const *argv;
  const char *rules; /* that are looked for, as base/rules.h has them */
  db *db;
  int64_t run, test_case;
  struct session *further; /* of the look at accesses that comes next */
} commands_seen;

/* What the command line says comes first; the rest is the command's. */
typedef struct measure_options {
  bool exit_as_program; /* a program that fails has said so */
  bool strict;          /* the look's strict form: fences together with atomic functions order nothing */
  bool leaks;           /* FORM_BOUNDS: objects that programs do not release are looked for */
  const char *rules;    /* FORM_BOUNDS: on memory that are looked for, as base/rules.h has them; NULL: all */
  /* `limit`: seconds of a test case, 0: none; test cases may have shorter ones of their own. */
  experiment_options common;
  bool unwritten; /* whether results depend on memory that nobody wrote is looked for, too */
  /* Keeps what is wrong with the commands of a run; `*why` may become a reason why not all were seen, to be freed. NULL: not wanted. */
  int (*commands)(const commands_seen *seen, char **why, error *e);
  const char
      *captures; /* folder in which looks leave what their programs do, and which later runs do again; NULL: none */
  bool captured; /* it has been left there */
  bool verbose;  /* why programs are started is said */
  const measure_look *look; /* NULL: none */
  program_form form;        /* of the run that counts; FORM_COVERAGE: with coverage */
  bool look_all;            /* session_options.all, in all runs */
  bool look_alone;          /* no run but the look's: of what is known to be replays, whose coverage nobody asks for */
  bool no_advice;           /* which command may tell why a program is killed is not said */
  bool silent;              /* what programs print goes nowhere */
} measure_options;

typedef struct measure_outcome {
  experiment_outcome common; /* `programs`: instrumented; `status`: the highest of a test case */
  bool failed;               /* some test case failed */
  bool crashed;              /* some further run was killed: what it would have shown is not known */
  int killed;                /* by which signal a test case was, and not by us; 0: none */
  bool cut_short;            /* some test case did not come to its end: not all that it did was seen */
  uint64_t looked_at;        /* launches of further runs */
  bool inside;               /* look_for_races_in_bounds: all accesses of the last test case lay in their objects */
  bool observed;             /* evidence of some launch has come */
  bool unchecked;            /* no program could be built for the further look: */
  char unchecked_why[512];
  unsigned skipped;    /* programs that ran as they are, */
  char last_skip[512]; /* and why the last one did */
  uint64_t refused_launches;
  char refusal[512]; /* of the first of these */
  size_t named;      /* test cases that programs named */
} measure_outcome;

/* Runs it as run `run` of the database, up to its end. Returns -1 with `e` set when it could not be run. */
int measure_run(db *d, int64_t run, const measure_options *o, const experiment_listener *l, measure_outcome *out,
                error *e);

/* What it says of the kernels that are chosen, in the words of exit codes: EXIT_FOUND; else EXIT_BASELINE or 130 where a test
 * case failed or was interrupted, EXIT_NOTHING, or as measure_judge_seen. Findings that are doubtful are noted. */
int measure_judge(const measure_options *o, const measure_outcome *out, const view *v, const experiment_listener *l);
/* EXIT_FOUND, EXIT_BASELINE (what was found contradicts what was executed) or EXIT_FINE, whatever became of programs. */
int measure_judge_seen(const measure_options *o, const measure_outcome *out, const view *v,
                       const experiment_listener *l);
/* Whether there is something to judge. */
bool measure_has_seen(const measure_options *o, const measure_outcome *out, const view *v);

#endif
