/* Memory objects that the host has mapped, and not unmapped yet. */
#ifndef CLTC_LAYER_OBSERVE_MAPPED_H
#define CLTC_LAYER_OBSERVE_MAPPED_H

#include <stdbool.h>

#include "layer/common/opencl.h"

/* The host has mapped it, to this pointer (NULL: that failed). */
void mapped_add(cl_mem memory, cl_map_flags flags, const void *pointer);
void mapped_end(cl_mem memory, const void *pointer);
/* It is gone. */
void mapped_forget(cl_mem memory);
bool mapped_for_writing(cl_mem memory);
void mapped_after_fork(void);

#endif
