/* Memory objects that the host has mapped, and not unmapped yet. */
#ifndef CLTC_LAYER_OBSERVE_MAPPED_H
#define CLTC_LAYER_OBSERVE_MAPPED_H

#include <stdbool.h>
#include <stddef.h>

#include "layer/common/opencl.h"

/* The host has mapped it, to this pointer (NULL: that failed); of a buffer these bytes, of an image `size` is 0. */
void mapped_add(cl_mem memory, cl_map_flags flags, size_t offset, size_t size, const void *pointer);
/* A command comes; cltestcheck is told once that there was one while something was mapped, or several queues. */
void mapped_command(void);
void unordered(void);
void mapped_end(cl_mem memory, const void *pointer);
/* It is gone. */
void mapped_forget(cl_mem memory);
/* All of its bytes are. */
bool mapped_for_writing(cl_mem memory, size_t bytes);
void mapped_after_fork(void);

#endif
