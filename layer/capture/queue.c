/* Command queues, and waiting for what is in them: which device each has, whether it is in order, and all of them, to
 * be flushed before we wait for a command. */
#include <stdlib.h>

#include "layer/capture/layer.h"

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

uint32_t queue_number(cl_command_queue handle) {
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
  object **list = malloc((capacity + 1) * sizeof *list);
  cl_command_queue *queues = malloc((capacity + 1) * sizeof(cl_command_queue));
  size_t count = list != NULL && queues != NULL ? object_list(OBJECT_QUEUE, list, capacity) : 0;
  *kept = 0;
  for (size_t i = 0; i < count; i++) {
    if (driver.clRetainCommandQueue(list[i]->handle) == CL_SUCCESS) queues[(*kept)++] = list[i]->handle;
    object_unhold(list[i]);
  }
  free(list);
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

cl_event *wait_event(waiting *w) { return w->event == NULL && !w->blocking && recording() ? &w->own : w->event; }

static cl_event event_of(const waiting *w) { return w->event != NULL ? *w->event : w->own; }

/* A command may wait for others in queues that nobody has flushed yet. */
static bool wait_for(cl_event event) {
  cl_int status = CL_QUEUED;
  queues_flush();
  return driver.clWaitForEvents(1, &event) == CL_SUCCESS &&
         driver.clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL) == CL_SUCCESS &&
         status == CL_COMPLETE;
}

bool wait_for_command(waiting *w, bool success) {
  return success && (w->blocking || (w->may && event_of(w) != NULL && wait_for(event_of(w))));
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
