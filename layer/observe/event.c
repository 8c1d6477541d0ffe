/* Events: waiting for them is a synchronisation point of their queues, polling them nearly one. */
#include "layer/observe/event.h"

#include <stdlib.h>
#include <string.h>

#include "layer/common/callback.h"
#include "layer/common/guest.h"
#include "layer/common/object.h"
#include "layer/observe/announced.h"
#include "layer/observe/context.h"
#include "layer/observe/evidence.h"
#include "layer/observe/hooks.h"
#include "layer/observe/queue.h"
#include "layer/observe/reads.h"

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
