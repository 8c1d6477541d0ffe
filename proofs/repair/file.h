/* A kernel file that is repaired. */
#ifndef CLTC_RUNNER_REPAIR_FILE_H
#define CLTC_RUNNER_REPAIR_FILE_H

#include "proofs/patch/search.h"
#include "proofs/repair/options.h"

typedef struct repair_engine {
  prover prover;
  const asked_source *source; /* the file as it is */
  const char *const *kernels; /* names, as the search has them */
  size_t kernel_count;
  flaw *flaws;                    /* of the question under way; */
  char **objections;              /* if not NULL these are wanted, in their place, */
  const repair_options *options;  /* with the second opinion of these */
  const struct repair_file *file; /* whose repair is looked for; NULL: none is */
  const repair_options *asked;    /* of it */
} repair_engine;

/* What the engine is asked for while a repair is looked for, of what a person would ask. */
prove_options repair_question(const prove_options *as);
/* Whether all kernels of a source that was launched are proved with this text. As repair_find. */
int repair_verified(const prover *p, const asked_source *source, const char *text, size_t length, bool *all, error *e);

/* What was done with the changed text beyond proving it, as a sentence's part. */
typedef struct repair_file {
  char *path;           /* for messages: as it was given; of a source that was captured, its name */
  char *disk;           /* the file with exactly this text, NULL: there is none */
  asked_source *source; /* lent */
  pp_input input;       /* its text, with options: */
  char *options;
  pp_result text;
  tree *tree;
  spots spots;
  repair_engine engine;
  const char **kernels;
  repair repair;
  buffer result;     /* the text with its barriers */
  char **objections; /* a kernel: what `verify` says of it in that text, NULL: it is verified, or was not asked about */
  char *built;       /* the device that has built it, NULL: none was asked */
  char **steps;      /* what was done with the changed text beyond proving it, as sentences' parts */
  size_t step_count, step_capacity;
  bool failed;   /* one of them: the text is not offered */
  bool unproved; /* another build of it is not verified with the change */
} repair_file;

/* Reads the file at `path`; NULL: a source that a program has built, which may be in a file. `engine` says what program
 * to ask, and with what. Release in every case. */
int repair_file_open(repair_file *f, const repair_options *s, const char *path, asked_source *source,
                     const prover *engine, error *e);
/* Searches, and writes `result`. */
int repair_file_search(repair_file *f, error *e);
/* Has the front end read `result` and the device build it. -1 with `e`: one of them refuses it. */
int repair_file_check(repair_file *f, const repair_options *s, error *e);
void repair_file_close(repair_file *f);
/* Adds what was done, as a sentence's part that it takes over; one that failed is why the text is not offered. */
void repair_file_step(repair_file *f, bool failed, char *text);

/* Puts a text in place of a file, as a whole or not at all. */
int repair_file_replace(const char *path, const buffer *text, error *e);

/* Asks about all kernels of which the search says that they are, or will be, as they should be. What it hears is in the file's
 * objections; of a kernel that was changed it is a step that failed. */
int repair_judge(repair_file *f, const repair_options *s, error *e);

/* --- what is said of it ------------------------------------------------------------------------------------------- */

/* Kernel by kernel: what was wrong, and what became of it; then what was changed where. */
void repair_report(const repair_file *f, bool applied, buffer *out);
/* As db_repair has it. */
const char *repair_outcome_name(const repair_file *f);
/* Whether a chosen kernel is not as it should be. */
bool repair_remains(const repair_file *f);

/* --- programs that run the changed source ------------------------------------------------------------------------- */

/* Runs the command of --tests: programs in it that build the file's text get the changed one. No file changes. Adds a
 * step to the file, which fails when the command fails and does not without the change, and when nothing built the text.
 * -1 with `e`: it could not be run. */
int repair_check_tests(repair_file *f, const repair_options *s, error *e);

/* What the launches of a program say of a changed source. */

/* What programs have built and launched. */
typedef struct repair_programs {
  const asked_source *sources;
  size_t count;
  char *const *captures; /* files */
  size_t capture_count;
  const char *folder; /* for files; NULL: there are no captures */
} repair_programs;

/* Runs the launches of the captures with the source as it is and with the changed one: the same data is read, where the
 * source as it is gives the same each time and had no race; no barrier diverges; no order of work-groups makes a
 * difference. Adds a step for each to the file. -1 with `e`: they cannot be run. */
int repair_check_launches(repair_file *f, const repair_programs *in, const repair_options *s, error *e);
/* The other ways in which a program builds this very text: each is verified with the change, or something failed, or
 * `*remains` as before. Sources that need not be looked at any more are `done`. */
int repair_check_builds(repair_file *f, const repair_programs *in, const prover *p, bool *done, bool *remains,
                        error *e);

#endif
