/* Evidence on barriers. */
#ifndef CLTC_LAYER_OBSERVE_PLANES_H
#define CLTC_LAYER_OBSERVE_PLANES_H

#include <stdbool.h>
#include <stddef.h>

#include "layer/observe/queue.h"

/* Room in `s` for the barrier evidence of `items` work-items; `*capacity` says for how many there is. */
bool planes_place(queue *q, entry *e, slots *s, size_t items, cl_uint *capacity);
/* Makes the entry's comparing kernel at the first call. */
bool planes_ready(entry *e, cl_program owner);
/* Enqueues the comparison of the work-items of the launch of this number, by what they left in `memory` and from item
 * `first` on in `items` (NULL: nowhere). */
bool planes_judge(queue *q, entry *e, cl_mem memory, cl_mem items, cl_ulong first, cl_uint number, cl_uint waits,
                  const cl_event *wait, cl_event *event);

#endif
