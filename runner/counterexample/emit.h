/* A counterexample as a host program in C that a person can build, run and hand on. */
#ifndef CLTC_RUNNER_COUNTEREXAMPLE_EMIT_H
#define CLTC_RUNNER_COUNTEREXAMPLE_EMIT_H

#include "base/error.h"
#include "runner/counterexample/replica.h"

/* Writes DIRECTORY/NAME.c and DIRECTORY/NAME.cl; the folder is made if it is not there. -1 with `e` set. */
int emit_test(const replica *r, const char *directory, const char *name, error *e);

#endif
