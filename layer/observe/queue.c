/* Command queues: their order, their device, and the kernel functions that ran on them. */
#include "layer/observe/queue.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "detectors/gates/layer.h"
#include "layer/common/guest.h"
#include "layer/observe/connection.h"
#include "layer/observe/enqueue.h"
#include "layer/observe/evidence.h"
#include "layer/observe/guard.h"
#include "layer/observe/hooks.h"
#include "layer/observe/memory.h"
#include "layer/observe/observe.h"
#include "layer/observe/reads.h"
#include "wire/protocol.h"

/* ---- events: waiting for them is a synchronisation point of their queues, polling them nearly one ---- */

atomic_bool waits_wanted;

bool may_wait(const queue *q) { return !callback_running() && atomic_load(&q->context->open_events) <= 0; }

static queue *queue_of(cl_event event) {
  cl_command_queue handle = NULL;
  if (driver.clGetEventInfo(event, CL_EVENT_COMMAND_QUEUE, sizeof(cl_command_queue), &handle, NULL) != CL_SUCCESS)
    return NULL;
  return (queue *)object_find(OBJECT_QUEUE, handle);
}

cl_int CL_API_CALL hook_clWaitForEvents(cl_uint count, const cl_event *events) {
  for (cl_uint i = 0; events != NULL && i < count; i++) {
    queue *q = queue_of(events[i]);
    if (q != NULL) evidence_before(q, false);
  }
  cl_int result = driver.clWaitForEvents(count, events);
  for (cl_uint i = 0; result == CL_SUCCESS && i < count; i++) last_launch_event(events[i]);
  evidence_after();
  reads_waited(count, events);
  return result;
}

cl_int CL_API_CALL hook_clGetEventInfo(cl_event event, cl_event_info name, size_t size, void *value, size_t *size_ret) {
  cl_int result = driver.clGetEventInfo(event, name, size, value, size_ret);
  cl_int status = CL_QUEUED;
  if (result != CL_SUCCESS || name != CL_EVENT_COMMAND_EXECUTION_STATUS || value == NULL) return result;
  memcpy(&status, value, sizeof status);
  if (status == CL_COMPLETE) last_launch_event(event);
  queue *q = status == CL_COMPLETE ? queue_of(event) : NULL;
  if (q != NULL) {
    evidence_before(q, false);
    evidence_after();
  }
  if (status == CL_COMPLETE) reads_waited(1, &event);
  return result;
}

/* Until it is set, commands may wait for the program itself; nothing of ours waits for commands of this context. */
cl_event CL_API_CALL hook_clCreateUserEvent(cl_context handle, cl_int *error) {
  cl_event made = driver.clCreateUserEvent(handle, error);
  context *c = made != NULL ? (context *)object_find(OBJECT_CONTEXT, handle) : NULL;
  if (c != NULL) atomic_fetch_add(&c->open_events, 1);
  return made;
}

cl_int CL_API_CALL hook_clSetUserEventStatus(cl_event event, cl_int status) {
  cl_context handle = NULL;
  driver.clGetEventInfo(event, CL_EVENT_CONTEXT, sizeof(cl_context), &handle, NULL);
  cl_int result = driver.clSetUserEventStatus(event, status);
  context *c = result == CL_SUCCESS ? (context *)object_find(OBJECT_CONTEXT, handle) : NULL;
  if (c != NULL) atomic_fetch_sub(&c->open_events, 1);
  return result;
}

cl_int CL_API_CALL hook_clSetEventCallback(cl_event event, cl_int status, event_notify notify, void *user_data) {
  return atomic_load(&waits_wanted) ? callback_set(event, status, notify, user_data)
                                    : driver.clSetEventCallback(event, status, notify, user_data);
}

/* ---- slots of work-items, with a cap on the memory that all rings and chunks of the process take ---- */

#define SLOTS_CAP ((size_t)64 << 20)
#define ALIGNMENT ((size_t)64) /* the reduction reads 16 words at a time */

static atomic_size_t slots_used;
static atomic_uint_fast64_t serials;

static size_t slots_cap(void) {
  static atomic_size_t cap;
  size_t known = atomic_load(&cap);
  if (known) return known;
  const char *text = getenv(ENV_SLOTS_CAP);
  char *end = NULL;
  unsigned long long value = text != NULL && text[0] ? strtoull(text, &end, 10) : SLOTS_CAP;
  known = end != NULL && *end ? SLOTS_CAP : (size_t)value;
  if (!known) known = 1;
  atomic_store(&cap, known);
  return known;
}

uint64_t next_serial(void) { return atomic_fetch_add(&serials, 1) + 1; }

cl_mem hidden_buffer(context *c, size_t bytes) {
  bytes = (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  scoped void *zeros = calloc(1, bytes);
  if (zeros == NULL) return NULL;
  cl_int error;
  cl_mem memory =
      driver.clCreateBuffer(c->object.handle, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, bytes, zeros, &error);
  if (memory != NULL) atomic_fetch_add(&c->buffers, 1);
  return memory;
}

void hidden_buffer_release(context *c, cl_mem memory) {
  if (memory == NULL) return;
  atomic_fetch_sub(&c->buffers, 1);
  driver.clReleaseMemObject(memory);
}

bool slots_make(context *c, slots *s, size_t bytes) {
  if (bytes > SIZE_MAX - ALIGNMENT) return false;
  bytes = (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  size_t used = atomic_load(&slots_used);
  do {
    if (bytes > slots_cap() || used > slots_cap() - bytes) return false;
  } while (!atomic_compare_exchange_weak(&slots_used, &used, used + bytes));
  s->memory = hidden_buffer(c, bytes);
  if (s->memory == NULL) {
    atomic_fetch_sub(&slots_used, bytes);
    return false;
  }
  s->capacity = bytes;
  s->serial = next_serial();
  return true;
}

void slots_release(context *c, slots *s) {
  if (s->memory == NULL) return;
  hidden_buffer_release(c, s->memory);
  atomic_fetch_sub(&slots_used, s->capacity);
  *s = (slots){0};
}

/* ---- queues ---- */

#define SETTLE_TRIES 4
#define SETTLE_NS 50000L
#define SETTLE_SECONDS 2
#define FLUSHED 64

void recursive_mutex(pthread_mutex_t *lock) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(lock, &attributes);
  pthread_mutexattr_destroy(&attributes);
}

static atomic_int queue_count; /* that the program has */

/* OpenCL 2.x has them, 3.0 says so, 1.x has not. */
static bool has_non_uniform_groups(cl_device_id device) {
  char version[1024] = "";
  cl_bool supported = CL_FALSE;
  driver.clGetDeviceInfo(device, CL_DEVICE_VERSION, sizeof version, version, NULL);
  if (strncmp(version, "OpenCL 3", 8) != 0) return strncmp(version, "OpenCL 2", 8) == 0;
  return driver.clGetDeviceInfo(device, CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT, sizeof supported, &supported, NULL) !=
             CL_SUCCESS ||
         supported;
}

void queue_record(cl_command_queue handle, cl_context context_handle, cl_device_id device) {
  cl_command_queue_properties properties = 0;
  driver.clGetCommandQueueInfo(handle, CL_QUEUE_PROPERTIES, sizeof properties, &properties, NULL);
  if (properties & CL_QUEUE_ON_DEVICE) return;
  queue *q = calloc(1, sizeof *q);
  if (q == NULL) return;
  q->context = context_hold(context_handle);
  if (q->context == NULL) {
    free(q);
    return;
  }
  cl_device_type type = 0;
  driver.clGetDeviceInfo(device, CL_DEVICE_TYPE, sizeof type, &type, NULL);
  q->units = 1;
  driver.clGetDeviceInfo(device, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof q->units, &q->units, NULL);
  q->device = device;
  q->non_uniform = has_non_uniform_groups(device);
  q->cpu = (type & CL_DEVICE_TYPE_CPU) != 0;
  q->out_of_order = (properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE) != 0;
  if (atomic_fetch_add(&queue_count, 1) > 0 || q->out_of_order) unordered();
  recursive_mutex(&q->lock);
  object_add(&q->object, OBJECT_QUEUE, handle, 1);
}

static void entry_free(queue *q, entry *e) {
  for (size_t i = 0; i < e->pending_count; i++) driver.clReleaseEvent(e->pending[i]);
  free(e->pending);
  while (e->chunks != NULL) {
    chunk *c = e->chunks;
    e->chunks = c->next;
    if (c->reduced != NULL) driver.clReleaseEvent(c->reduced);
    slots_release(q->context, &c->slots);
    slots_release(q->context, &c->planes);
    free(c);
  }
  slots_release(q->context, &e->ring);
  slots_release(q->context, &e->planes);
  gate_records_release(q, e);
  if (e->judge != NULL) driver.clReleaseKernel(e->judge);
  hidden_buffer_release(q->context, e->flags);
  function_release(e->function);
  free(e);
}

static void forget_cells(queue *q) {
  hidden_buffer_release(q->context, q->cells.memory);
  q->cells = (slots){0};
}

/* Drops entries whose evidence is gone: all, or those whose function has no program any more or whose test case is
 * over. */
static void drop_entries(queue *q, bool all) {
  for (entry **at = &q->entries; *at != NULL;) {
    entry *e = *at;
    entry_prune(e);
    bool needed = !all && e->test_case == test_case_now() && atomic_load(&e->function->references) > 1;
    if (needed || e->launches || e->used || e->pending_count) {
      at = &e->next;
      continue;
    }
    *at = e->next;
    entry_free(q, e);
  }
  if (all) forget_cells(q);
}

entry *queue_entry(queue *q, function *f) {
  const uint32_t test_case = test_case_now();
  for (entry *e = q->entries; e != NULL; e = e->next)
    if (e->function == f && e->test_case == test_case) return e;
  drop_entries(q, false);
  entry *e = calloc(1, sizeof *e);
  if (e == NULL) return NULL;
  e->flags = hidden_buffer(q->context, (size_t)f->total_words * 4);
  if (e->flags == NULL) {
    free(e);
    return NULL;
  }
  e->flags_serial = next_serial();
  e->function = f;
  e->test_case = test_case;
  function_retain(f);
  e->next = q->entries;
  q->entries = e;
  return e;
}

static void queue_dispose(queue *q) {
  atomic_fetch_sub(&queue_count, 1);
  pthread_mutex_lock(&q->lock);
  while (q->entries != NULL) {
    entry *e = q->entries;
    q->entries = e->next;
    entry_free(q, e);
  }
  forget_cells(q);
  if (q->reduce != NULL) driver.clReleaseKernel(q->reduce);
  pthread_mutex_unlock(&q->lock);
  pthread_mutex_destroy(&q->lock);
  context_unhold(q->context);
  free(q);
}

static pthread_mutex_t flush_lock = PTHREAD_MUTEX_INITIALIZER; /* no queue goes meanwhile */

void queues_flush(const context *c) {
  object *list[FLUSHED];
  pthread_mutex_lock(&flush_lock);
  size_t count = object_list(OBJECT_QUEUE, list, FLUSHED);
  for (size_t i = 0; i < count; i++) {
    queue *q = (queue *)list[i];
    if (q->context == c) driver.clFlush(q->object.handle);
    object_unhold(list[i]);
  }
  pthread_mutex_unlock(&flush_lock);
}

void queues_keep(bool keep) { (keep ? pthread_mutex_lock : pthread_mutex_unlock)(&flush_lock); }

void queues_settle(void) {
  struct timespec until;
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_sec += SETTLE_SECONDS;
  if (pthread_mutex_timedlock(&flush_lock, &until) == 0) pthread_mutex_unlock(&flush_lock);
}

void queue_after_fork(void) {
  flush_lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
  atomic_store(&slots_used, 0);
}

cl_command_queue CL_API_CALL hook_clCreateCommandQueue(cl_context handle, cl_device_id device,
                                                       cl_command_queue_properties properties, cl_int *error) {
  cl_command_queue made = driver.clCreateCommandQueue(handle, device, properties, error);
  if (made != NULL) queue_record(made, handle, device);
  return made;
}

cl_command_queue CL_API_CALL hook_clCreateCommandQueueWithProperties(cl_context handle, cl_device_id device,
                                                                     const cl_queue_properties *properties,
                                                                     cl_int *error) {
  cl_command_queue made = driver.clCreateCommandQueueWithProperties(handle, device, properties, error);
  if (made != NULL) queue_record(made, handle, device);
  return made;
}

/* OpenCL 1.0 could change a queue's order. What was launched before is reduced first, in the old order. */
cl_int CL_API_CALL hook_clSetCommandQueueProperty(cl_command_queue handle, cl_command_queue_properties properties,
                                                  cl_bool enable, cl_command_queue_properties *old) {
  queue *q = (queue *)object_find(OBJECT_QUEUE, handle);
  if (q != NULL) evidence_before(q, true);
  cl_int result = driver.clSetCommandQueueProperty(handle, properties, enable, old);
  if (q != NULL && result == CL_SUCCESS && (properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE)) {
    pthread_mutex_lock(&q->lock);
    q->out_of_order = enable != CL_FALSE;
    pthread_mutex_unlock(&q->lock);
  }
  return result;
}

HOOK_RETAIN(hook_clRetainCommandQueue, cl_command_queue, clRetainCommandQueue, OBJECT_QUEUE)

cl_int CL_API_CALL hook_clReleaseCommandQueue(cl_command_queue handle) {
  queue *q = (queue *)object_find(OBJECT_QUEUE, handle);
  if (q != NULL && object_last(OBJECT_QUEUE, handle)) evidence_last(q);
  bool flushed = atomic_load(&waits_wanted) || evidence_is_watched(); /* by other threads, maybe */
  if (flushed) pthread_mutex_lock(&flush_lock);
  q = (queue *)object_release(OBJECT_QUEUE, handle);
  if (q != NULL) queue_dispose(q);
  cl_int result = driver.clReleaseCommandQueue(handle);
  if (flushed) pthread_mutex_unlock(&flush_lock);
  return result;
}

/* Buffers that a queue has used may count as references to it: ours go, as far as their evidence is gone. */
static void forget_entries(queue *q) {
  evidence_last(q);
  pthread_mutex_lock(&q->lock);
  drop_entries(q, true);
  pthread_mutex_unlock(&q->lock);
}

cl_int CL_API_CALL hook_clGetCommandQueueInfo(cl_command_queue handle, cl_command_queue_info name, size_t size,
                                              void *value, size_t *size_ret) {
  queue *q = name == CL_QUEUE_REFERENCE_COUNT && value != NULL ? (queue *)object_find(OBJECT_QUEUE, handle) : NULL;
  if (q == NULL || (q->entries == NULL && !observe.reads && !guards_are_on()))
    return driver.clGetCommandQueueInfo(handle, name, size, value, size_ret);
  forget_entries(q);
  cl_int result = driver.clGetCommandQueueInfo(handle, name, size, value, size_ret);
  cl_uint least = 0;
  if (result == CL_SUCCESS) memcpy(&least, value, sizeof least);
  for (int i = 0; result == CL_SUCCESS && i < SETTLE_TRIES; i++) { /* drivers drop finished commands a little later */
    cl_uint count = least;
    nanosleep(&(struct timespec){.tv_nsec = SETTLE_NS}, NULL);
    driver.clGetCommandQueueInfo(handle, name, sizeof count, &count, NULL);
    least = count < least ? count : least;
  }
  if (result == CL_SUCCESS) memcpy(value, &least, sizeof least);
  return result;
}

cl_int CL_API_CALL hook_clFinish(cl_command_queue handle) {
  queue *q = (queue *)object_find(OBJECT_QUEUE, handle);
  if (q != NULL) evidence_before(q, false);
  cl_int result = driver.clFinish(handle);
  if (result == CL_SUCCESS) last_launch_waited(handle);
  if (q != NULL) {
    atomic_store(&q->busy, false);
    evidence_after();
  }
  reads_finished(handle);
  return result;
}
