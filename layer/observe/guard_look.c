/* What launches have left in guard zones. A zone is read when another kernel is about to be given the buffer, when the
 * program waits, and when the buffer or the queue goes; what is there differs from what was there before where a
 * kernel has written past the end. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "layer/common/guest.h"
#include "layer/common/message.h"
#include "layer/common/object.h"
#include "layer/observe/arrivals.h"
#include "layer/observe/connection.h"
#include "layer/observe/evidence.h"
#include "layer/observe/guard.h"
#include "layer/observe/test_case.h"
#include "wire/protocol.h"

enum { NAME_BYTES = 128 };

/* Launches of one kernel on one queue that were given a buffer. */
typedef struct given {
  cl_command_queue queue;
  char kernel[NAME_BYTES];
  uint32_t program, of, argument, test_case;
  uint64_t launch, launches; /* number of the first among the kernel's, and how many */
} given;

typedef enum zone_state {
  ZONE_EMPTY, /* it holds anything */
  ZONE_FILLING,
  ZONE_FILLED,
  ZONE_UNUSED /* it could not be filled, and says nothing */
} zone_state;

typedef struct guard {
  object object;
  struct guard *whole; /* of a sub-buffer: what it is a part of, held */
  size_t size, zone;
  unsigned number; /* of what the zone holds */
  zone_state state;
  cl_event filling;           /* of ZONE_FILLING, on this queue: */
  cl_command_queue filled_on; /* to be compared only */
  given last;                 /* launches 0: the zone has been read since, and it is in no list */
  unsigned char *known;       /* what the zone held when it was read last; NULL: the pattern */
  struct guard *next;         /* in the list of those that launches were given since */
} guard;

/* The read of a zone under way. */
typedef struct zone_read {
  arrival base;
  guard *of; /* held */
  given by;
  unsigned char bytes[];
} zone_read;

static void zone_arrived(arrival *a, cl_int status);

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static guard *listed;
static arrivals zones = ARRIVALS(zones, zone_arrived);

/* ---- records ---- */

static guard *find(cl_mem handle) { return (guard *)object_find(OBJECT_GUARD, handle); }

void guard_add(cl_mem handle, size_t size, size_t zone, unsigned number, bool filled) {
  guard *g = calloc(1, sizeof *g);
  if (g != NULL) {
    g->size = size;
    g->zone = zone;
    g->number = number;
    g->state = filled ? ZONE_FILLED : ZONE_EMPTY;
    object_add(&g->object, OBJECT_GUARD, handle, 1);
  }
}

void guard_add_part(cl_mem handle, cl_mem of) {
  guard *whole = find(of);
  guard *g = whole != NULL ? calloc(1, sizeof *g) : NULL;
  if (g != NULL) {
    g->whole = whole;
    object_hold(&whole->object);
    object_add(&g->object, OBJECT_GUARD, handle, 1);
  }
}

bool guard_sizes(cl_mem handle, size_t *size, size_t *zone) {
  const guard *g = find(handle);
  if (g == NULL || g->whole != NULL) return false;
  *size = g->size;
  *zone = g->zone;
  return true;
}

static void drop(guard *g) {
  if (g->whole != NULL && object_unhold(&g->whole->object)) drop(g->whole);
  if (g->state == ZONE_FILLING) driver.clReleaseEvent(g->filling);
  free(g->known);
  free(g);
}

/* ---- filling a zone ---- */

/* In front of the first launch that is given the buffer, in its queue; where that keeps no order, it is waited for. */
static void fill(guard *g, const queue *q) {
  pthread_mutex_lock(&lock);
  const bool empty = g->state == ZONE_EMPTY;
  g->state = empty ? ZONE_UNUSED : g->state;
  pthread_mutex_unlock(&lock);
  cl_event done = NULL;
  if (!empty || (q->out_of_order && atomic_load(&q->context->open_events) > 0) ||
      !guard_fill(q->object.handle, g->object.handle, g->size, g->zone, g->number, &done))
    return;
  if (q->out_of_order) driver.clWaitForEvents(1, &done);
  pthread_mutex_lock(&lock);
  g->filling = done;
  g->filled_on = q->object.handle;
  g->state = ZONE_FILLING;
  pthread_mutex_unlock(&lock);
}

/* With the lock held. */
static void settle(guard *g) {
  if (g->state == ZONE_FILLING && event_status(g->filling) == CL_COMPLETE) {
    driver.clReleaseEvent(g->filling);
    g->state = ZONE_FILLED;
  }
}

/* Whether what is in the zone says anything to a command that is put into the queue now. */
static bool is_filled(guard *g, const queue *q) {
  pthread_mutex_lock(&lock);
  settle(g);
  const bool is = g->state == ZONE_FILLED || (g->state == ZONE_FILLING && g->filled_on == q->object.handle);
  pthread_mutex_unlock(&lock);
  return is;
}

/* ---- reading a zone ---- */

/* After everything in the queue. Where that keeps no order, a marker waits for it. */
static bool enqueue_read(const queue *q, const guard *g, zone_read *a) {
  cl_event marker = NULL;
  if (q->out_of_order && (driver.clEnqueueMarkerWithWaitList == NULL ||
                          driver.clEnqueueMarkerWithWaitList(q->object.handle, 0, NULL, &marker) != CL_SUCCESS))
    return false;
  const bool done = guard_read(q->object.handle, g->object.handle, g->size, g->zone, a->bytes, marker, &a->base.event);
  if (marker != NULL) driver.clReleaseEvent(marker);
  return done;
}

static bool look(const queue *q, guard *g, const given *by) {
  zone_read *a = is_filled(g, q) ? calloc(1, sizeof *a + g->zone) : NULL;
  if (a == NULL) return false;
  a->base = arrival_on(q);
  a->of = g;
  a->by = *by;
  if (!enqueue_read(q, g, a)) {
    free(a);
    return false;
  }
  object_hold(&g->object);
  (void)arrivals_put(&zones, &a->base);
  return true;
}

/* Takes one out of the list: this, or any of this queue; held. NULL: there is none. `by` gets its launches. */
static guard *take(const guard *wanted, const void *queue_handle, given *by) {
  guard *g = NULL;
  pthread_mutex_lock(&lock);
  for (guard **at = &listed; *at != NULL; at = &(*at)->next) {
    if (wanted != NULL ? *at == wanted : (*at)->last.queue == queue_handle) {
      g = *at;
      *at = g->next;
      *by = g->last;
      g->last.launches = 0;
      object_hold(&g->object);
      break;
    }
  }
  pthread_mutex_unlock(&lock);
  return g;
}

static void let_go(guard *g) {
  if (object_unhold(&g->object)) drop(g);
}

/* On the queue of its launches. */
static void look_now(const guard *wanted) {
  given by;
  guard *g = take(wanted, NULL, &by);
  const queue *q = g != NULL ? (queue *)object_find(OBJECT_QUEUE, by.queue) : NULL;
  if (q != NULL) (void)look(q, g, &by);
  if (g != NULL) let_go(g);
}

size_t guard_collect(const queue *q) {
  given by;
  size_t count = 0;
  for (guard *g; (g = take(NULL, q->object.handle, &by)) != NULL; let_go(g)) count += look(q, g, &by);
  return count;
}

/* ---- launches ---- */

static guard *guard_of(const argument *a) {
  cl_mem handle = NULL;
  if (a->kind != ARGUMENT_VALUE || a->value == NULL || a->size != sizeof handle) return NULL;
  memcpy(&handle, a->value, sizeof handle);
  guard *g = find(handle);
  return g != NULL && g->whole != NULL ? g->whole : g;
}

static const char *name_of(const kernel *k) {
  return k->function != NULL ? k->function->name : k->tally != NULL ? k->tally->name : "";
}

static bool may_write(const kernel *k, cl_uint index) { return k->constant == NULL || !k->constant[index]; }

/* Whether other launches than this one were given it. */
static bool given_to_another(const guard *g, const kernel *k, cl_command_queue on, cl_uint index) {
  pthread_mutex_lock(&lock);
  const given *last = &g->last;
  const bool same = last->queue == on && last->argument == index && last->test_case == test_case_now() &&
                    strcmp(last->kernel, name_of(k)) == 0;
  const bool other = last->launches > 0 && !same;
  pthread_mutex_unlock(&lock);
  return other;
}

/* The queue of a launch whose zones are to be looked at; NULL: they are not. */
static queue *queue_of(const kernel *k, cl_command_queue on) {
  return guards_are_on() && k != NULL && (k->function != NULL || k->tally != NULL) && connection_alive()
             ? (queue *)object_find(OBJECT_QUEUE, on)
             : NULL;
}

void guard_before(kernel *k, cl_command_queue on) {
  const queue *q = queue_of(k, on);
  if (q == NULL) return;
  pthread_mutex_lock(&k->lock);
  for (cl_uint i = 0; i < k->argument_count; i++) {
    guard *g = may_write(k, i) ? guard_of(&k->arguments[i]) : NULL;
    if (g != NULL) fill(g, q);
    if (g != NULL && given_to_another(g, k, on, i)) look_now(g);
  }
  pthread_mutex_unlock(&k->lock);
}

/* With the lock held. */
static void give(guard *g, const kernel *k, cl_command_queue on, cl_uint index) {
  const function *f = k->function;
  given *last = &g->last;
  if (last->launches++ > 0) return;
  *last = (given){.queue = on,
                  .program = f != NULL ? f->program : NO_PROGRAM,
                  .of = f != NULL ? f->kernel : 0,
                  .argument = index,
                  .test_case = test_case_now(),
                  .launch = f != NULL ? atomic_load(&f->launches) : atomic_load(&k->tally->launches),
                  .launches = 1};
  last->launch -= last->launch > 0;
  snprintf(last->kernel, sizeof last->kernel, "%s", name_of(k));
  g->next = listed;
  listed = g;
}

void guard_after(kernel *k, cl_command_queue on) {
  queue *q = queue_of(k, on);
  if (q == NULL) return;
  pthread_mutex_lock(&k->lock);
  for (cl_uint i = 0; i < k->argument_count; i++) {
    guard *g = may_write(k, i) ? guard_of(&k->arguments[i]) : NULL;
    if (g != NULL) {
      pthread_mutex_lock(&lock);
      give(g, k, on, i);
      pthread_mutex_unlock(&lock);
      atomic_store(&q->dirty, true);
    }
  }
  pthread_mutex_unlock(&k->lock);
}

/* ---- references ---- */

void guard_retain(cl_mem handle) { object_retain(OBJECT_GUARD, handle); }

void guard_release(cl_mem handle) {
  guard *g = guards_are_on() ? find(handle) : NULL;
  if (g != NULL && object_last(OBJECT_GUARD, handle)) look_now(g->whole != NULL ? g->whole : g);
  g = g != NULL ? (guard *)object_release(OBJECT_GUARD, handle) : NULL;
  if (g != NULL) drop(g);
}

/* ---- what has arrived ---- */

static void tell(const zone_read *a, size_t first, size_t last) {
  const given *by = &a->by;
  message m;
  message_start(&m, MESSAGE_OVERRUN);
  message_string(&m, by->kernel);
  message_u32(&m, by->program);
  message_u32(&m, by->of);
  message_u32(&m, by->argument);
  message_u32(&m, by->test_case);
  message_u64(&m, by->launch);
  message_u64(&m, by->launches);
  message_u64(&m, a->of->size);
  message_u64(&m, first);
  message_u64(&m, last);
  connection_send(&m);
}

static void compare(const zone_read *a) {
  guard *g = a->of;
  size_t first = g->zone, last = 0;
  if (g->known == NULL) {
    g->known = malloc(g->zone);
    if (g->known == NULL) return;
    memcpy(g->known, guard_pattern(g->number), g->zone);
  }
  for (size_t i = 0; i < g->zone; i++) {
    if (a->bytes[i] != g->known[i]) {
      first = first < i ? first : i;
      last = i;
    }
  }
  if (first < g->zone) {
    tell(a, first, last);
    memcpy(g->known, a->bytes, g->zone);
  }
}

static void zone_arrived(arrival *a, cl_int status) {
  zone_read *z = (zone_read *)a;
  if (status == CL_COMPLETE) compare(z);
  pthread_mutex_lock(&lock);
  settle(z->of);
  pthread_mutex_unlock(&lock);
  let_go(z->of);
  free(z);
}

bool guard_poll(const queue *q, bool any) { return arrivals_poll(&zones, q, any); }

void guard_after_fork(void) {
  pthread_mutex_t fresh = PTHREAD_MUTEX_INITIALIZER;
  lock = fresh;
  listed = NULL;
  arrivals_after_fork(&zones);
}
