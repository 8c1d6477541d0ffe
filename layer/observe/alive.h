/* Objects of the program that it has made and not released: contexts, queues, programs, kernels, memory, samplers,
 * events. What is counted are calls of the program: references of the layer and of the driver are none of them. */
#ifndef CLTC_LAYER_OBSERVE_ALIVE_H
#define CLTC_LAYER_OBSERVE_ALIVE_H

#include <stdbool.h>

#include "layer/common/guest.h"
#include "wire/protocol.h"

/* Whether they are looked for. */
bool alive_start(void);
/* The calls that they are counted in, over those of hooks.h. */
extern const guest_call alive_calls[], alive_counts[];

/* The program has an object that this call has made; NULL: it failed. Of a memory object the kind is found out. */
void alive_made(enum alive_kind kind, void *handle, const char *call);
/* The process ends, as far as is known. */
void alive_send(void);
void alive_after_fork(void);

#endif
