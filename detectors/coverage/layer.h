/* What work-items of a launch have left in slots and planes. */
#ifndef CLTC_DETECTORS_COVERAGE_LAYER_H
#define CLTC_DETECTORS_COVERAGE_LAYER_H

#include <stdbool.h>
#include <stddef.h>

#include "layer/observe/forms.h"
#include "layer/observe/queue.h"

/* Enqueues the OR of `items` items of `memory` into the entry's flags. */
bool reduction_enqueue(queue *q, entry *e, cl_mem memory, size_t items, cl_uint waits, const cl_event *wait,
                       cl_event *event);
/* Before a launch: room for what its work-items leave about barriers, if the kernel has any. */
bool planes_place(queue *q, kernel *k, entry *e, const launch *l, place *p);
/* Enqueues the comparison of the work-items of the launch of this number, by what they left in `memory` and from item
 * `first` on in `items` (NULL: nowhere). */
bool planes_judge(queue *q, entry *e, cl_mem memory, cl_mem items, cl_ulong first, cl_uint number, cl_uint waits,
                  const cl_event *wait, cl_event *event);

#endif
