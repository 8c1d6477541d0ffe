/* What commands that run experiments share: libraries and device, test cases, options, a run in the database,
 * progress, kernel cases of findings. */
#ifndef CLTC_CLI_EXPERIMENT_H
#define CLTC_CLI_EXPERIMENT_H

#include "cli/settings.h"
#include "proofs/counterexample/replica.h"
#include "runner/session/session.h"

#define PART_OF_CHECK "check" /* in the settings of its runs */

typedef enum target_devices {
  TARGET_ONE,   /* the command uses one device */
  TARGET_ALIKE, /* it shares runs among devices of one kind */
  TARGET_ANY    /* it compares devices */
} target_devices;
/* Finds libraries and devices (--device, --platform, --preload). Release with target_free in every case. */
int target_find(const device_settings *s, target_devices which, target *out, error *e);
void target_free(target *t);

/* Says on standard error which option tells its tests apart, if the program after -- is one of pytest, GoogleTest or CTest
 * and none of these options is given. */
void framework_hint(const test_settings *s, char *const *program);

/* What the settings say, lent, without test cases and target. `jobs`: programs at a time, unless they say it. */
experiment_options experiment_of(const settings *s, unsigned jobs);

/* Test cases that fail as they are, which is why the exit status is 4: "1 test case fails WITHOUT …: WHAT". */
void say_failing(const experiment_outcome *out, const char *without, const char *what);

/* Opens the database and begins a run of the command; `kept`: what later runs are to know of it, NULL: nothing. The
 * database is the caller's to close in every case. */
int measure_begin(const char *database, const char *verb, const char *kept, db **d, int64_t *run, error *e);

/* What a command says of its run, in this order. */
typedef struct measure_words {
  int (*judge)(void *context, const view *v);                    /* the exit code */
  bool (*has_text)(void *context, const view *v);                /* whether there is something for a text report, */
  int (*text)(void *context, const view *v, int code, error *e); /* which goes to standard error (NULL), or here */
  void (*say)(void *context, const view *v, int code);           /* sentences after all reports */
} measure_words;

/* Writes the reports of the run and gives the exit code. What fails is said. */
int measure_report(const report_settings *s, db *d, int64_t run, const measure_words *said, void *context);

/* A line of progress on the terminal; others say something only once it is wiped. */
typedef struct progress_line {
  bool shown;
} progress_line;
void progress_show(progress_line *l, const char *text);
void progress_wipe(progress_line *l);
/* Wipes it, and says something that a person should know. */
void progress_note(progress_line *l, const char *text);

/* What the settings say of test cases; lent. */
plan_words planning_words(const settings *s);
/* plan_make with that. */
int planning_make(const settings *s, plan *out, error *e);
/* Where --capture asks for it: keeps what the one test case does, which reads and writes /dev/null, as it is run for its own
 * sake afterwards. */
int planning_capture(const settings *s, const plan *p, const target *t, error *e);

typedef struct capture_wish {
  const command_line *given; /* for a sentence on a device that is not there */
  double timeout;
  bool quiet;
  const char *kept; /* what is said of a program that fails after something was captured */
  bool partly;      /* what cannot be captured to its end is a capture all the same, up to there (capture.unsuitable) */
  bool silent;      /* what the program reads and writes is /dev/null */
  /* what the layer has found of memory and refused launches, to be freed in every case; NULL: nobody wants it */
  view *found;
} capture_wish;
/* What the settings say of a program that is captured; lent. `kept` is said of one that fails after that. */
capture_wish planning_wish(const settings *s, const char *kept);

/* Runs the program in the terminal and makes a capture of it; says what is in it unless it is quiet. The file is there
 * whole or not at all. EXIT_NOTHING when it does nothing on a device or nothing that could be done again. EXIT_BASELINE
 * when the program failed; the file may be there all the same, and the sentence has `kept` then. */
int capture_program(char **argv, const target *t, const char *file, const capture_wish *wish, error *e);

typedef struct recording {
  char *directory; /* temporary: its database, and room for a capture */
  db *db;
  int64_t run; /* in it */
  session *session;
} recording;

/* `mutant_id`: of its session. Release with recording_close in every case. */
int recording_open(recording *r, uint32_t mutant_id, error *e);
void recording_close(recording *r);

/* Says a text: for program_options.waiting and listeners. */
void say_note(void *context, const char *text);

/* `--emit-cases DIR`: the launches of findings, kept as kernel cases. */

/* For each kernel and test case of the plan with a finding of the runs (race, divergence, deadlock, crash), which no
 * suppression covers: DIR/KERNEL with the launches up to the last one of that kernel. A program runs once more for that.
 * Does nothing without the option. The exit code: `code`, or that of what failed, which is said. */
int emit_cases(const settings *s, const plan *p, const target *t, db *d, const int64_t *runs, size_t count, int code);

/* Writes DIR/NAME/suite.yaml with a launch; `folder`: DIR. -1 with `e` set. */
int emit_replica_quietly(const char *folder, const replica *r, const char *name, error *e);
/* The same of a counterexample, and says so. */
int emit_replica(void *folder, const replica *r, const char *name, error *e);

#endif
