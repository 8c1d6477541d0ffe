/* Launch mutants: telling where launches are made, and changing those of one place. */
#ifndef CLTC_LAYER_OBSERVE_VARY_H
#define CLTC_LAYER_OBSERVE_VARY_H

#include <stdbool.h>

#include "layer/common/bytes.h"
#include "layer/observe/change.h"
#include "layer/observe/kernel.h"

/* Reads the environment; whether any of it is wanted. */
bool vary_start(void);
void vary_after_fork(void);
/* What a turn is about, from its message. */
bool vary_turn(wire_reader *in);

/* A launch that is changed. */
typedef struct variation {
  launch launch;
  launch_sizes sizes;
  bool argument; /* one of them is, too: */
  cl_uint index;
  size_t size;
  unsigned char original[8];
} variation;

/* Whether the launch is to be changed, and how. Then the kernel's lock is held, and its argument is changed, until
 * vary_end: it says that the device refused the launch where it did. */
bool vary_begin(kernel *k, cl_kernel handle, const launch *l, variation *out);
void vary_end(kernel *k, cl_kernel handle, const variation *v, cl_int result);
/* The kernel was launched: says where, if that is wanted. */
void vary_tell(kernel *k, const launch *l);

#endif
