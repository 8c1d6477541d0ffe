/* A gate record that outlives the process. */
#ifndef CLTC_LAYER_OBSERVE_WATCH_H
#define CLTC_LAYER_OBSERVE_WATCH_H

#include <stddef.h>

#include "layer/observe/context.h"

/* A zeroed hidden buffer over the watched file; NULL: there is no such file, or a launch has it. */
cl_mem watch_buffer(context *c, size_t bytes);
void watch_after_fork(void);

#endif
