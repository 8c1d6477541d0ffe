/* Calls that the driver has refused, and what the program does with what they should have written: who uses that has
 * not noticed. */
#ifndef CLTC_LAYER_OBSERVE_REFUSED_H
#define CLTC_LAYER_OBSERVE_REFUSED_H

#include <stdbool.h>
#include <stddef.h>

#include "layer/common/guest.h"
#include "layer/observe/kernel.h"

/* What lies below the calls of this table, which is over all others. */
extern cl_icd_dispatch refused_below;
extern const guest_call refused_calls[];
/* Over commands, too. */
void refused_start(void);
/* A call that the driver has refused; `kernel` and `detail` may be "", `call` is a literal. */
void refused(const char *call, const char *kernel, cl_int error, const char *detail);
/* `k`: what is known of the kernel, or NULL. */
void refused_launch(cl_kernel handle, kernel *k, const launch *l, cl_int error);
/* At the end of the process: numbers that were not told yet. */
void refused_send(void);
void refused_after_fork(void);

/* An argument whose setting was refused is set after all, or the kernel is gone (`index` CL_UINT_MAX). */
void unnoticed_set(cl_kernel kernel, cl_uint index);
/* A launch of it took place. */
void unnoticed_launched(cl_kernel handle, kernel *k);
/* The host reads, maps or copies from the memory with `call`, a literal; or gives it contents, or lets it go. NULL is
 * fine: of no memory object a command was refused. */
void unnoticed_used(cl_mem memory, const char *call);
void unnoticed_given(cl_mem memory);

#endif
