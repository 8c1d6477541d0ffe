/* What the host reads. */
#ifndef CLTC_LAYER_OBSERVE_READS_H
#define CLTC_LAYER_OBSERVE_READS_H

#include <stdbool.h>
#include <stdint.h>

#include "layer/observe/queue.h"

/* Sends what has arrived. True while a read is under way: any, or one of this queue, or (NULL) one that does not wait
 * for the program. */
bool reads_poll(const queue *q, bool any);
/* The next read has this number. */
void reads_begin(uint64_t number);
void reads_after_fork(void);

#endif
