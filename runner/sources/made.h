/* Launches of a captured program one by one, and the memory that it made. */
#ifndef CLTC_RUNNER_SOURCES_MADE_H
#define CLTC_RUNNER_SOURCES_MADE_H

#include "capture/capture.h"
#include "capture/storage.h"

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

void made_add_object(run_made *m, const capture_command *c);
void made_free(run_made *m);

#endif
