/* A kernel's text whose mutants are tried in each form, and written out. */
#ifndef CLTC_TESTS_SCHEMA_CASES_H
#define CLTC_TESTS_SCHEMA_CASES_H

#include "schema_support.h"

typedef struct test_case {
  const char *name;
  const char *operators; /* that are tried */
  const char *options;
  const char *text; /* of kernel `test` (or `solid`); lines marked `never` are not executed */
} test_case;

/* How many mutants were tried. `reach`: which lines are executed is looked at, too. */
size_t check_case(device *d, const test_case *c, const int32_t *input, bool reach);
/* Fails for operators of kernels of which no mutant was tried so far. */
void check_operators_seen(void);

#endif
