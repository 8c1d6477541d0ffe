/* Time on the device by kernel name: every launch is run alone, between two clFinish. A launch that could wait for the
 * program itself is not timed: while a user event of its context is not set, or in a callback of an event. */
#include <stdlib.h>

#include "runner/layer/layer.h"

typedef struct callback {
  event_notify notify;
  void *user_data;
} callback;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* held during a timed launch */
static __thread bool in_callback;

static bool may_wait(const queue *q) { return !in_callback && atomic_load(&q->context->open_events) <= 0; }

uint64_t times_begin(cl_command_queue handle) {
  const queue *q = (queue *)object_find(OBJECT_QUEUE, handle);
  if (!q || !connection_alive() || !may_wait(q))
    return 0;
  pthread_mutex_lock(&lock);
  queues_flush(q->context); /* what is on this queue may wait for another one */
  if (may_wait(q) && driver.clFinish(handle) == CL_SUCCESS)
    return now_ns();
  pthread_mutex_unlock(&lock);
  return 0;
}

void times_end(cl_command_queue handle, tally *t, uint64_t begin, bool launched) {
  const queue *q = (queue *)object_find(OBJECT_QUEUE, handle);
  if (launched && q && may_wait(q) && driver.clFinish(handle) == CL_SUCCESS) {
    atomic_fetch_add(&t->ns, now_ns() - begin);
    atomic_fetch_add(&t->timed, 1);
  }
  pthread_mutex_unlock(&lock);
}

void times_send(void) {
  for (tally *t = tally_first(); t; t = t->next) {
    uint64_t launches = atomic_exchange(&t->timed, 0), ns = atomic_exchange(&t->ns, 0);
    if (!launches)
      continue;
    message m;
    message_start(&m, MESSAGE_TIMES);
    message_string(&m, t->name);
    message_u64(&m, launches);
    message_u64(&m, ns);
    connection_send(&m);
  }
}

void times_after_fork(void) {
  pthread_mutex_t fresh = PTHREAD_MUTEX_INITIALIZER;
  lock = fresh;
  in_callback = false;
}

static void CL_CALLBACK called(cl_event event, cl_int status, void *data) {
  callback c = *(callback *)data;
  bool outer = in_callback;
  free(data);
  in_callback = true;
  c.notify(event, status, c.user_data);
  in_callback = outer;
}

cl_int CL_API_CALL hook_clSetEventCallback(cl_event event, cl_int status, event_notify notify, void *user_data) {
  callback *c = observe.times && notify ? malloc(sizeof *c) : NULL;
  if (!c)
    return driver.clSetEventCallback(event, status, notify, user_data);
  *c = (callback){notify, user_data};
  cl_int result = driver.clSetEventCallback(event, status, called, c);
  if (result != CL_SUCCESS)
    free(c);
  return result;
}
