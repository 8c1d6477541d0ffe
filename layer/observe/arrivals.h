/* Reads of ours that the driver carries out, in the order in which they were enqueued, until they are complete. */
#ifndef CLTC_LAYER_OBSERVE_ARRIVALS_H
#define CLTC_LAYER_OBSERVE_ARRIVALS_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "layer/observe/queue.h"

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
/* Hands over what has arrived. True while a read is under way: any, or one of this queue, or (NULL) one that does not wait for the
 * program. */
bool arrivals_poll(arrivals *all, const queue *q, bool any);
void arrivals_after_fork(arrivals *all);

#endif
