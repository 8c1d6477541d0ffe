/* A list of commands that nobody has waited for; programs have few at a time. What does not fit is not known. The end of a process is
 * told early (exit.h): what the program waits for after that is told when it does. */
#include "layer/observe/unawaited.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "layer/common/message.h"
#include "layer/common/object.h"
#include "layer/observe/connection.h"
#include "layer/observe/exit.h"
#include "layer/observe/queue.h"
#include "layer/observe/site.h"
#include "wire/protocol.h"

enum { MOST = 64 };

typedef struct waiting {
  const char *call;
  cl_command_queue queue;
  cl_event event;
  const unsigned char *first;
  size_t size;
  uint64_t number;
  bool told; /* that the program ends */
  call_site site;
} waiting;

cl_icd_dispatch unawaited_below;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static waiting items[MOST];
static atomic_size_t count; /* changed with the lock held */
static uint64_t numbers;

bool unawaited_start(const guest_call *const *below) {
  const char *text = getenv(ENV_UNAWAITED);
  unawaited_below = driver;
  for (; *below != NULL; below++) {
    for (const guest_call *c = *below; c->name != NULL; c++) {
      any_function f;
      memcpy(&f, (const char *)&driver + c->offset, sizeof f);
      if (f != NULL) {
        memcpy((char *)&unawaited_below + c->offset, &c->hook, sizeof(any_function));
      }
    }
  }
  return text != NULL && strcmp(text, "1") == 0;
}

/* ---- telling, with the lock held ---- */

/* `next`: the call that has used the memory, "": the program ends. */
static void tell(const waiting *w, const char *next) {
  message m;
  message_start(&m, MESSAGE_UNAWAITED);
  message_u64(&m, w->number);
  message_string(&m, w->call);
  message_u64(&m, w->size);
  message_string(&m, next);
  message_string(&m, w->site.module);
  message_u64(&m, w->site.offset);
  connection_send(&m);
}

static void drop(size_t i) {
  if (items[i].told) {
    message m;
    message_start(&m, MESSAGE_AWAITED);
    message_u64(&m, items[i].number);
    connection_send(&m);
  }
  const size_t last = atomic_load(&count) - 1;
  items[i] = items[last];
  atomic_store(&count, last);
}

/* ---- what is waited for ---- */

void unawaited_read(const char *call, cl_command_queue on, cl_event event, const void *first, size_t size) {
  if (first == NULL || !connection_alive()) {
    return;
  }
  waiting w = {.call = call, .queue = on, .event = event, .first = first, .size = size};
  if (!site_of_call(&w.site)) {
    w.site = (call_site){.module = ""};
  }
  exit_before_driver(false);
  pthread_mutex_lock(&lock);
  if (atomic_load(&count) < MOST) {
    w.number = ++numbers;
    items[atomic_load(&count)] = w;
    atomic_fetch_add(&count, 1);
  }
  pthread_mutex_unlock(&lock);
}

/* Whether what is enqueued there runs in order. */
static bool is_in_order(cl_command_queue handle) {
  const queue *q = (const queue *)object_find(OBJECT_QUEUE, handle);
  return q == NULL || !q->out_of_order;
}

/* Of a queue (NULL: of any) or of an event. */
static void complete(cl_command_queue on, cl_event event) {
  pthread_mutex_lock(&lock);
  for (size_t i = atomic_load(&count); i-- > 0;) {
    if ((on != NULL && items[i].queue == on) || (event != NULL && items[i].event == event)) {
      drop(i);
    }
  }
  pthread_mutex_unlock(&lock);
}

void unawaited_finished(cl_command_queue on) {
  if (atomic_load(&count) > 0) {
    complete(on, NULL);
  }
}

/* Of a queue in order, or of a marker, it may be one that comes after. */
static cl_command_queue queue_after(cl_event event) {
  cl_command_queue on = NULL;
  cl_command_type type = 0;
  driver.clGetEventInfo(event, CL_EVENT_COMMAND_QUEUE, sizeof(cl_command_queue), &on, NULL);
  driver.clGetEventInfo(event, CL_EVENT_COMMAND_TYPE, sizeof type, &type, NULL);
  return on != NULL && (is_in_order(on) || type == CL_COMMAND_MARKER || type == CL_COMMAND_BARRIER) ? on : NULL;
}

void unawaited_waited(cl_uint events_count, const cl_event *events) {
  for (cl_uint i = 0; atomic_load(&count) > 0 && events != NULL && i < events_count; i++) {
    complete(queue_after(events[i]), events[i]);
  }
}

/* Who waits for whom after that is not followed, but in one queue the host learns nothing by it. */
void unawaited_handed(cl_command_queue to, cl_uint events_count, const cl_event *events) {
  for (cl_uint i = 0; atomic_load(&count) > 0 && events != NULL && i < events_count; i++) {
    cl_command_queue after = queue_after(events[i]);
    complete(after != to ? after : NULL, events[i]);
  }
}

/* ---- what is done with the memory ---- */

/* But by commands of this queue, if it is in order. */
static void use(const char *call, cl_command_queue but, const void *first, size_t size) {
  const unsigned char *from = first;
  pthread_mutex_lock(&lock);
  for (size_t i = atomic_load(&count); i-- > 0;) {
    const waiting *w = &items[i];
    const bool ordered = w->queue == but && is_in_order(but);
    if (!ordered && (uintptr_t)from < (uintptr_t)w->first + w->size && (uintptr_t)w->first < (uintptr_t)from + size) {
      tell(w, call);
      drop(i);
    }
  }
  pthread_mutex_unlock(&lock);
}

void unawaited_used(const char *call, const void *first, size_t size) {
  if (atomic_load(&count) > 0 && first != NULL && size > 0) {
    use(call, NULL, first, size);
  }
}

/* What waits for an event may wait for the command by that. */
void unawaited_given(const char *call, cl_command_queue on, const void *first, size_t size, cl_uint waits) {
  if (atomic_load(&count) > 0 && first != NULL && size > 0 && waits == 0) {
    use(call, on, first, size);
  }
}

void unawaited_unmapped(const void *pointer) {
  if (atomic_load(&count) == 0) {
    return;
  }
  pthread_mutex_lock(&lock);
  for (size_t i = atomic_load(&count); i-- > 0;) {
    if ((const void *)items[i].first == pointer) {
      drop(i);
    }
  }
  pthread_mutex_unlock(&lock);
}

void unawaited_send(void) {
  pthread_mutex_lock(&lock);
  for (size_t i = 0; i < atomic_load(&count); i++) {
    if (!items[i].told) {
      tell(&items[i], "");
      items[i].told = true;
    }
  }
  pthread_mutex_unlock(&lock);
}

void unawaited_after_fork(void) {
  pthread_mutex_t fresh = PTHREAD_MUTEX_INITIALIZER;
  lock = fresh;
  atomic_store(&count, 0);
}
