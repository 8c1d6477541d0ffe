#include "layer/observe/arrivals.h"

#include "layer/common/guest.h"
#include "layer/observe/evidence.h"

arrival arrival_on(const queue *q) {
  return (arrival){.queue = q, .waits = q != NULL && atomic_load(&q->context->open_events) > 0};
}

static void append(arrivals *all, arrival *a) {
  pthread_mutex_lock(&all->lock);
  a->next = NULL;
  *all->end = a;
  all->end = &a->next;
  pthread_mutex_unlock(&all->lock);
}

unsigned arrivals_put(arrivals *all, arrival *a) {
  append(all, a);
  return atomic_fetch_add(&all->count, 1) + 1;
}

static arrival *take(arrivals *all) {
  pthread_mutex_lock(&all->lock);
  arrival *list = all->first;
  all->first = NULL;
  all->end = &all->first;
  pthread_mutex_unlock(&all->lock);
  return list;
}

bool arrivals_poll(arrivals *all, const queue *q, bool any) {
  bool awaited = false;
  if (atomic_load(&all->count) == 0) return false;
  for (arrival *a = take(all), *next; a != NULL; a = next) {
    next = a->next;
    const cl_int status = event_status(a->event);
    if (status > CL_COMPLETE) {
      awaited = awaited || any || (q != NULL ? a->queue == q : !a->waits);
      append(all, a);
      continue;
    }
    driver.clReleaseEvent(a->event);
    all->arrived(a, status);
    atomic_fetch_sub(&all->count, 1);
  }
  return awaited;
}

void arrivals_after_fork(arrivals *all) {
  pthread_mutex_t fresh = PTHREAD_MUTEX_INITIALIZER;
  all->lock = fresh;
  all->first = NULL;
  all->end = &all->first;
  atomic_store(&all->count, 0);
}
