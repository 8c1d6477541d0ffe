/* Kernel functions of instrumented programs, shared by builds of the same program in one context. */
#ifndef CLTC_LAYER_OBSERVE_FUNCTION_H
#define CLTC_LAYER_OBSERVE_FUNCTION_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "layer/common/bytes.h"
#include "layer/common/opencl.h"
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
  uint32_t planes; /* barriers and their guards */
  bool planes_in_slots;
  uint32_t area; /* cells of the arrays of a work-group */
  checked_object *objects;
  uint32_t object_count;
  uint64_t asked;  /* digest of the last MESSAGE_NEEDLESS, 0: none */
  bool needless;   /* its answer */
  unsigned needed; /* answers in a row that said no */
  atomic_uint launches;
  _Atomic uint64_t announced; /* digest of the shape of the last launch that was announced */
  atomic_bool cut;            /* a launch was too large for barrier evidence and the note sent */
  atomic_bool noted;          /* a launch was refused and the note sent */
} function;

/* Arguments that its kernel has beyond the user's. */
cl_uint function_hidden(const function *f);
void function_retain(function *f);
void function_release(function *f);
/* Reads one from a message, for this number among its program's; NULL: it is none, or there is no memory. */
function *function_read(wire_reader *r, cl_context c, uint32_t program, uint32_t index);
/* The same function as one of a schema; NULL without memory. */
function *function_like(const function *f, const schema *now);
void function_after_fork(void);

#endif
