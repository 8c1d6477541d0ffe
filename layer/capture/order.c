/* Calls that put commands in order: queues, events that commands wait for and give, what the program waits for. */
#include <stdlib.h>

#include "layer/capture/layer.h"
#include "layer/common/guest.h"

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

static void record_call(const host_call *call, bool done) {
  if (done && record_begin()) {
    order_record(call);
    record_end();
  }
}

static cl_int CL_API_CALL finish(cl_command_queue queue) {
  cl_int result = driver.clFinish(queue);
  if (result == CL_SUCCESS && record_begin()) {
    order_record(&(host_call){.function = FUNCTION_FINISH, .queue = queue});
    own_memory_finished(queue);
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

/* ---- markers and barriers ---- */

static cl_int CL_API_CALL marker_with_list(cl_command_queue queue, cl_uint waits, const cl_event *wait,
                                           cl_event *event) {
  cl_int result = driver.clEnqueueMarkerWithWaitList(queue, waits, wait, event);
  record_call(&(host_call){FUNCTION_MARKER, queue, false, waits, wait, event}, result == CL_SUCCESS);
  return result;
}

static cl_int CL_API_CALL marker(cl_command_queue queue, cl_event *event) {
  cl_int result = driver.clEnqueueMarker(queue, event);
  record_call(&(host_call){FUNCTION_MARKER, queue, false, 0, NULL, event}, result == CL_SUCCESS);
  return result;
}

static cl_int CL_API_CALL barrier_with_list(cl_command_queue queue, cl_uint waits, const cl_event *wait,
                                            cl_event *event) {
  cl_int result = driver.clEnqueueBarrierWithWaitList(queue, waits, wait, event);
  record_call(&(host_call){FUNCTION_BARRIER, queue, false, waits, wait, event}, result == CL_SUCCESS);
  return result;
}

static cl_int CL_API_CALL barrier(cl_command_queue queue) {
  cl_int result = driver.clEnqueueBarrier(queue);
  record_call(&(host_call){.function = FUNCTION_BARRIER, .queue = queue}, result == CL_SUCCESS);
  return result;
}

static cl_int CL_API_CALL queue_wait(cl_command_queue queue, cl_uint waits, const cl_event *wait) {
  cl_int result = driver.clEnqueueWaitForEvents(queue, waits, wait);
  record_call(&(host_call){FUNCTION_BARRIER, queue, false, waits, wait, NULL}, result == CL_SUCCESS && waits > 0);
  return result;
}

static cl_int CL_API_CALL migrate(cl_command_queue queue, cl_uint objects, const cl_mem *list,
                                  cl_mem_migration_flags flags, cl_uint waits, const cl_event *wait, cl_event *event) {
  cl_int result = driver.clEnqueueMigrateMemObjects(queue, objects, list, flags, waits, wait, event);
  record_call(&(host_call){FUNCTION_MIGRATE, queue, false, waits, wait, event}, result == CL_SUCCESS);
  return result;
}

const guest_call order_calls[] = {
    CALL(clFinish, finish),
    CALL(clWaitForEvents, wait_for_events),
    CALL(clGetEventInfo, get_event_info),
    CALL(clGetEventProfilingInfo, get_event_profiling_info),
    CALL(clRetainEvent, retain_event),
    CALL(clReleaseEvent, release_event),
    CALL(clEnqueueMarkerWithWaitList, marker_with_list),
    CALL(clEnqueueMarker, marker),
    CALL(clEnqueueBarrierWithWaitList, barrier_with_list),
    CALL(clEnqueueBarrier, barrier),
    CALL(clEnqueueWaitForEvents, queue_wait),
    CALL(clEnqueueMigrateMemObjects, migrate),
    {NULL, 0, NULL},
};
