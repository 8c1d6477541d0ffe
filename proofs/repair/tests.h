/* A command of the user's that tests a program with the changed source. */
#ifndef CLTC_RUNNER_REPAIR_TESTS_H
#define CLTC_RUNNER_REPAIR_TESTS_H

#include "proofs/repair/file.h"

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
