/* Evidence on its way to cltestcheck. */
#ifndef CLTC_LAYER_OBSERVE_EVIDENCE_H
#define CLTC_LAYER_OBSERVE_EVIDENCE_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "layer/observe/queue.h"

/* Before a synchronisation point on the queue: enqueues reductions and reads. Skipped when the last one was dear and
 * recent, unless `always`. */
void evidence_before(queue *q, bool always);
/* After it: sends what has arrived. Never waits. */
void evidence_after(void);
/* The same as evidence_before for a queue about to go: waits a bounded time. */
void evidence_last(queue *q);
/* A launch comes that the driver may compile first. */
void evidence_compiling(void);
/* Process exit or unloading: all queues, with a bounded wait for what runs, so that the driver does not compile or run
 * kernels while it is taken down. */
void evidence_exit(void);
/* Another test case has begun or none has any more: what belongs to the one before is put on its way. Never waits. */
void evidence_boundary(void);
/* Kernels of ours are launched: a thread of ours looks from now on what has arrived, should the program do nothing more
 * that we see. */
void evidence_watch(void);
bool evidence_is_watched(void);
cl_int event_status(cl_event event);
void evidence_after_fork(void);
/* An in-order ring is full: reduce and start again. */
bool evidence_reduce(queue *q, entry *e);
/* Waits a bounded time until all that was enqueued has arrived and is sent. */
void evidence_settle(void);

/* Has evidence_exit called at the end, before the driver is taken down. To be called where kernels are launched;
 * `fresh`: one that the driver may compile only now. */
void exit_before_driver(bool fresh);

/* --- reads of ours, in the order in which they were enqueued --- */

/* First member of what is kept of a read. */
typedef struct arrival {
  struct arrival *next;
  cl_event event;
  const queue *queue; /* to be compared only: it may be gone; NULL: not known */
  bool waits;         /* for a user event, maybe: it may never complete */
} arrival;

typedef struct arrivals {
  void (*arrived)(arrival *a, cl_int status); /* takes it over; its event is released */
  pthread_mutex_t lock;
  arrival *first, **end;
  atomic_uint count; /* under way */
} arrivals;

#define ARRIVALS(name, arrived) \
  { arrived, PTHREAD_MUTEX_INITIALIZER, NULL, &(name).first, 0 }

arrival arrival_on(const queue *q);
/* After it was enqueued. Returns how many are under way with it. */
unsigned arrivals_put(arrivals *all, arrival *a);
/* Hands over what has arrived. True while a read is under way: any, or one of this queue, or (NULL) one that does not
 * wait for the program. */
bool arrivals_poll(arrivals *all, const queue *q, bool any);
void arrivals_after_fork(arrivals *all);

#endif
