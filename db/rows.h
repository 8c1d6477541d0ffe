/* Rows of the database as they are written, and as a view has them: one struct for both. What is read has texts of its
 * own, what is written lends them. Fields "of a view" are not looked at when a row is written; files are those of the
 * program's model then, of the view where it is read. */
#ifndef CLTC_DB_ROWS_H
#define CLTC_DB_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/model.h"

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
                     * ended, a "signal" that kills it; "": `text` says it, as of versions before 22 */
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

/* What the runs of one schedule of a launch gave: see schedamp/verdict.h. */
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
  const char
      *kind; /* "argument", "content" (of a buffer), "doubt" (what the proof does not know); "" of older versions,
                     * which told all in such pairs */
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

#endif
