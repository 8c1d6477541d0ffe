/* The results database: the only code that speaks SQL. SQLite, WAL mode, one file, written by cltestcheck's own
 * process. Every function returns 0, or -1 with `e` set to a sentence that names the file and says what to do. */
#ifndef CLTC_DB_DB_H
#define CLTC_DB_DB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/model.h"

/* Rows of the database as they are written, and as a view has them: one struct for both. What is read has texts of its
 * own, what is written lends them. Fields "of a view" are not looked at when a row is written; files are those of the
 * program's model then, of the view where it is read. */

typedef struct db_refused {
  const char *call, *kernel, *error, *detail;
  int64_t count;
} db_refused;

/* --- mutation --- */

/* A mutant; see mutate/mutate.h. Its identity is (program, id). In a view the same mutant of several runs (shards,
 * reruns) is one: the newest run that decided it says status and verdicts. In several programs (a header that two use, a
 * source built with other options) it is one, too: the status is the first in the order killed, pending, duplicate,
 * undecided, survived, no-coverage, equivalent, invalid, suppressed; verdicts are joined (of two for a test case, the
 * one that differs more; revealed if one of them is). */
typedef struct db_mutant {
  uint32_t id;
  const char *operator_name;
  uint32_t file, line, column, offset, end_line, end_column, end_offset;
  uint32_t function; /* of the model or view */
  const char *original, *replacement;
  const char *description; /* NULL if there is none */
  uint32_t *kernels;       /* of the model, or of the view: only those that it has */
  size_t kernel_count;
  /* of a view */
  mutant_status status;
  char *reason;
  char *suppressed;         /* as of a finding; the status is MUTANT_SUPPRESSED then */
  uint32_t duplicate_of;    /* of the view, MODEL_NONE if it is none */
  mutant_verdict *verdicts; /* in order of test case */
  size_t verdict_count;
} db_mutant;

/* --- schedule amplification --- */

/* A place that an explanation is about. */
typedef struct db_explained {
  const char
      *role;      /* "write": the kernel writes the argument there; "group": one that never ended was seen there last */
  uint32_t group; /* its number */
  const char *construct; /* in which it waits: "barrier", "loop"; "" where it is is not known */
  uint32_t file;
  uint32_t line; /* 0: not known */
} db_explained;
/* What an explanation says, but for its figures and places. */
typedef struct db_why {
  const char *kind; /* what differs: "memory", a "read" of the host, the "ending" of the program; or "groups" that never
                     * ended, a "signal" that kills it; "": `text` says it */
  const char *unit; /* of memory: "element", "pixel", "byte" */
  uint64_t width, height; /* of an image, else 0 */
  bool in_order;    /* without another schedule: the reference has one work-group after another; else the gate open */
  const char *rest; /* what is written where no place says: at "others", perhaps "elsewhere"; "": nothing */
  const char *race; /* whether accesses race: "seen" (a finding says which), "none", "unknown"; "": of no matter */
  const char *race_why;    /* why that is not known; of "none": why no atomic functions are to blame, "" if they are */
  const char *read_kernel; /* that wrote what is read; "": none did */
  uint32_t read_argument;
  uint64_t read_launch, read_number;    /* after which launch of it; which read of the host, from 1; 0: threads read */
  uint32_t running, waiting, of_groups; /* groups that never ended, have not begun; all */
} db_why;
/* Why the verdict of a schedule is what it is; fields that do not apply are 0 or "". */
typedef struct db_explanation {
  const char *text; /* a sentence that the record does not give; NULL or "": it does */
  db_why why;
  const db_explained *places; /* in a view: those whose file it has, or which have none */
  size_t place_count;
  int64_t other;        /* the schedule (0: the ungated program) that gives the other result */
  const char *argument; /* name, or "argument 3" */
  uint64_t first, last; /* differing elements, and how many differ */
  uint64_t differing;
  const char *reference, *seen; /* the values at `first`: of `other`, of this schedule */
  const char *file_name;        /* written: where the access is, as far as it can be told: a file of its program */
  uint32_t file;                /* of a view: that file, MODEL_NONE: it cannot be told */
  uint32_t line;                /* 0: cannot be told */
  const char *unfinished;       /* as text: the groups that never ended */
} db_explanation;

typedef struct view_reached {
  uint32_t site;    /* of the view */
  uint32_t outcome; /* index among the site's outcomes */
} view_reached;

/* What the runs of one schedule of a launch gave: see schedamp/schedule.h. */
typedef struct db_schedule {
  const char *order, *gate; /* "first", "ticket" */
  uint32_t target, seed;
  const char *verdict;  /* its name */
  const char *outcomes; /* one character a run */
  bool meant;           /* the kernel says that its order dependence is meant */
  /* of a view */
  int64_t id;                  /* for --replay */
  char *suppressed;            /* as of a finding */
  db_explanation *explanation; /* NULL: none */
  view_reached *reached;
  size_t reached_count;
} db_schedule;

/* A launch of a kernel. In a view of several runs with the same launch (suite, name and command line of the test case,
 * kernel, number) the newest says what is known. A kernel that two programs of a run have may have a launch of one
 * number twice. */
typedef struct db_launch {
  uint32_t number;     /* among this kernel's launches, from 0 */
  uint32_t groups;     /* work-groups; 0: unknown */
  uint32_t local;      /* work-items of a work-group; 0: unknown */
  uint32_t together;   /* work-groups found in flight together, 0: not known */
  const char *skipped; /* why it got no schedules ("one work-group"), "" if it did */
  /* of a view */
  uint32_t test_case, kernel;
  db_schedule *schedules; /* in order of order (first, last, reverse, random), gate, target, seed */
  size_t schedule_count;
} db_launch;

/* --- proofs, repairs --- */

/* What a proof rests on or says beside its verdict. */
typedef enum proof_part_kind {
  PROOF_PRECONDITION, /* a C expression over arguments and sizes; in order */
  PROOF_ASSUMPTION,   /* a sentence */
  PROOF_INVARIANT,    /* of the loop at its place, in C */
  PROOF_BARRIER,      /* the barrier at its place is "needed", "redundant" or "undecided" */
  PROOF_COVER,        /* a digest of a launch, or of launches, that have one result by this proof */
  PROOF_HOST,         /* the host code for all of whose runs it holds: "main.c"; at most one */
  PROOF_FACT          /* a fact of that code that it uses: "n == get_global_size(0) (main.c:31)" */
} proof_part_kind;
enum { PROOF_PART_KINDS = PROOF_FACT + 1 };
typedef struct db_proof_part {
  const char *text;
  uint32_t file, line, column; /* of invariants and barriers; else MODEL_NONE, 0, 0 */
} db_proof_part;
typedef struct db_proof_parts {
  const db_proof_part *list;
  size_t count;
} db_proof_parts;
/* What verification has to say of one kernel of a run. In a view of several runs of `verify` the newest says what is known
 * of a kernel (file, line, name) built with the same options; other options make another proof. */
typedef struct db_proof {
  int64_t run;
  const char *name;    /* of the kernel */
  uint32_t file, line; /* where it is; MODEL_NONE and 0: not known */
  /* "verified", "race", "divergence", "out-of-bounds", "possible-race", "possible-divergence", "unknown", "unsupported" */
  const char *verdict;
  const char *reason;                     /* a sentence, or "" */
  db_proof_parts parts[PROOF_PART_KINDS]; /* by kind */
  uint32_t launches, proved; /* observed launches that were asked about and those that hold; `launches` 0: of none */
  double seconds;
  uint64_t queries, memory; /* questions to the solver; bytes at most */
  bool reused;              /* taken over from an earlier run */
  /* written */
  const char *key; /* a digest of all that decides the proof; NULL or "": not to be found again */
  const char
      *answer; /* what db_find_proof gives back: a text in the caller's own format; NULL: of another run's proof */
  /* of a view */
  char *options;   /* build options of its program */
  uint32_t kernel; /* MODEL_NONE: the view does not have it */
} db_proof;

/* What `repair` made of a source. Of several runs a view has the newest that has the name. */
typedef struct db_repair {
  int64_t run;
  uint32_t file;    /* of a view; MODEL_NONE: it does not have it */
  const char *name; /* of the file, as a person knows it */
  /* "fine": nothing was wrong; "repaired"; "part": something remains; "remains": no patch; "refused": the patch failed */
  const char *outcome;
  const char *report; /* sentences, a line each */
  const char *patch;  /* a unified diff, "": none */
} db_repair;

/* A number that may not be known: NULL in the database. */
typedef struct db_number {
  bool known;
  uint64_t value;
} db_number;

static inline db_number db_known(uint64_t value) { return (db_number){true, value}; }

/* Where a function was called that is inlined. */
typedef struct db_call {
  uint32_t file;         /* of the program's model, or of the view */
  uint32_t line, column; /* as of a place */
} db_call;

/* What has to do with a finding: the place of a barrier, of the one access and of the other, of an allocation. */
typedef struct db_place {
  const char *role;   /* "barrier", "decision", "first", "second", "access" (there is but one), "allocation", … */
  const char *access; /* "read", "write", "atomic"; "": it is none */
  const char *how;    /* more of that: "update" of a write that reads, too; "load" of an atomic access; "own", "group",
                       * "sub-group": the scope of an atomic access that is not the device; else "" */
  uint32_t file;      /* of the program's model, or of the view */
  uint32_t line;      /* from 1 */
  uint32_t column;    /* in bytes, from 1 */
  const char *who;    /* "": one work-item, if it is known; "copy": an async copy by the group; "several": work-items of
                       * the group; "groups": those of several groups */
  const char *local;  /* work-item in its work-group, and its work-group: "3,0,0" */
  const char *group;
  const char *condition;  /* under which it is reached, or that decides, in words */
  const char *construct;  /* of a decision: "if", "for", "?:" */
  const db_call *inlined; /* the call that the place was inlined by, that one's caller, … */
  size_t inlined_count;
} db_place;

/* A step on the way to what a finding is about. */
typedef struct db_step {
  uint32_t thread;             /* 1 and 2: the work-items of the first and of the second place; 0: both */
  uint32_t file, line, column; /* as of a place */
  const char *text;            /* "condition of the if is true", "iteration 2 of the loop" */
} db_step;

/* A value that it needs, or that it depends on. */
typedef struct db_witness {
  const char *kind;  /* "argument", "content" (of a buffer), "doubt" (what the proof does not know); "": another */
  const char *what;  /* name of the argument or buffer */
  db_number element; /* of a content */
  const char *value;
} db_witness;

/* A command of the program: one of the two of a race between commands. */
typedef struct db_command {
  const char *function;  /* "clEnqueueReadBuffer" */
  const char *kernel;    /* that it launches; "": it is no launch */
  uint32_t number;       /* which one of its function, a launch: of its kernel; from 1 */
  uint32_t queue;        /* from 1 */
  bool in_order;         /* the queue is */
  uint32_t thread;       /* of the host, from 1; 0: there is but one */
  uint32_t memory;       /* the memory object in which they meet, from 1 */
  const char *access;    /* as of a place */
  const char *parameter; /* of the kernel, which leads there; "": none */
  bool mapped;           /* it is the host's, as long as the memory is mapped */
  bool sure;             /* every run of it touches what is said */
} db_command;

/* The rest of it. Where commands race, size is that of the memory object, and element and element_size are the bytes in which
 * they meet, where these are not all. */
typedef struct db_detail {
  const char *object;     /* the parameter or array, "" where it is not known: then elements are bytes */
  const char *space;      /* "global", "local", "constant", "private", "image" */
  const char *pixel;      /* of an image: "3,4" */
  db_number size;         /* bytes of the object */
  db_number element;      /* the first that is accessed */
  db_number element_size; /* bytes */
  db_number byte;         /* of the element, where the access begins after its first */
  db_number launch;       /* among those of the kernel, from 0 */
  db_number launches;     /* of a proof: of how many that were asked about */
  db_number count;        /* how often it was seen */
  db_number barriers;     /* that the group had passed */
  db_number value_size;   /* bytes of the next two */
  db_number value_before, value_after;
  db_number differing, items; /* of divergence: how many work-items of a group, of how many, did otherwise */
  const char *local_size, *groups, *offset; /* of the launch: "64,1,1" */
  const char *call; /* the function that is called there: "barrier"; of a refused call that one */
  const char *
      cause; /* "arguments": these differ; "varied": results did, and no schedule of `amplify` shows why; "null": a null pointer; of a misaligned access:
                                             * what its address is to be a multiple of; of a refused call the
                                             * error: "CL_INVALID_WORK_GROUP_SIZE" */
  /* The work-item or group that has no place: of divergence the one that stays away, else that of an access whose place is
   * not known. */
  const char *access, *who, *local, *group;
} db_detail;

/* What became of a finding on a device. */
typedef enum finding_confirmed {
  CONFIRMED_UNKNOWN, /* nobody has tried */
  CONFIRMED_YES,
  CONFIRMED_NO,
  CONFIRMED_NOT_LAUNCHABLE /* its sizes or arguments cannot be launched here */
} finding_confirmed;
/* "yes", "no", "not launchable"; "" for CONFIRMED_UNKNOWN. */
const char *finding_confirmed_name(finding_confirmed c);

/* Where a finding belongs: row ids. */
typedef struct finding_ids {
  int64_t run;
  int64_t test_case; /* of the run; 0: it is not about a test case */
  int64_t program;   /* of the places; 0: there are none */
  int64_t kernel;    /* 0: not about one */
  int64_t site;      /* where it shows; 0: at its first place, or nowhere in particular */
  int64_t proof;     /* that it belongs to; 0: none */
} finding_ids;

typedef struct db_finding {
  finding_ids of; /* written; a view has places and names instead */
  const char *rule;
  const char *message; /* a sentence that the record does not give; NULL or "": it does */
  int64_t schedule;    /* that shows it, a row id, which a view may not have; 0: none */
  db_detail detail;
  const db_place *places; /* in a view: those whose file it has */
  size_t place_count;
  const db_witness *witness;
  size_t witness_count;
  const db_command *commands; /* of a race between commands both, in the order of the calls */
  size_t command_count;
  bool possible;               /* it depends on what the proof does not know; false: it is definite */
  finding_confirmed confirmed; /* whether a device shows it */
  const char *confirmation;    /* why, or why not, in a sentence; NULL or "": nothing to say */
  const db_step *path;         /* what leads there; in a view: those steps whose file it has */
  size_t path_count;
  const char
      *distinct; /* written: without a site tells it from others at the same places, or at none; NULL: the places do */
  /* of a view */
  int64_t id;         /* row id; of several that are one, the first */
  const char *kernel; /* name */
  uint32_t file;      /* MODEL_NONE if nowhere */
  uint32_t line;
  char *suppressed; /* the reason that a suppression of the configuration gives; NULL: none */
  uint32_t twin;    /* of a race that was both seen and proved the other of the two, from 1; 0: none */
  bool proved;      /* by `verify`, and not seen while a program ran; what follows is for these */
  uint32_t proof;   /* MODEL_NONE: it has none */
} db_finding;

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
 * A database is merged whole or not at all; what is pending in either is committed before. */
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
  char *word; /* that names the suite on a command line (db_set_word); "" without a suite */
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
  mem_arena memory; /* of all that it has */
  int64_t run;      /* the newest of the runs */
  view_run *runs;   /* oldest first */
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
