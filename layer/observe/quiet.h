/* Nothing of our builds on standard error. */
#ifndef CLTC_LAYER_OBSERVE_QUIET_H
#define CLTC_LAYER_OBSERVE_QUIET_H

#include "layer/common/opencl.h"

#define OPTION_QUIET "-w"

typedef struct quiet {
  int saved, memory;
} quiet;

void quiet_begin(quiet *q, cl_device_id device);
void quiet_end(quiet *q);
void quiet_after_fork(void);

/* "options more"; free it. */
char *join_options(const char *options, const char *more);

#endif
