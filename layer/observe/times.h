/* How long launches take alone on the device. */
#ifndef CLTC_LAYER_OBSERVE_TIMES_H
#define CLTC_LAYER_OBSERVE_TIMES_H

#include <stdbool.h>
#include <stdint.h>

#include "layer/observe/observe.h"

/* Waits until the queue is empty. 0: the next launch cannot be timed; else times_end must follow it. */
uint64_t times_begin(cl_command_queue handle);
void times_end(cl_command_queue handle, tally *t, uint64_t begin, bool launched);
void times_send(void);
void times_after_fork(void);

#endif
