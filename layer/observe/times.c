/* Time on the device by kernel name: every launch is run alone, between two clFinish. A launch that may
 * not be waited for is not timed. */
#include "layer/observe/times.h"

#include <pthread.h>
#include <stdatomic.h>

#include "layer/common/guest.h"
#include "layer/common/message.h"
#include "layer/common/object.h"
#include "layer/observe/connection.h"
#include "layer/observe/event.h"
#include "layer/observe/observe.h"
#include "layer/observe/queue.h"
#include "wire/protocol.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* held during a timed launch */

uint64_t times_begin(cl_command_queue handle) {
  const queue *q = (queue *)object_find(OBJECT_QUEUE, handle);
  if (q == NULL || !connection_alive() || !may_wait(q)) {
    return 0;
  }
  pthread_mutex_lock(&lock);
  queues_flush(q->context); /* what is on this queue may wait for another one */
  if (may_wait(q) && driver.clFinish(handle) == CL_SUCCESS) {
    return now_ns();
  }
  pthread_mutex_unlock(&lock);
  return 0;
}

void times_end(cl_command_queue handle, tally *t, uint64_t begin, bool launched) {
  const queue *q = (queue *)object_find(OBJECT_QUEUE, handle);
  if (launched && q != NULL && may_wait(q) && driver.clFinish(handle) == CL_SUCCESS) {
    atomic_fetch_add(&t->ns, now_ns() - begin);
    atomic_fetch_add(&t->timed, 1);
  }
  pthread_mutex_unlock(&lock);
}

void times_send(void) {
  for (tally *t = tally_first(); t != NULL; t = t->next) {
    uint64_t launches = atomic_exchange(&t->timed, 0), ns = atomic_exchange(&t->ns, 0);
    if (!launches) {
      continue;
    }
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
}
