/* Questions that only the device's compiler can answer. */
#ifndef CLTC_LAYER_OBSERVE_PROBE_H
#define CLTC_LAYER_OBSERVE_PROBE_H

#include <stddef.h>
#include <stdint.h>

#include "layer/observe/context.h"
#include "layer/observe/program.h"

typedef struct fact {
  uint32_t source;
  char *expression;
  uint32_t value;
} fact;

/* Sets the value of `count` facts of one source. */
void probe_answer(const context *c, const executable *r, const char *options, fact **facts, size_t count);

#endif
