/* From a capture to what is to be proved: the sources of its programs, and the distinct launches of their kernels. */
#ifndef CLTC_PROOFS_SOURCES_OBSERVE_H
#define CLTC_PROOFS_SOURCES_OBSERVE_H

#include "proofs/sources/source.h"

/* Launches of a captured program one by one, and the memory that it made. */

typedef struct made_argument {
  uint32_t object; /* a memory object of the capture; CAPTURE_NONE: it is none */
  bool known;      /* an integer: */
  int64_t value;
} made_argument;

typedef struct made_launch {
  size_t command; /* of the capture */
  size_t source;  /* of the observation, that defines the kernel; SIZE_MAX: none that can be read does */
  char *kernel;
  made_argument *arguments; /* by their index */
  uint32_t argument_count;
} made_launch;

typedef struct made_object {
  bool image;
  bool constant;               /* no kernel may write it */
  uint32_t root;               /* the object whose memory it is; itself, if it is no part of another */
  uint64_t origin, size;       /* in that */
  uint64_t extent[3], element; /* of an image with memory of its own */
} made_object;

typedef struct run_made {
  made_launch *launches;
  size_t launch_count, launch_capacity;
  stored_objects stored; /* as they were made; no commands are kept */
  made_object *objects;
  size_t object_count, object_capacity;
} run_made;

void made_free(run_made *m);

typedef struct observation {
  asked_source *sources; /* those of earlier captures are added to */
  size_t count, capacity;
  run_made *made; /* filled with launches and memory; NULL: they are not wanted */
} observation;

/* `scratch`: a folder for files that its kernels include. `argv`: of the program, in whose folders kernel files are
 * looked for. Signatures of sources that had a launch are read. -1 with `e` set: files could not be written. */
int observe_capture(const capture *c, const char *scratch, char *const *argv, observation *o, error *e);

/* Distinct launches of a kernel, and the most different of them. */

/* Counts a launch that was made once; takes it over. */
void launches_add(asked_kernel *k, observed_launch *l);
/* How many of the things that a launch says differ. */
size_t launches_apart(const observed_launch *a, const observed_launch *b);
/* Leaves at most LAUNCHES_MOST: those that differ most from each other. */
void launches_narrow(asked_kernel *k);
/* Sizes of a launch from the numbers of its call; `local` NULL: the driver takes one. False: its last groups are
 * smaller than others, or there are no work-items. */
bool launches_size(observed_launch *l, uint32_t dimensions, const uint64_t *global, const uint64_t *local);

#endif
