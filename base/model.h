/* What is known of one instrumented program: its files, functions, sites, lines and kernels. Made by instrument/,
 * stored by db/, whose views of several programs hold files, functions and sites, too. Indices refer to the arrays of
 * the same model or view; everything is owned by it. */
#ifndef CLTC_BASE_MODEL_H
#define CLTC_BASE_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum site_kind {
  SITE_FUNCTION,    /* outcome 0: entered */
  SITE_IF,          /* outcomes: OUTCOME_TRUE, OUTCOME_FALSE */
  SITE_CONDITIONAL, /* `?:`, the same */
  SITE_SWITCH,      /* outcomes 0..n-1: the cases in source order; n: default, written or not */
  SITE_FOR,         /* loops: OUTCOME_ZERO … OUTCOME_BOUNDARY, as far as the loop has them (`outcomes` mask) */
  SITE_WHILE,
  SITE_DO,
  SITE_BARRIER,   /* outcome 0: covered */
  SITE_REGION,    /* outcome 0: executed; code that can be reached or missed without a branch outcome saying so */
  SITE_CONDITION, /* an atomic condition: OUTCOME_TRUE, OUTCOME_FALSE */
  SITE_ASYNC,     /* async_work_group_copy and its like, wait_group_events: no outcomes, only OUTCOME_DIVERGED */
  SITE_DECISION,  /* a tree of && and ||. Outcomes below OUTCOME_PATH: its conditions in source order, labelled with
                     their  text; from there on: the ways through it. None of either: there are too many ways */
  SITE_KIND_COUNT
} site_kind;

enum { OUTCOME_ENTERED = 0, OUTCOME_EXECUTED = 0, OUTCOME_COVERED = 0 };
enum { OUTCOME_TRUE = 0, OUTCOME_FALSE = 1 };
/* The label of a way through a decision has a character a condition, `T`, `F` or `-` (not evaluated), a space and the
 * decision's value: "TF- F". These are evidence, not something to cover; reports/common/coverage.h computes MC/DC from
 * them. */
enum { OUTCOME_PATH = 32, MAX_PATHS = 32 };
enum { OUTCOME_ZERO = 0, OUTCOME_ONE = 1, OUTCOME_MANY = 2, OUTCOME_BOUNDARY = 3 };
/* Not an outcome to cover but a finding: work-items of one work-group decided differently here (guards of a
 * barrier or async call), or executed it a different number of times, or an async call with other arguments. Same
 * number for every kind. */
enum { OUTCOME_DIVERGED = 1000 };

/* The words of reports and of the database: "function", "if", "conditional", "switch", "for", "while", "do",
 * "barrier", "region", "condition", "async", "decision". */
const char *site_kind_name(site_kind kind);
/* -1 when no kind has that name. */
int site_kind_from_name(const char *name);

#define MODEL_NONE UINT32_MAX

/* A piece of a file that is written in another one. If both lengths are equal, the characters correspond one by one. If
 * not, the piece corresponds as a whole: an escape sequence, or a value that a program put into a format. */
typedef struct model_span {
  uint32_t offset, length;
  uint32_t home_offset, home_length;
} model_span;

/* A file of the project in which a program's source is written, as a string or otherwise; docs/strings.md. */
typedef struct model_home {
  char *name, *root; /* as a model_file has them */
  char *text;
  size_t length;
  char sha256[65];   /* of `text` */
  model_span *spans; /* by ascending offset; they do not overlap */
  size_t span_count, span_capacity;
} model_home;

typedef struct model_file {
  char *name; /* as shown: path of the file on disk where it is known, else a name we made up */
  char *root; /* the folder that `name` is relative to (base/files.h); NULL, "": not known, or an absolute name */
  char *text; /* the source as the program handed it over */
  size_t length;
  char sha256[65];   /* of `text`, lower-case hexadecimal: the identity of the file */
  model_home *homes; /* where its text is written; none where the file is its own home, or unknown */
  size_t home_count, home_capacity;
} model_file;

typedef struct model_outcome {
  uint32_t index; /* OUTCOME_… or the case number */
  char *label;    /* "true", "false", "case 3", "default", "0 iterations", "boundary", "executed", … */
  uint32_t line;  /* of the case label for a switch, else the site's line */
  uint32_t tests; /* of a view: number of test cases that covered it; 0: not covered */
  uint32_t first; /* the first of them */
  uint64_t cases; /* of a kernel in a view: of the first 64 test cases a bit each, whether it covered it */
} model_outcome;

typedef struct model_site {
  site_kind kind;
  uint32_t file;
  uint32_t line, column; /* of the keyword or operator that makes the site (spelled: in the macro body if there) */
  uint32_t offset;       /* the same in bytes; (file sha256, offset, kind) is the site's identity */
  uint32_t end_line, end_column; /* end of the construct, exclusive; equal to the start when it is spelled elsewhere */
  uint32_t function;             /* index of the enclosing function */
  uint32_t turns;          /* that each execution of a loop makes (2: or more); MODEL_NONE: its text does not say */
  model_outcome *outcomes; /* those that count; a loop lists only the cases it has */
  size_t outcome_count;
} model_site;

/* A site and one of its outcomes. */
typedef struct model_term {
  uint32_t site;
  uint32_t outcome;
} model_term;

typedef struct model_function {
  char *name;
  uint32_t file, line, end_line;
  uint32_t site; /* its SITE_FUNCTION */
  bool kernel;
} model_function;

/* A line with code of one function. It was executed when any of its terms holds. */
typedef struct model_line {
  uint32_t file, line;
  uint32_t function;
  model_term *terms;
  size_t term_count;
} model_line;

typedef struct model_kernel {
  char *name;
  uint32_t function;
  uint32_t *functions; /* reachable from the kernel, itself included */
  size_t function_count;
  uint32_t *sites; /* used by these functions but known as another function's: in macros that both use */
  size_t site_count;
} model_kernel;

typedef struct model {
  model_file *files;
  size_t file_count, file_capacity;
  model_function *functions;
  size_t function_count, function_capacity;
  model_site *sites; /* in order of discovery */
  size_t site_count, site_capacity;
  model_line *lines; /* in order of file, then line */
  size_t line_count, line_capacity;
  model_kernel *kernels; /* in source order */
  size_t kernel_count, kernel_capacity;
  char *options; /* the user's build options (of all sources, joined by newlines) */
} model;

/* Tells functions of one place apart. */
uint32_t model_name_digest(const char *name);
void model_free(model *m);
void model_homes_free(model_home *homes, size_t count);

/* What is known of a mutant: its status, and what runs of it against one test case showed. */

typedef enum mutant_status {
  MUTANT_PENDING, /* not decided when the run ended */
  MUTANT_KILLED,
  MUTANT_UNDECIDED,
  MUTANT_SURVIVED,
  MUTANT_NO_COVERAGE,
  MUTANT_EQUIVALENT,
  MUTANT_DUPLICATE,
  MUTANT_INVALID,
  MUTANT_SUPPRESSED, /* by a comment in the source */
  MUTANT_STATUSES
} mutant_status;

/* Whether the program itself noticed a mutant that a test case kills: another exit status, a crash, no end, or (where
 * that is looked at) other standard output. */
typedef enum mutant_revealed { REVEALED_UNKNOWN, REVEALED_NO, REVEALED_YES } mutant_revealed;

typedef struct mutant_verdict {
  uint32_t runs;                   /* that it stands for: where repeats cannot differ, one stands for all */
  uint32_t output, crash, timeout; /* of these: differed, by reason */
  uint32_t replayed;               /* of these: replays of a capture, not runs of the program */
  uint32_t outside;                /* differed: a kernel wrote outside of a buffer */
  uint32_t unwritten;              /* differed, where others with other bytes in unwritten memory do not */
  uint32_t race;                   /* a checked replay shows a race that the original does not have */
  mutant_revealed revealed;        /* of one that is killed */
  uint32_t test_case;              /* of a view: of its test cases */
  bool reused; /* of a view: taken over from an earlier run, as all that it depends on is the same */
} mutant_verdict;

#endif
