/* The instrumented twin of a program. */
#ifndef CLTC_LAYER_OBSERVE_SHADOW_H
#define CLTC_LAYER_OBSERVE_SHADOW_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "layer/observe/context.h"
#include "layer/observe/function.h"
#include "layer/observe/program.h"

typedef struct shadow_source {
  char *text;
  char *options;
} shadow_source;

typedef struct shadow {
  atomic_long references;
  context *context;    /* held */
  struct shadow *next; /* of a process that replays: in turn.c's list */
  uint64_t setup;
  uint32_t number;
  shadow_source *sources;
  size_t source_count;
  bool gated;            /* has gated kernels */
  bool watched;          /* these leave behind their gate record how far each work-group has come */
  executable executable; /* units dropped; link options, inputs and devices kept for the direct variant */
  cl_program program;
  pthread_mutex_t lock;
  cl_program direct;
  bool direct_tried;
  function **functions;
  size_t function_count;
} shadow;

/* Asks cltestcheck and builds; NULL: run the program untouched. Takes over the executable's contents. */
shadow *shadow_make(context *c, executable *r);
shadow *shadow_retain(shadow *s);
void shadow_release(shadow *s);
function *shadow_function(const shadow *s, const char *name);
/* From now on the function of this name is one of a schema. */
void shadow_switch(shadow *s, const char *name, const schema *now);
/* The variant that needs no slots, built at the first call; lent, or NULL. */
cl_program shadow_direct(shadow *s);

/* The device that stands for a program: the first it is built for. */
cl_device_id first_device(const context *c, const executable *r);

#endif
