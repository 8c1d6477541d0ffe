/* Command queues, events, and calls that put commands in order: what the program waits for, and what waits. Of queues:
 * which device each has, whether it is in order, and all of them, to be flushed before we wait for a command. */
#include <stdlib.h>

#include "layer/capture/layer.h"
#include "layer/common/guest.h"

typedef struct queue {
  object object;
  cl_device_id device;
  bool in_order;
  uint32_t number; /* CAPTURE_NONE: it was not used yet */
} queue;

static uint32_t used; /* queues */

static atomic_long open_events; /* user events that are not set yet */

void queue_after_fork(void) {
  used = 0;
  atomic_store(&open_events, 0);
}

static cl_device_id ask_device(cl_command_queue handle) {
  cl_device_id device = NULL;
  driver.clGetCommandQueueInfo(handle, CL_QUEUE_DEVICE, sizeof(cl_device_id), &device, NULL);
  return device;
}

cl_device_id queue_device(cl_command_queue handle) {
  const queue *q = (queue *)object_find(OBJECT_QUEUE, handle);
  return q != NULL ? q->device : ask_device(handle);
}

bool queue_in_order(cl_command_queue handle) {
  const queue *q = (queue *)object_find(OBJECT_QUEUE, handle);
  return q != NULL && q->in_order;
}

/* Its number, recorded if it is not yet; CAPTURE_NONE: not known. */
static uint32_t queue_number(cl_command_queue handle) {
  queue *q = (queue *)object_find(OBJECT_QUEUE, handle);
  if (q == NULL) return CAPTURE_NONE;
  if (q->number == CAPTURE_NONE) {
    const unsigned char flag[4] = {q->in_order ? 1 : 0};
    file_record(RECORD_QUEUE, flag, sizeof flag);
    q->number = used++;
  }
  return q->number;
}

static bool ask_order(cl_command_queue handle) {
  cl_command_queue_properties properties = 0;
  driver.clGetCommandQueueInfo(handle, CL_QUEUE_PROPERTIES, sizeof properties, &properties, NULL);
  return (properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE) == 0;
}

static void made(cl_command_queue handle, cl_device_id device) {
  if (handle == NULL || !record_begin()) return;
  queue *q = calloc(1, sizeof *q);
  if (q != NULL) {
    q->device = device;
    q->in_order = ask_order(handle);
    q->number = CAPTURE_NONE;
    object_add(&q->object, OBJECT_QUEUE, handle, 1);
  }
  record_end();
}

/* ---- flushing ---- */

/* All queues, each with a reference that keeps it while it is flushed without the lock. To be freed. */
static cl_command_queue *keep_queues(size_t *kept) {
  size_t capacity = object_count(OBJECT_QUEUE);
  scoped object **list = malloc((capacity + 1) * sizeof *list);
  cl_command_queue *queues = malloc((capacity + 1) * sizeof(cl_command_queue));
  size_t count = list != NULL && queues != NULL ? object_list(OBJECT_QUEUE, list, capacity) : 0;
  *kept = 0;
  for (size_t i = 0; i < count; i++) {
    if (driver.clRetainCommandQueue(list[i]->handle) == CL_SUCCESS) queues[(*kept)++] = list[i]->handle;
    object_unhold(list[i]);
  }
  return queues;
}

/* Flushes all queues; without the lock. */
static void queues_flush(void) {
  if (!record_begin()) return;
  size_t count;
  cl_command_queue *queues = keep_queues(&count);
  record_end();
  for (size_t i = 0; i < count; i++) {
    driver.clFlush(queues[i]);
    driver.clReleaseCommandQueue(queues[i]);
  }
  free(queues);
}

/* ---- the calls ---- */

static void check_properties(const cl_queue_properties *properties) {
  for (const cl_queue_properties *p = properties; p != NULL && *p; p += 2)
    if (p[0] == CL_QUEUE_PROPERTIES && (p[1] & CL_QUEUE_ON_DEVICE))
      refuse("kernels may enqueue kernels (a queue on the device)");
}

static cl_command_queue CL_API_CALL create_queue(cl_context handle, cl_device_id device,
                                                 cl_command_queue_properties properties, cl_int *status) {
  cl_command_queue q = driver.clCreateCommandQueue(handle, device, properties, status);
  made(q, device);
  return q;
}

static cl_command_queue CL_API_CALL create_queue_with_properties(cl_context handle, cl_device_id device,
                                                                 const cl_queue_properties *properties,
                                                                 cl_int *status) {
  cl_command_queue q = driver.clCreateCommandQueueWithProperties(handle, device, properties, status);
  made(q, device);
  if (q != NULL) check_properties(properties);
  return q;
}

cl_command_queue CL_API_CALL create_queue_khr(cl_context handle, cl_device_id device,
                                              const cl_queue_properties *properties, cl_int *status) {
  cl_command_queue q = REAL(create_queue_khr, handle)(handle, device, properties, status);
  made(q, device);
  if (q != NULL) check_properties(properties);
  return q;
}

static HOOK_RETAIN(retain_queue, cl_command_queue, clRetainCommandQueue, OBJECT_QUEUE)

    static cl_int CL_API_CALL release_queue(cl_command_queue handle) {
  record_release(OBJECT_QUEUE, handle);
  return driver.clReleaseCommandQueue(handle);
}

/* ---- waiting for a command whose bytes we want to look at ----
 *
 * It must not be the program itself that the command waits for: not while a user event is not set yet, and not in a
 * callback of an event. */

waiting wait_begin(bool blocking, cl_event *event) {
  waiting w = {.blocking = blocking, .event = event};
  w.may = recording() && !blocking && !callback_running() && atomic_load(&open_events) <= 0;
  return w;
}

static cl_event event_of(const waiting *w) { return w->event != NULL ? *w->event : w->own; }

/* A command may wait for others in queues that nobody has flushed yet. */
static bool wait_for(cl_event event) {
  cl_int status = CL_QUEUED;
  queues_flush();
  return driver.clWaitForEvents(1, &event) == CL_SUCCESS &&
         driver.clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL) == CL_SUCCESS &&
         status == CL_COMPLETE;
}

bool wait_for_command(waiting *w, command *c) {
  if (w->event == NULL && !w->blocking && recording()) c->event = &w->own;
  command_below(c);
  c->event = w->event;
  return command_worked(c) && (w->blocking || (w->may && event_of(w) != NULL && wait_for(event_of(w))));
}

cl_event wait_keep_event(waiting *w, bool success) {
  cl_event event = success ? event_of(w) : NULL;
  return event != NULL && driver.clRetainEvent(event) == CL_SUCCESS ? event : NULL;
}

void wait_end(waiting *w) {
  if (w->own != NULL) driver.clReleaseEvent(w->own);
}

/* ---- the calls ---- */

static cl_event CL_API_CALL create_user_event(cl_context handle, cl_int *status) {
  cl_event made = driver.clCreateUserEvent(handle, status);
  if (made != NULL) {
    atomic_fetch_add(&open_events, 1);
    if (record_begin()) {
      order_record(&(host_call){.function = FUNCTION_USER_EVENT, .event = &made});
      record_end();
    }
  }
  return made;
}

/* Recorded before it is done: what waits for the event in another thread may return at once. */
static cl_int CL_API_CALL set_user_event_status(cl_event event, cl_int status) {
  if (record_begin()) {
    order_record(&(host_call){.function = FUNCTION_SET_EVENT, .waits = 1, .wait = &event});
    record_end();
  }
  cl_int result = driver.clSetUserEventStatus(event, status);
  if (result == CL_SUCCESS) atomic_fetch_sub(&open_events, 1);
  return result;
}

/* The program's callback in one of ours: when it runs the program knows what has become of the command. */
typedef struct told {
  event_notify notify;
  void *user_data;
} told;

static void CL_CALLBACK tell(cl_event event, cl_int status, void *data) {
  told t = *(told *)data;
  free(data);
  if (status <= CL_COMPLETE) order_complete(event);
  t.notify(event, status, t.user_data);
}

static cl_int CL_API_CALL set_event_callback(cl_event event, cl_int status, event_notify notify, void *user_data) {
  told *t = recording() && notify != NULL ? malloc(sizeof *t) : NULL;
  if (t == NULL) return driver.clSetEventCallback(event, status, notify, user_data);
  *t = (told){notify, user_data};
  cl_int result = callback_set(event, status, tell, t);
  if (result != CL_SUCCESS) free(t);
  return result;
}

const guest_call queue_calls[] = {
    CALL(clCreateCommandQueue, create_queue),
    CALL(clCreateCommandQueueWithProperties, create_queue_with_properties),
    CALL(clRetainCommandQueue, retain_queue),
    CALL(clReleaseCommandQueue, release_queue),
    CALL(clCreateUserEvent, create_user_event),
    CALL(clSetUserEventStatus, set_user_event_status),
    CALL(clSetEventCallback, set_event_callback),
    {NULL, 0, NULL},
};

/* ---- calls that put commands in order ---- */

typedef struct event_record {
  object object;
  uint32_t number;
  bool complete; /* the program knows, and it is recorded */
} event_record;

/* A mapping of any kind. */
typedef struct mapped {
  struct mapped *next;
  cl_mem handle;
  const void *pointer;
  capture_call region; /* memory, flags, offset, size */
} mapped;

static uint32_t event_count, thread_count;
static __thread uint32_t thread; /* its number and 1; 0: it has none */
static mapped *all_mapped;

void order_after_fork(void) {
  event_count = thread_count = 0;
  thread = 0;
  all_mapped = NULL;
}

/* ---- events ---- */

static event_record *find(cl_event event) { return (event_record *)object_find(OBJECT_EVENT, event); }

static uint32_t add_event(cl_event event) {
  event_record *r = calloc(1, sizeof *r);
  if (r == NULL) {
    unsuitable("the capture ran out of memory");
    return CAPTURE_NONE;
  }
  r->number = event_count++;
  object_add(&r->object, OBJECT_EVENT, event, 1);
  return r->number;
}

/* ---- records ---- */

static void write_call(const host_call *call, const capture_call *region) {
  capture_call c = *region;
  if (!file_ready()) return;
  c.function = call->function;
  if (thread == 0) thread = ++thread_count;
  c.thread = thread - 1;
  call_site at = {.module = ""};
  if (site_of_call(&at)) {
    c.module = (char *)(uintptr_t)at.module;
    c.place = at.offset;
  }
  c.queue = call->queue != NULL ? queue_number(call->queue) : CAPTURE_NONE;
  c.blocking = call->blocking;
  c.waits = calloc((size_t)call->waits + 1, sizeof *c.waits);
  for (c.wait_count = 0; c.waits != NULL && c.wait_count < call->waits; c.wait_count++) {
    const event_record *r = find(call->wait[c.wait_count]);
    c.waits[c.wait_count] = r != NULL ? r->number : CAPTURE_NONE;
  }
  c.event = call->event != NULL ? add_event(*call->event) : CAPTURE_NONE;
  size_t length = 0;
  const unsigned char *payload = c.waits != NULL ? encode_call(&c, &length) : NULL;
  if (payload != NULL)
    file_record(RECORD_CALL, payload, length);
  else
    unsuitable("the capture ran out of memory");
  free(c.waits);
}

void order_record(const host_call *call) { write_call(call, &(capture_call){.memory = CAPTURE_NONE}); }

/* ---- mappings ---- */

void order_mapped(const host_call *call, cl_mem handle, const void *pointer, const capture_call *region) {
  const memory *m = memory_look_up(handle);
  mapped *made = m != NULL ? malloc(sizeof *made) : NULL;
  if (made == NULL) {
    unsuitable("a mapping is not known");
    return;
  }
  *made = (mapped){.next = all_mapped, .handle = handle, .pointer = pointer, .region = *region};
  made->region.memory = m->number;
  all_mapped = made;
  write_call(call, &made->region);
}

static void drop(mapped **at) {
  mapped *gone = *at;
  *at = gone->next;
  free(gone);
}

bool order_unmapped(const host_call *call, cl_mem handle, const void *pointer) {
  for (mapped **at = &all_mapped; *at != NULL; at = &(*at)->next) {
    if ((*at)->handle == handle && (*at)->pointer == pointer) {
      write_call(call, &(*at)->region);
      drop(at);
      return true;
    }
  }
  return false;
}

void order_forget_memory(uint32_t number) {
  for (mapped **at = &all_mapped; *at != NULL;)
    if ((*at)->region.memory == number)
      drop(at);
    else
      at = &(*at)->next;
}

/* ---- what the program learns ---- */

void order_complete(cl_event event) {
  if (!record_begin()) return;
  event_record *r = find(event);
  if (r != NULL && !r->complete) {
    r->complete = true;
    order_record(&(host_call){.function = FUNCTION_COMPLETE, .waits = 1, .wait = &event});
  }
  if (storage_unseen()) /* in a callback, or by asking for times */
    own_memory_missed();
  record_end();
}

static cl_int CL_API_CALL finish(cl_command_queue on) {
  cl_int result = driver.clFinish(on);
  if (result == CL_SUCCESS && record_begin()) {
    order_record(&(host_call){.function = FUNCTION_FINISH, .queue = on});
    own_memory_finished(on);
    record_end();
  }
  return result;
}

/* Commands that failed are over, too. */
static cl_int CL_API_CALL wait_for_events(cl_uint waits, const cl_event *wait) {
  cl_int result = driver.clWaitForEvents(waits, wait);
  if ((result == CL_SUCCESS || result == CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST) && record_begin()) {
    order_record(&(host_call){.function = FUNCTION_WAIT, .waits = waits, .wait = wait});
    for (cl_uint i = 0; i < waits; i++) own_memory_event(wait[i]);
    record_end();
  }
  return result;
}

static cl_int CL_API_CALL get_event_info(cl_event event, cl_event_info name, size_t size, void *value,
                                         size_t *size_ret) {
  cl_int result = driver.clGetEventInfo(event, name, size, value, size_ret);
  if (result == CL_SUCCESS && name == CL_EVENT_COMMAND_EXECUTION_STATUS && value != NULL &&
      *(const cl_int *)value <= CL_COMPLETE) {
    if (record_begin()) {
      own_memory_event(event);
      record_end();
    }
    order_complete(event);
  }
  return result;
}

/* There are times of commands that are complete alone. */
static cl_int CL_API_CALL get_event_profiling_info(cl_event event, cl_profiling_info name, size_t size, void *value,
                                                   size_t *size_ret) {
  cl_int result = driver.clGetEventProfilingInfo(event, name, size, value, size_ret);
  if (result == CL_SUCCESS && name == CL_PROFILING_COMMAND_END) order_complete(event);
  return result;
}

static HOOK_RETAIN(retain_event, cl_event, clRetainEvent, OBJECT_EVENT)

    static cl_int CL_API_CALL release_event(cl_event event) {
  record_release(OBJECT_EVENT, event);
  return driver.clReleaseEvent(event);
}

const guest_call order_calls[] = {
    CALL(clFinish, finish),
    CALL(clWaitForEvents, wait_for_events),
    CALL(clGetEventInfo, get_event_info),
    CALL(clGetEventProfilingInfo, get_event_profiling_info),
    CALL(clRetainEvent, retain_event),
    CALL(clReleaseEvent, release_event),
    {NULL, 0, NULL},
};
