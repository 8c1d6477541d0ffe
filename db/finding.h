/* A finding as a record: rule, places, the memory that it is about, what was seen of it or proved. It holds no sentence:
 * reports/words makes those. What is read from the database has texts of its own, what is written lends them; NULL is
 * written as "". */
#ifndef CLTC_DB_FINDING_H
#define CLTC_DB_FINDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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
