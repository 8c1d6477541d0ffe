/* OpenCL C to LLVM bitcode, by clang 19 as a child. */
#ifndef CLTC_VERIFY_COMPILE_H
#define CLTC_VERIFY_COMPILE_H

#include "base/buffer.h"
#include "base/error.h"

/* What is compiled. */
typedef struct compile_input {
  const char *source;    /* the text */
  const char *file;      /* its name, for places and for includes beside it */
  const char *options;   /* as given to clBuildProgram; those that say nothing to clang are left out */
  const char *directory; /* where relative names of files begin; NULL: the current folder */
  double seconds;        /* of the processor; the compiler is stopped after that */
} compile_input;

/* Appends the bitcode to `out`. -1 with `e`: clang 19 is missing, or the text does not compile (its first error). */
int compile_source(const compile_input *input, buffer *out, error *e);

#endif
