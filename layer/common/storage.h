/* Memory objects by what they lie in: a sub-buffer, and an image that is made of a buffer, lie in that. Whether
 * anything but the host has put something there, and, where it lies in memory of the program's own
 * (CL_MEM_USE_HOST_PTR), whether the program can see that without a call. All guests that look must be told the same,
 * so that one that records and one that compares look at the same points.
 *
 * Such memory is looked at when the program learns that the launch (or copy) that was given it last is over: when its
 * queue is finished, with a blocking command of its queue if that keeps the order, or with the event of the launch. */
#ifndef CLTC_LAYER_COMMON_STORAGE_H
#define CLTC_LAYER_COMMON_STORAGE_H

#include <stdbool.h>
#include <stddef.h>

#include "layer/common/opencl.h"

/* What the program's own memory holds now, of a buffer. */
typedef void (*storage_see)(cl_mem handle, const void *bytes, size_t size);

/* A new memory object. `data`, `size`: the host's memory that it was given, of a buffer; an image has no size. */
void storage_made(cl_mem handle, cl_mem parent, cl_mem_flags flags, const void *data, size_t size);
void storage_retain(cl_mem handle);
/* One reference less. False: the object is gone, and in memory of the program's own is what nobody has looked at. */
bool storage_release(cl_mem handle);

/* A launch or a copy was given it, and may have written there. `event`: where the driver has put its event, or NULL. */
void storage_given(cl_mem handle, cl_command_queue queue, const cl_event *event);
bool storage_was_given(cl_mem handle);
/* Whether a mapping shows the program anything: what it maps for writing is there to be read, too, unless it says that
 * it does not care. What nobody but the host has put there (not `given`) tells nothing. */
bool storage_shows(cl_map_flags flags, bool given);
/* The program looks at all of it by a call. */
void storage_read(cl_mem handle);

/* All commands of the queue are over. */
void storage_queue_over(cl_command_queue queue, storage_see see);
/* A command is over. False: it is not clear whether that is the end of a launch whose results are to be looked at. */
bool storage_event_over(cl_event event, storage_see see);
/* Whether there is anything that nobody has looked at. */
bool storage_unseen(void);

void storage_after_fork(void);

#endif
