/* The parameters of kernels, read from their source in a process of its own. */
#ifndef CLTC_PROOFS_SOURCES_SIGNATURE_H
#define CLTC_PROOFS_SOURCES_SIGNATURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "frontend/preprocess.h"

enum { SIGNATURE_LINE = 64, SIGNATURE_SIDE = 8 };

typedef enum parameter_kind {
  PARAMETER_GLOBAL, /* a pointer to global or constant memory */
  PARAMETER_LOCAL,  /* a pointer to local memory */
  PARAMETER_VALUE,
  PARAMETER_IMAGE,
  PARAMETER_OTHER /* samplers, pipes, … */
} parameter_kind;

typedef struct parameter {
  char *name;
  char *type;    /* of the value, or of what the pointer points to: "float4" */
  char *written; /* the same in the words of the source, without qualifiers: "real"; "": it is not in one piece */
  parameter_kind kind;
  uint32_t size;    /* bytes of that; 0: not known */
  bool integer;     /* that is one integer, */
  bool is_unsigned; /* of this kind */
  bool read_only;   /* a pointer through which nothing is written */
  bool atomic;      /* atomic functions may use what it points to, and */
  uint64_t
      reach; /* bytes that a launch of SIGNATURE_LINE work-items, or of SIGNATURE_SIDE in each dimension, may touch, with integers
                       of as much; 0: not known. Both only where they were asked for */
} parameter;

typedef struct signature {
  char *kernel;
  parameter *parameters;
  size_t count;
  uint32_t dimensions;  /* that the kernel and functions that it may call ask about: 1 to 3 */
  bool asks_dimensions; /* they ask how many there are */
} signature;

/* Of the source and all that it includes. */
typedef struct source_digests {
  char files[65]; /* with their names */
  char texts[65]; /* without */
} source_digests;

/* The kernels that the source defines, in order; `reach`: with what launches of them touch. Questions of the preprocessor are answered as libclang does. -1 with
 * `e` set: the source cannot be read. Free with signatures_free. */
int signatures_read(const pp_input *in, bool reach, signature **out, size_t *count, source_digests *digests, error *e);
void signatures_free(signature *s, size_t count);

#endif
