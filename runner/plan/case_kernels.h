/* What kernel cases need to know of their kernels. */
#ifndef CLTC_RUNNER_PLAN_CASE_KERNELS_H
#define CLTC_RUNNER_PLAN_CASE_KERNELS_H

#include "cases/cases.h"

/* A case_kernels_reader: as verify reads them, in a process of its own. */
int case_kernels_read(const pp_input *in, case_kernels *out, error *e);

/* For a kernel file that has no case: what one looks like goes to standard output. Returns -1 with `e` set. */
int case_kernels_show(const char *path, const char *verb, error *e);

#endif
