/* The memory that accesses of a kernel lead to (FIELD_OBJECTS, wire/forms.h), in one launch. What two arguments share
 * is one storage: by buffer, whatever sub-buffers they are, or by allocation. */
#ifndef CLTC_LAYER_OBSERVE_OBJECTS_H
#define CLTC_LAYER_OBSERVE_OBJECTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "layer/observe/forms.h"
#include "layer/observe/kernel.h"

#define STORAGES 256u

/* Memory that arguments of the launch share. */
typedef struct storage {
  const void *key;
  size_t bytes;   /* of an image: pixels */
  uint32_t shift; /* granules of 1 << shift bytes, the smallest of its objects */
  bool writes;    /* through some object */
  uint64_t first; /* cell; CHECKED_NO_CELLS: none */
} storage;

typedef struct object_place {
  storage *in; /* NULL: no memory, or local memory */
  size_t offset, bytes;
} object_place;

typedef struct objects {
  storage storages[STORAGES];
  size_t count;
  object_place places[]; /* of each object of the function */
} objects;

/* To be freed; NULL without memory. */
objects *objects_find(const kernel *k);
/* Bytes of local memory that the program gave for it. */
size_t object_local_bytes(const kernel *k, const checked_object *o);
/* Sets a ulong2 argument of the twin. */
bool object_set_pair(const kernel *k, cl_uint index, cl_ulong first, cl_ulong second);
/* The arguments HIDDEN_OBJECTS of a kernel without cells. */
bool objects_set(const kernel *k);

/* What is said of an argument. */
typedef struct needless_memory {
  bool memory; /* it is no number */
  bool known;
  uint64_t number; /* the same for all that share memory */
  uint64_t bytes;  /* with flags (detectors/memory/record.h) */
} needless_memory;

/* Whether the launch can run as the user wrote it: cltestcheck reads the kernel's source for its sizes and arguments.
 * `of`: one an argument. With both locks held. */
bool ask_needless(kernel *k, const launch *l, const needless_memory *of);

/* The hidden arguments of our kernels, as the row of their form has them: which argument of the kernel's twins that is;
 * after the last of the row where the form has none. */
cl_uint hidden_index(const kernel *k, hidden_value value);
/* Sets the hidden arguments of a twin for a launch; not HIDDEN_AREAS and HIDDEN_OBJECTS, which are
 * set apart. */
bool hidden_set(const kernel *k, twin *t, const entry *e, const place *p);

#endif
