/* Launches whose work-groups follow a schedule. */
#ifndef CLTC_LAYER_OBSERVE_GATE_H
#define CLTC_LAYER_OBSERVE_GATE_H

#include <stdbool.h>
#include <stdint.h>

#include "layer/observe/kernel.h"
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

void gate_records_release(queue *q, entry *e);
/* As reads_poll. */
bool gate_poll(const queue *q, bool any);
void gate_after_fork(void);

#endif
