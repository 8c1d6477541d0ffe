/* The arithmetic of launch mutants. */
#ifndef CLTC_LAYER_OBSERVE_CHANGE_H
#define CLTC_LAYER_OBSERVE_CHANGE_H

#include <stdbool.h>
#include <stddef.h>

#include "wire/launch_change.h"

typedef struct launch_sizes {
  size_t offset[3], global[3];
  size_t local[3]; /* where has_local */
  bool has_local;
  size_t group[3]; /* of a work-group; where its size is left to the device and nothing says it: 1 */
} launch_sizes;

/* Applies a change of sizes; false: it changes nothing here. */
bool change_sizes(const launch_change *c, launch_sizes *s);
/* Applies a change of an argument to its bytes; false: it changes nothing here, or the size is none of its type's. */
bool change_value(const launch_change *c, void *value, size_t size);

#endif
