/* Whether it is safe to wait for commands. */
#ifndef CLTC_LAYER_OBSERVE_EVENT_H
#define CLTC_LAYER_OBSERVE_EVENT_H

#include <stdatomic.h>
#include <stdbool.h>

#include "layer/observe/queue.h"

/* Set once the layer may want to wait for commands: it then needs to know of callbacks, and of queues that go. */
extern atomic_bool waits_wanted;
/* Whether commands of this queue may be waited for by this thread: not while a user event of its context is open, or
 * in a callback of an event. */
bool may_wait(const queue *q);

#endif
