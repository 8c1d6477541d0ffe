/* Rows of the database as they are written, and as a view has them: one struct for both. What is read has texts of its
 * own, what is written lends them. Fields "of a view" are not looked at when a row is written; files are those of the
 * program's model then, of the view where it is read. */
#ifndef CLTC_DB_ROWS_H
#define CLTC_DB_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/model.h"
#include "db/finding.h"

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

#endif
