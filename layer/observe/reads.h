/* What the host reads. */
#ifndef CLTC_LAYER_OBSERVE_READS_H
#define CLTC_LAYER_OBSERVE_READS_H

#include <stdbool.h>
#include <stdint.h>

#include "layer/observe/queue.h"

/* Over commands of the program other than launches. */
struct command;
void observe_over(struct command *c);
/* Sends what has arrived. True while a read is under way: any, or one of this queue, or (NULL) one that does not wait
 * for the program. */
bool reads_poll(const queue *q, bool any);
/* The next read has this number. */
void reads_begin(uint64_t number);
/* All commands of the queue are over: what they have put into memory of the program's own it now sees without a call. */
void reads_finished(cl_command_queue handle);
void reads_waited(cl_uint count, const cl_event *events);
void reads_after_fork(void);

#endif
