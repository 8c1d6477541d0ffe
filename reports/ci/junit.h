/* JUnit's XML of kernel cases that were run plainly. */
#ifndef CLTC_REPORTS_CI_JUNIT_H
#define CLTC_REPORTS_CI_JUNIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/error.h"

typedef struct junit_case {
  char *suite, *name;
  bool passed;
  char *said; /* what differs, in lines */
} junit_case;

/* A test suite for each run of cases that have the same `suite`. */
int junit_cases_write(const junit_case *cases, size_t count, FILE *out, error *e);

#endif
