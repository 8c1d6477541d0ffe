/* A command of the user's that tests a program with the changed source. */
#ifndef CLTC_RUNNER_REPAIR_TESTS_H
#define CLTC_RUNNER_REPAIR_TESTS_H

#include "runner/repair/file.h"

/* Runs the command of --tests: programs in it that build the file's text get the changed one. No file changes. Adds a
 * step to the file, which fails when the command fails and does not without the change, and when nothing built the text.
 * -1 with `e`: it could not be run. */
int repair_check_tests(repair_file *f, const repair_options *s, error *e);

#endif
