/* Programs: what their executables are made of, so that a shadow can be built beside them. */
#ifndef CLTC_LAYER_OBSERVE_PROGRAM_H
#define CLTC_LAYER_OBSERVE_PROGRAM_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "layer/common/builds.h"
#include "layer/observe/context.h"

/* What an executable program was made of. */
typedef struct executable {
  recipe recipe;
  cl_program *inputs; /* of a link: those that are not from source (retained) */
  size_t input_count;
  cl_device_id *devices; /* none: all of the context */
  cl_uint device_count;
} executable;

void executable_free(executable *r);
void program_after_fork(void);

struct shadow;

typedef enum program_kind { PROGRAM_SOURCE, PROGRAM_LINKED, PROGRAM_LIBRARY } program_kind;

typedef struct program {
  source_program source;
  program_kind kind;
  context *context; /* held */
  pthread_mutex_t lock;
  executable executable;
  recipe
      made_of; /* the same as long as it stands, for its binaries; empty where it has inputs that are not from source */
  atomic_uint_fast64_t digest; /* of its source text, of linked ones all of it; 0: not known */
  bool asked;                  /* the shadow of this executable was tried */
  struct shadow *shadow;
} program;

/* Drops a record that is out of the map. */
void program_dispose(program *p);
/* The shadow of the program's present executable, made at the first call; referenced for the caller, or NULL. */
struct shadow *program_shadow(program *p);

#endif
