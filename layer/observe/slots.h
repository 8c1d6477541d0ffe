/* Memory per work-item, within a cap. */
#ifndef CLTC_LAYER_OBSERVE_SLOTS_H
#define CLTC_LAYER_OBSERVE_SLOTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "layer/observe/context.h"

typedef struct slots {
  cl_mem memory;
  size_t capacity; /* bytes */
  uint64_t serial;
} slots;

/* A zeroed hidden buffer; NULL if the device has none. */
cl_mem hidden_buffer(context *c, size_t bytes);
void hidden_buffer_release(context *c, cl_mem memory);
uint64_t next_serial(void);
bool slots_make(context *c, slots *s, size_t bytes);
void slots_release(context *c, slots *s);
void slots_after_fork(void);

#endif
