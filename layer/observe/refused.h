/* Calls that the driver has refused. */
#ifndef CLTC_LAYER_OBSERVE_REFUSED_H
#define CLTC_LAYER_OBSERVE_REFUSED_H

#include "layer/common/guest.h"
#include "layer/observe/launch.h"

struct kernel;

/* What lies below the calls of this table, which is over all others. */
extern cl_icd_dispatch refused_below;
extern const guest_call refused_calls[];
/* A call that the driver has refused; `kernel` and `detail` may be "", `call` is a literal. */
void refused(const char *call, const char *kernel, cl_int error, const char *detail);
/* `k`: what is known of the kernel, or NULL. */
void refused_launch(cl_kernel handle, struct kernel *k, const launch *l, cl_int error);
/* At the end of the process: numbers that were not told yet. */
void refused_send(void);
void refused_after_fork(void);

#endif
