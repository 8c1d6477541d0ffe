/* What a launch leaves in its arguments. */
#ifndef CLTC_LAYER_OBSERVE_CONTENTS_H
#define CLTC_LAYER_OBSERVE_CONTENTS_H

#include <stdint.h>

#include "layer/observe/kernel.h"

typedef struct contents contents;

/* Its pixels in each direction; gives the bytes of one, 0: not known. */
size_t image_region(cl_mem image, size_t region[3]);

/* The memory among the arguments of a launch, `done` as above; NULL: none, or no memory. */
contents *contents_of(const kernel *k, uint64_t number, cl_event done);
/* Waits for the launch, unless that is not safe, sends MESSAGE_MEMORY and frees `c`, which may be NULL. */
void contents_send(cl_command_queue handle, contents *c);

#endif
