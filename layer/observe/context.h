/* What is known of a context. */
#ifndef CLTC_LAYER_OBSERVE_CONTEXT_H
#define CLTC_LAYER_OBSERVE_CONTEXT_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "layer/common/object.h"
#include "layer/common/opencl.h"

typedef struct context {
  object object;
  atomic_long open_events; /* user events that are not set yet: commands may wait for the program itself */
  atomic_long buffers;     /* hidden objects alive, for the reference count */
  atomic_long programs;
  pthread_mutex_t lock;
  cl_program reduction; /* built lazily */
  bool reduction_tried;
} context;

/* The record of the context, made if need be, and held; NULL without memory. */
context *context_hold(cl_context handle);
void context_unhold(context *c);

#endif
