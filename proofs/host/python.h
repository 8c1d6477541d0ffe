/* Launches of kernels in programs with PyOpenCL, as far as their text says them with numbers. */
#ifndef CLTC_HOST_PYTHON_H
#define CLTC_HOST_PYTHON_H

#include "proofs/host/host.h"
#include "proofs/host/tree.h"

bool host_is_python(const char *file);
/* Adds the launches of a file to `out`, whose pool must be there. Python 3 reads it. */
int host_python_read(const char *file, host_facts *out, error *e);

#endif
