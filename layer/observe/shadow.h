/* The instrumented twin of a program. */
#ifndef CLTC_LAYER_OBSERVE_SHADOW_H
#define CLTC_LAYER_OBSERVE_SHADOW_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "layer/common/bytes.h"
#include "layer/common/opencl.h"
#include "layer/observe/context.h"
#include "layer/observe/program.h"
#include "wire/protocol.h"

/* A kernel of a mutation schema: what is launched in its place, and what its `first` says. */
typedef struct schema {
  char *kernel; /* NULL: not of a schema */
  uint32_t mutant;
  uint32_t fuel;
} schema;

/* Memory that accesses of a checked kernel lead to. */
typedef struct checked_object {
  cl_uint argument;
  bool local, writes;
  uint32_t shift;
} checked_object;

/* One kernel function of an instrumented program in one context. Counted: it outlives its program in the queues. */
typedef struct function {
  atomic_long references;
  struct function *next;
  cl_context context; /* with `program` and `kernel`: its identity */
  uint32_t program;   /* numbers in the run */
  uint32_t kernel;
  char *name; /* the user's */
  schema schema;
  kernel_form form;
  uint32_t item_bytes; /* of a form with slots, else 0 */
  uint32_t flag_words;
  uint32_t total_words;
  uint32_t bits;   /* that launches may set; 0: they may have other news, too */
  uint32_t planes; /* barriers and their guards */
  bool planes_in_slots;
  uint32_t area; /* cells of the arrays of a work-group */
  checked_object *objects;
  uint32_t object_count;
  uint64_t asked;  /* digest of the last MESSAGE_NEEDLESS, 0: none */
  bool needless;   /* its answer */
  unsigned needed; /* answers in a row that said no */
  atomic_uint launches;
  _Atomic uint64_t whole_in;    /* the test case in which all bits have come, and one; 0: in none */
  _Atomic uint64_t whole_since; /* when that was, in ns, */
  atomic_uint whole_at;         /* and how many launches there had been */
  _Atomic uint64_t announced;   /* digest of the shape of the last launch that was announced */
  atomic_bool cut;              /* a launch was too large for barrier evidence and the note sent */
  atomic_bool noted;            /* a launch was refused and the note sent */
} function;

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

/* Arguments that its kernel has beyond the user's. */
cl_uint function_hidden(const function *f);
void function_retain(function *f);
void function_release(function *f);

void shadow_after_fork(void);

#endif
