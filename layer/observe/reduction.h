/* ORing what work-items left in slots. */
#ifndef CLTC_LAYER_OBSERVE_REDUCTION_H
#define CLTC_LAYER_OBSERVE_REDUCTION_H

#include <stdbool.h>
#include <stddef.h>

#include "layer/observe/queue.h"

/* Makes the queue's reduction kernel at the first call; false: only the direct variant can be used. */
bool reduction_ready(queue *q);
/* Enqueues the OR of `items` items of `memory` into the entry's flags. */
bool reduction_enqueue(queue *q, entry *e, cl_mem memory, size_t items, cl_uint waits, const cl_event *wait,
                       cl_event *event);

#endif
