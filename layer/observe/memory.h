/* The user's memory objects and shared virtual memory: which launch had them last. */
#ifndef CLTC_LAYER_OBSERVE_MEMORY_H
#define CLTC_LAYER_OBSERVE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

#include "layer/common/opencl.h"
#include "layer/observe/observe.h"
#include "wire/protocol.h"

void memory_mark(cl_mem handle, const mark *last);
mark memory_last(cl_mem handle);
/* How many have been made that have numbers. */
uint32_t memory_made(void);
/* Its number (detectors/fills/record.h; of a sub-buffer its parent's, FILLING_END: not known), and whether anything was
 * copied there. */
uint32_t memory_number(cl_mem handle, bool *copied);
void memory_copied(cl_mem handle);
/* The host has written these bytes, in a call that blocked or, with `on`, in the order of that queue. */
void memory_written(cl_mem handle, cl_command_queue on, size_t offset, size_t size);
/* The memory is used on this queue (BARE_LAUNCH: as an argument of a kernel, else `of` is NULL): where the host has not
 * written all of it before, cltestcheck hears of it. */
void memory_used(cl_mem handle, cl_command_queue on, enum bare_use use, tally *of, cl_uint index);
/* The same for shared virtual memory. */
void memory_mark_pointer(const void *pointer, const mark *last);
/* False: the address is none. */
bool memory_last_pointer(const void *pointer, mark *last);
/* The allocation that the address is in. */
bool memory_extent(const void *pointer, const void **first, size_t *size);
void memory_after_fork(void);

/* Memory objects that the host has mapped, and not unmapped yet. The host has mapped it, to this pointer (NULL: that
 * failed); of a buffer these bytes, of an image `size` is 0. */
void mapped_add(cl_mem memory, cl_map_flags flags, size_t offset, size_t size, const void *pointer);
/* A command comes; cltestcheck is told once that there was one while something was mapped, or several queues. */
void mapped_command(void);
void unordered(void);
void mapped_end(cl_mem memory, const void *pointer);
/* All of its bytes are. */
bool mapped_for_writing(cl_mem memory, size_t bytes);

#endif
