/* A further look at a test case: its programs in another form, for as many runs as that takes. A new one is a row like
 * look_for_races, and a form of its own. */
#ifndef CLTC_RUNNER_MEASURE_LOOK_H
#define CLTC_RUNNER_MEASURE_LOOK_H

#include "runner/measure/measure.h"
#include "runner/session/session.h"

/* The next run of a test case. */
typedef struct look_run {
  unsigned number; /* of the runs before it */
  unsigned round;  /* of checked memory (child_options.cells_round) */
  bool whole;      /* no longer in the form that costs least */
} look_run;

struct measure_look {
  program_form form, strict_form;
  /* What is to be observed next, by what the session has seen; false: the test case is done. `note`, if it is set, is for
   * a person, and to be freed. */
  bool (*next)(session *s, look_run *r, char **note);
  bool (*reason)(const session *counted); /* whether there is anything to look for; NULL: always */
  /* Of a test case: what was seen goes to the database. NULL: it has gone there as it came. */
  int (*end)(session *s, error *e);
  const char *doing;   /* "its accesses were checked" */
  const char *unknown; /* "its work-items race": what is not known where it was killed */
};

/* What both runs of a test case need. */
typedef struct measuring {
  const measure_options *options;
  const experiment_listener *listener;
  measure_outcome *out;
  db *db;
  int64_t run;
  session *session;   /* of the runs that count */
  session *further;   /* of the look; NULL: there is none */
  double until;       /* --max-time is over then; 0: there is none */
  session *diverging; /* of runs that say whether kernels with errors diverge; NULL: there are none */
  session *filled;    /* of runs with other bytes in memory that nobody has written; NULL: there are none */
  uint64_t captured;  /* bytes of captures so far */
  char cut[160];      /* why the look at this test case does not say all; "": it ended as usual */
} measuring;

void measuring_note(const measuring *m, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Seconds that a test case may take; 0: no limit. */
double measuring_limit(const measuring *m, const experiment_test *t);
bool measuring_is_over(const measuring *m);
/* The runs of the look at a test case, if there is to be one after its own run, which ended so. */
int measuring_look(measuring *m, const experiment_test *t, int64_t test_case, program_options options,
                   const program_end *first, error *e);
/* Whether its kernels diverge: `any` do, which is a finding. */
int measuring_divergence(measuring *m, const experiment_test *t, int64_t test_case, program_options options, bool *any,
                         error *e);
/* Whether results depend on memory that nobody has written; `options` as those of a look. */
int measuring_unwritten(measuring *m, const experiment_test *t, int64_t test_case, program_options options, error *e);
/* Looks at the order of its commands. */
int measuring_commands(measuring *m, const experiment_test *t, int64_t test_case, program_options options, error *e);
/* The options of runs beside the one that counts: nothing is read, shown or counted. */
program_options measuring_aside(program_options options);
/* a run of the test case leaves what it does on the device in a file, NULL: it does not; the run is over. */
char *measuring_capture(measuring *m, const experiment_test *t, child_options *child);
void measuring_end_capture(measuring *m, char *path);
/* What does it again, by one thread and in one queue; `path` is to be freed. */
typedef struct repeated_run {
  char *path;
  bool joined;   /* the program has several threads or queues, or one that is out of order */
  char *argv[5]; /* what it reads may differ from what was captured: kernels of another form may round otherwise */
} repeated_run;
/* Whether the file stands for the program. */
bool measuring_repeats(const measuring *m, const experiment_test *t, repeated_run *out);

/* A test case has run under the session that counts, with so many launches. When it failed while instrumented kernels were being
 * built or launched for the first time, it runs some times more to tell whose fault it was. */
int measuring_own_run(measuring *m, const experiment_test *t, const program_options *options, uint64_t launches,
                      program_end *h, error *e);

#endif
