/* Which commands of a captured program may run at the same time: what queues, events, barriers, and the host that waits,
 * put in order.
 *
 * A command comes before another one if it is over before that one begins, in every run of the program as its host made
 * these calls. What the host knows to be over comes before all that it enqueues from then on, in whichever thread: how
 * threads of the host wait for each other is not seen, and the order in which they made their calls is taken for meant.
 * A queue or an event that is not known puts everything in order. */
#ifndef CLTC_RUNNER_ORDER_ORDER_H
#define CLTC_RUNNER_ORDER_ORDER_H

#include "capture/capture.h"

typedef struct order order;

/* Called for each call that enqueues a command, once all that comes before the command is known; those of one queue in
 * their order. A command that waits for an event that is never set never runs, and is left out. */
typedef void (*order_take)(void *context, const order *o, size_t call);

/* Whether there can be two commands that no order is between. */
bool order_is_open(const capture *c);
void order_walk(const capture *c, order_take take, void *context);
/* In `take`: whether the command of a call that was taken before is over when this one begins; */
bool order_before(const order *o, size_t earlier);
/* … and whether the host knows that, so that it holds for all that comes. */
bool order_over(const order *o, size_t earlier);

#endif
