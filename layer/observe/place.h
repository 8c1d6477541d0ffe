/* Where the evidence of a launch goes. */
#ifndef CLTC_LAYER_OBSERVE_PLACE_H
#define CLTC_LAYER_OBSERVE_PLACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "layer/observe/checked.h"
#include "layer/observe/gate.h"
#include "layer/observe/queue.h"
#include "layer/observe/slots.h"

/* Where a launch's items go: memory NULL means that they go nowhere (the direct variant, a schema's kernel). */
typedef struct place {
  cl_mem memory;
  uint64_t serial;
  cl_ulong first;
  chunk *chunk;
  slots *planes; /* NULL: no barriers */
  cl_uint capacity;
  bool in_ring;
  gating gating; /* of a gated kernel: the memory is its */
  slots own;     /* for this launch alone; the memory is released after it */
} place;

/* Room for the items of a launch: of an in-order queue in the kernel's ring, else in a chunk. None: `p` stays as it is.
 */
void place_in_ring(queue *q, entry *e, size_t items, place *p);
void place_in_chunk(queue *q, entry *e, size_t items, place *p);

#endif
