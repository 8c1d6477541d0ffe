/* Guard zones: buffers of the program are made larger than it asked for, and what lies after its end is looked at when
 * launches were given them that may write there. The program sees the buffer that it asked for: its size, and the
 * errors of calls that leave it. A sub-buffer has its parent's zone. */
#ifndef CLTC_LAYER_OBSERVE_GUARD_H
#define CLTC_LAYER_OBSERVE_GUARD_H

#include <stdbool.h>
#include <stddef.h>

#include "layer/observe/kernel.h"
#include "layer/observe/queue.h"

/* Before anything else is asked of the driver: whether there are zones, by the environment. */
void guard_start(void);
bool guards_are_on(void);

/* clCreateBuffer, with a zone where that can be. */
cl_mem guard_create(cl_context handle, cl_mem_flags flags, size_t size, void *data, cl_int *error);

void guard_retain(cl_mem handle);
/* One reference less, before the driver knows: what launches have left in its zone is read first. */
void guard_release(cl_mem handle);

/* Before a launch: zones are filled, and those that another kernel was given are read. After it: which it may have
 * written. */
void guard_before(kernel *k, cl_command_queue on);
void guard_after(kernel *k, cl_command_queue on);
/* Puts the reads of all zones into the queue that its launches may have written; gives how many. Its lock is held. */
size_t guard_collect(const queue *q);
/* Sends what has arrived. True while a read is under way: any, or one of this queue, or (NULL) one that does not wait
 * for the program. */
bool guard_poll(const queue *q, bool any);
void guard_after_fork(void);

#endif
