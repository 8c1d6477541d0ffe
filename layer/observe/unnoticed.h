/* Launches and arguments that the driver has refused, and what the program does with the memory afterwards: one that
 * uses what such a launch should have written has not noticed. */
#ifndef CLTC_LAYER_OBSERVE_UNNOTICED_H
#define CLTC_LAYER_OBSERVE_UNNOTICED_H

#include <stdbool.h>
#include <stddef.h>

#include "layer/observe/kernel.h"

/* A launch of the kernel was refused; `detail`: its sizes. */
void unnoticed_refused(kernel *k, const char *name, cl_int error, const char *detail);
/* A launch of it took place. */
void unnoticed_launched(kernel *k);
/* The host reads, maps or copies from the memory with `call`, a literal; or gives it contents, or lets it go. NULL is
 * fine. */
void unnoticed_used(cl_mem memory, const char *call);
void unnoticed_given(cl_mem memory);
void unnoticed_after_fork(void);

#endif
