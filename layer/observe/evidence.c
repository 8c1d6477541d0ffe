/* Evidence on its way to cltestcheck. At a synchronisation point reductions and non-blocking reads are put into the
 * queue before the user's own call, so that nothing of ours is ever waited for afterwards; what has arrived is sent. */
#include "layer/observe/evidence.h"

#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "detectors/coverage/layer.h"
#include "detectors/gates/layer.h"
#include "layer/common/bytes.h"
#include "layer/common/guest.h"
#include "layer/common/object.h"
#include "layer/observe/alive.h"
#include "layer/observe/connection.h"
#include "layer/observe/guard.h"
#include "layer/observe/observe.h"
#include "layer/observe/reads.h"
#include "layer/observe/refused.h"
#include "layer/observe/unawaited.h"
#include "wire/protocol.h"

/* ---- the end of the process ----
 *
 * We must be there before the driver is taken down. At the end of a process its atexit handlers and the destructors of
 * its libraries run in the opposite order of their registration. A driver's compiler registers some when it first needs
 * them, in a thread of its own, maybe after ours: then it would be taken down while it compiles. Destructors of the
 * objects of a thread come before all of these, for the thread that ends the process, which is nearly always the main
 * one. For the others a handler is registered anew with every launch that may be compiled. */

enum { MOST_HANDLERS = 64 };

/* Of the C library; weak: others do not have it. */
extern int __cxa_thread_atexit_impl(void (*function)(void *), void *object, void *library) __attribute__((weak));
extern void *__dso_handle __attribute__((visibility("hidden")));

static void thread_ends(void *unused) {
  (void)unused;
  evidence_exit();
}

static bool is_main_thread(void) {
  static __thread enum { UNKNOWN, MAIN, OTHER } which;
  if (which == UNKNOWN) which = gettid() == getpid() ? MAIN : OTHER;
  return which == MAIN;
}

static bool watch_thread(void) {
  static __thread bool watched;
  if (!watched && __cxa_thread_atexit_impl != NULL && is_main_thread())
    watched = __cxa_thread_atexit_impl(thread_ends, NULL, &__dso_handle) == 0;
  return watched;
}

static void handler_register(void) { atexit(evidence_exit); }

void exit_before_driver(bool fresh) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  static atomic_int handlers;
  pthread_once(&once, handler_register);
  if (!watch_thread() && fresh && atomic_load(&handlers) < MOST_HANDLERS) {
    atomic_fetch_add(&handlers, 1);
    handler_register();
  }
}

#define COST_RATIO 20u                         /* collect again once that many times the last one's cost has passed */
#define COMMAND_COST UINT64_C(30000)           /* ns that a small command of ours takes on the device */
#define BYTES_PER_NS 4u                        /* of a reduction */
#define EXIT_PATIENCE UINT64_C(2000000000)     /* ns */
#define COMPILE_PATIENCE UINT64_C(15000000000) /* the same while kernels may still be compiled */
#define RELEASE_PATIENCE UINT64_C(20000000)    /* what is late then, arrives at a later point */
#define POLL_NS 20000L
#define WATCH_NS 300000000L
#define QUEUES 4096

static atomic_bool compiling; /* kernels were launched that the driver may compile only then */
static atomic_bool gave_up;   /* at the end, and does not wait again */

uint64_t now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * UINT64_C(1000000000) + (uint64_t)t.tv_nsec;
}

cl_int event_status(cl_event event) {
  cl_int status = -1;
  if (driver.clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL) != CL_SUCCESS)
    return -1;
  return status;
}

/* ---- reads of ours, until they are there ---- */

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
  all->lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
  all->first = NULL;
  all->end = &all->first;
  atomic_store(&all->count, 0);
}

/* ---- what a queue's launches left ---- */

/* One read of a flags buffer under way. */
typedef struct batch {
  arrival base;
  function *of; /* held; NULL: none */
  bool silent;  /* a marker after launches that give no evidence */
  uint32_t program, kernel, test_case;
  uint64_t launches;
  uint32_t first, end; /* as of an entry */
  uint32_t words;
  uint32_t flags[];
} batch;

void entry_prune(entry *e) {
  size_t kept = 0;
  for (size_t i = 0; i < e->pending_count; i++)
    if (event_status(e->pending[i]) > CL_COMPLETE)
      e->pending[kept++] = e->pending[i];
    else
      driver.clReleaseEvent(e->pending[i]);
  e->pending_count = kept;
}

static bool all_set(const uint32_t *flags, uint32_t bits) {
  bool all = bits > 0;
  for (uint32_t i = 0; all && i < bits; i++) all = (flags[i / 32] >> (i % 32) & 1u) != 0;
  return all;
}

/* What launches of the kernel have shown may be all that they can show. */
static void look_whether_whole(const batch *b) {
  function *f = b->of;
  if (atomic_load(&f->whole_in) == (uint64_t)b->test_case + 1 || !all_set(b->flags, f->bits)) return;
  atomic_store(&f->whole_since, now_ns());
  atomic_store(&f->whole_at, atomic_load(&f->launches));
  atomic_store(&f->whole_in, (uint64_t)b->test_case + 1);
}

static void batch_arrived(arrival *a, cl_int status) {
  batch *b = (batch *)a;
  message m;
  if (status == CL_COMPLETE && !b->silent) {
    message_start(&m, MESSAGE_EVIDENCE);
    MESSAGE_PUT(&m, U32(b->program), U32(b->kernel), U64(b->launches), U32(b->first), U32(b->end), U32(b->test_case),
                U32(b->words));
    message_words(&m, b->flags, b->words);
    connection_send(&m);
    look_whether_whole(b);
  }
  if (b->of != NULL) function_release(b->of);
  free(b);
}

static arrivals batches = ARRIVALS(batches, batch_arrived);

/* Evidence, what the host reads, gate records and guard zones (arrivals_poll). */
static bool poll_all(const queue *q, bool any) {
  bool batch_awaited = arrivals_poll(&batches, q, any);
  bool read_awaited = reads_poll(q, any);
  bool zone_awaited = guard_poll(q, any);
  return gate_poll(q, any) || zone_awaited || read_awaited || batch_awaited;
}

void evidence_after(void) {
  if (!poll_all(NULL, true)) atomic_store(&compiling, false);
}

void evidence_compiling(void) { atomic_store(&compiling, true); }

bool evidence_reduce(queue *q, entry *e) {
  if (!e->used) return true;
  if (!reduction_enqueue(q, e, e->ring.memory, e->used, 0, NULL, NULL)) return false;
  e->used = 0;
  e->unreduced = 0;
  return true;
}

/* Enqueues the read of one entry's flags. */
static bool collect_entry(queue *q, entry *e) {
  if (!evidence_reduce(q, e)) return false;
  entry_prune(e);
  batch *b = malloc(sizeof *b + (size_t)e->function->total_words * 4);
  if (b == NULL) return false;
  *b = (batch){.base = arrival_on(q)};
  b->of = e->function;
  b->program = e->function->program;
  b->kernel = e->function->kernel;
  b->test_case = e->test_case;
  b->launches = e->launches;
  b->first = e->first;
  b->end = e->end;
  b->words = e->function->total_words;
  cl_int result =
      driver.clEnqueueReadBuffer(q->object.handle, e->flags, CL_FALSE, 0, (size_t)b->words * 4, b->flags,
                                 (cl_uint)e->pending_count, e->pending_count ? e->pending : NULL, &b->base.event);
  if (result != CL_SUCCESS) {
    free(b);
    return false;
  }
  function_retain(b->of);
  e->launches = 0;
  e->first = e->end = 0;
  (void)arrivals_put(&batches, &b->base);
  return true;
}

/* A marker after launches of kernels as the user wrote them. */
static void collect_busy(queue *q) {
  if (!atomic_exchange(&q->busy, false) || driver.clEnqueueMarkerWithWaitList == NULL) return;
  batch *b = calloc(1, sizeof *b);
  if (b == NULL) return;
  b->base = arrival_on(q);
  b->silent = true;
  if (driver.clEnqueueMarkerWithWaitList(q->object.handle, 0, NULL, &b->base.event) == CL_SUCCESS)
    (void)arrivals_put(&batches, &b->base);
  else
    free(b);
}

/* With the queue's lock held. */
static void collect(queue *q) {
  uint64_t begin = now_ns(), estimate = 0;
  bool left = false;
  atomic_store(&q->dirty, false);
  estimate += guard_collect(q) * COMMAND_COST;
  for (entry *e = q->entries; e != NULL; e = e->next) {
    if (!e->launches) continue;
    estimate += (e->used ? 2 : 1) * COMMAND_COST + e->used * e->function->item_bytes / BYTES_PER_NS;
    if (!collect_entry(q, e)) left = true;
  }
  if (left) atomic_store(&q->dirty, true);
  q->collected = now_ns();
  q->cost = q->collected - begin + estimate;
}

void evidence_before(queue *q, bool always) {
  if (!atomic_load(&q->dirty)) return;
  pthread_mutex_lock(&q->lock);
  if (always || now_ns() - q->collected >= COST_RATIO * q->cost) collect(q);
  pthread_mutex_unlock(&q->lock);
}

/* False: not all came in time. */
static bool wait_for_batches(const queue *q, bool any, uint64_t patience) {
  uint64_t deadline = now_ns() + patience;
  bool awaited;
  while ((awaited = poll_all(q, any)) && now_ns() < deadline) {
    struct timespec pause = {.tv_nsec = POLL_NS};
    nanosleep(&pause, NULL);
  }
  return !awaited;
}

void evidence_settle(void) { wait_for_batches(NULL, true, EXIT_PATIENCE); }

void evidence_last(queue *q) {
  evidence_before(q, true);
  if (!poll_all(q, false)) return;
  driver.clFlush(q->object.handle);
  wait_for_batches(q, false, RELEASE_PATIENCE);
}

/* A lock that is held belongs to a thread that we must not wait for. */
static void collect_queues(void) {
  static object *list[QUEUES];
  static atomic_bool once;
  if (atomic_exchange(&once, true)) return;
  size_t count = object_list(OBJECT_QUEUE, list, QUEUES);
  for (size_t i = 0; i < count; i++) {
    queue *q = (queue *)list[i];
    if ((!atomic_load(&q->dirty) && !atomic_load(&q->busy)) || pthread_mutex_trylock(&q->lock) != 0) continue;
    collect(q);
    collect_busy(q);
    pthread_mutex_unlock(&q->lock);
    driver.clFlush(q->object.handle);
  }
  for (size_t i = 0; i < count; i++) object_unhold(list[i]);
  atomic_store(&once, false);
}

void evidence_boundary(void) {
  queues_keep(true);
  collect_queues();
  queues_keep(false);
  poll_all(NULL, false);
}

/* ---- while the program does something else ---- */

static atomic_bool evidence_watched, over;

static void *watch(void *unused) {
  const struct timespec pause = {.tv_nsec = WATCH_NS};
  for (bool on = true; on;) {
    nanosleep(&pause, NULL);
    queues_keep(true);
    on = !atomic_load(&over);
    if (on) {
      collect_queues();
      poll_all(NULL, false);
    }
    queues_keep(false);
  }
  return unused;
}

/* No signal of the program's comes to it, and our code stays where it is. */
void evidence_watch(void) {
  if (observe.worker || atomic_load(&evidence_watched) || atomic_exchange(&evidence_watched, true)) return;
  Dl_info own;
  pthread_t thread;
  sigset_t all, before;
  if (dladdr((const void *)&evidence_watched, &own) == 0 ||
      dlopen(own.dli_fname, RTLD_NOW | RTLD_NOLOAD | RTLD_NODELETE) == NULL)
    return;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  if (pthread_create(&thread, NULL, watch, NULL) == 0) pthread_detach(thread);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
}

bool evidence_is_watched(void) { return atomic_load(&evidence_watched); }

void evidence_exit(void) {
  atomic_store(&over, true);
  queues_settle();
  collect_queues();
  bool patient = !atomic_load(&gave_up);
  uint64_t patience = atomic_load(&compiling) ? COMPILE_PATIENCE : EXIT_PATIENCE;
  bool came = wait_for_batches(NULL, false, patient ? patience : 0);
  came = wait_for_batches(NULL, true, patient ? RELEASE_PATIENCE : 0) && came;
  atomic_store(&gave_up, !came);
  if (!connection_alive()) return;
  refused_send();
  alive_send();
  unawaited_send();
  message m;
  message_start(&m, MESSAGE_GOODBYE);
  connection_send(&m);
}

void evidence_after_fork(void) {
  arrivals_after_fork(&batches);
  atomic_store(&compiling, false);
  atomic_store(&gave_up, false);
  atomic_store(&evidence_watched, false);
  atomic_store(&over, false);
}
