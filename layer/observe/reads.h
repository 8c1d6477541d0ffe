/* What the host reads. */
#ifndef CLTC_LAYER_OBSERVE_READS_H
#define CLTC_LAYER_OBSERVE_READS_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "layer/observe/queue.h"

/* Sends what has arrived. True while a read is under way: any, or one of this queue, or (NULL) one that does not wait
 * for the program. */
bool reads_poll(const queue *q, bool any);
/* The next read has this number. */
void reads_begin(uint64_t number);
/* All commands of the queue are over: what they have put into memory of the program's own it now sees without a call. */
void reads_finished(cl_command_queue handle);
void reads_waited(cl_uint count, const cl_event *events);
void reads_after_fork(void);

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
