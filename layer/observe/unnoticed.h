/* Launches and arguments that the driver has refused, and what the program does with the memory afterwards: one that
 * uses what such a launch should have written has not noticed. */
#ifndef CLTC_LAYER_OBSERVE_UNNOTICED_H
#define CLTC_LAYER_OBSERVE_UNNOTICED_H

#include <stdbool.h>
#include <stddef.h>

#include "layer/observe/kernel.h"

/* A launch of the kernel was refused; `detail`: its sizes. */
void unnoticed_refused(kernel *k, const char *name, cl_int error, const char *detail);
/* Another call was refused that would have written the memory, or set an argument of the kernel, or (neither) made a memory object.
 * `call` is a literal. */
void unnoticed_call(const char *call, const char *name, cl_mem memory, cl_kernel kernel, cl_uint index, cl_int error,
                    const char *detail);
/* The argument is set after all, or the kernel is gone (`index` CL_UINT_MAX). */
void unnoticed_set(cl_kernel kernel, cl_uint index);
/* A launch of it took place. */
void unnoticed_launched(cl_kernel handle, kernel *k);
/* The host reads, maps or copies from the memory with `call`, a literal; or gives it contents, or lets it go. NULL is
 * fine: of no memory object a command was refused. */
void unnoticed_used(cl_mem memory, const char *call);
void unnoticed_given(cl_mem memory);
void unnoticed_after_fork(void);

#endif
