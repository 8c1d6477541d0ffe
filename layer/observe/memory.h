/* The user's memory objects and shared virtual memory: which launch had them last. */
#ifndef CLTC_LAYER_OBSERVE_MEMORY_H
#define CLTC_LAYER_OBSERVE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

#include "layer/observe/observe.h"

void memory_mark(cl_mem handle, const mark *last);
mark memory_last(cl_mem handle);
/* How many have been made that have numbers. */
uint32_t memory_made(void);
/* Its number (filling.h; of a sub-buffer its parent's, FILLING_END: not known), and whether anything was copied there. */
uint32_t memory_number(cl_mem handle, bool *copied);
void memory_copied(cl_mem handle);
/* The same for shared virtual memory. */
void memory_mark_pointer(const void *pointer, const mark *last);
/* False: the address is none. */
bool memory_last_pointer(const void *pointer, mark *last);
/* The allocation that the address is in. */
bool memory_extent(const void *pointer, const void **first, size_t *size);
void memory_after_fork(void);

#endif
