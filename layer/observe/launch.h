/* A launch, as the program asked for it. */
#ifndef CLTC_LAYER_OBSERVE_LAUNCH_H
#define CLTC_LAYER_OBSERVE_LAUNCH_H

#include <stdbool.h>
#include <stddef.h>

#include "layer/common/opencl.h"

typedef struct launch {
  cl_uint dimensions;
  const size_t *offset, *global, *local;
  cl_uint waits;
  const cl_event *wait;
  cl_event *event; /* the user's, may be NULL */
  bool task;
  size_t items;
  size_t full_items;     /* the same or more: with the last work-group of each dimension in full */
  struct contents *left; /* to be read once it has ended; NULL: nothing */
} launch;

#endif
