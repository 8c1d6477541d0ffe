/* Launches whose work-groups follow a schedule. */
#ifndef CLTC_LAYER_OBSERVE_GATE_H
#define CLTC_LAYER_OBSERVE_GATE_H

#include <stdbool.h>
#include <stdint.h>

#include "layer/observe/kernel.h"
#include "layer/observe/launch.h"
#include "layer/observe/queue.h"

/* MESSAGE_SCHEDULE. */
typedef struct gate_order {
  uint64_t number, first;
  uint32_t flags;
} gate_order;

/* What cltestcheck said about a launch, and its gate record. All zero without an answer: any order. */
typedef struct gating {
  bool answered;
  gate_order order;
  cl_mem memory;
  uint64_t serial;
  gate_record *record; /* NULL: the memory is this launch's only */
} gating;

/* Before a launch; false: there is no memory for its record. */
bool gate_begin(queue *q, const kernel *k, entry *e, const launch *l, gating *g);
/* The launch did not take place. */
void gate_cancel(queue *q, gating *g);
/* After the launch: reads its record and zeroes it. `done`: on an out-of-order queue the launch, else NULL. */
void gate_end(queue *q, entry *e, gating *g, cl_event done);
void gate_records_release(queue *q, entry *e);
/* As reads_poll. */
bool gate_poll(const queue *q, bool any);
void gate_after_fork(void);

#endif
