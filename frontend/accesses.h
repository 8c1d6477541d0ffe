/* The kernels of a text with their parameters, and where a kernel's own body touches what they point to, as libclang
 * sees it. */
#ifndef CLTC_FRONTEND_ACCESSES_H
#define CLTC_FRONTEND_ACCESSES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "frontend/preprocess.h"

typedef struct front_access {
  uint32_t token; /* the parameter's name */
  bool writes;    /* what both reads and writes is two accesses */
} front_access;

typedef struct front_parameter {
  char *name;
  char *type; /* as instrument_parameter.type */
  front_access *accesses;
  size_t access_count, access_capacity;
  bool escapes;
} front_parameter;

typedef struct front_kernel {
  uint32_t name_token;
  front_parameter *parameters;
  size_t parameter_count, parameter_capacity;
} front_kernel;

typedef struct front_kernels {
  front_kernel *items; /* those that have a body */
  size_t count, capacity;
} front_kernels;

/* Parses `text` as front_read does. Returns 0, or -1 with a sentence. Release with front_kernels_free in every case. */
int front_kernels_read(const pp_result *text, const char *options, front_kernels *out, error *e);
void front_kernels_free(front_kernels *k);

#endif
