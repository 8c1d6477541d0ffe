/* Launches whose accesses to memory are checked (instrument/checked.cl): cells for what they may write. */
#ifndef CLTC_LAYER_OBSERVE_CHECKED_H
#define CLTC_LAYER_OBSERVE_CHECKED_H

#include <stdbool.h>
#include <stdint.h>

#include "layer/observe/kernel.h"
#include "layer/observe/launch.h"
#include "layer/observe/queue.h"
#include "layer/observe/slots.h"

/* What the hidden arguments of a launch are to be. */
typedef struct checking {
  cl_uint launch; /* its number; set by the caller */
  cl_mem cells;   /* NULL: it needs none */
  uint64_t serial;
  cl_ulong first;
  slots own; /* on an out-of-order queue: the cells, for this launch alone; the caller releases its memory */
} checking;

/* Whether no work-item of the launch touches what another one writes, so that it can run as the user wrote it. With both
 * locks held. */
bool checked_is_disjoint(kernel *k, const launch *l);
/* Before a launch, with both locks held: finds room and sets the arguments of areas and objects. False:
 * the device refused. */
bool checked_begin(queue *q, kernel *k, const launch *l, checking *c);

#endif
