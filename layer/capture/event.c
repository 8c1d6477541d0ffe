/* Waiting for a command whose bytes we want to look at. It must not be the program itself that the command waits for:
 * not while a user event is not set yet, and not in a callback of an event. */
#include <stdlib.h>

#include "layer/capture/layer.h"

static atomic_long open_events; /* user events that are not set yet */

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

void event_after_fork(void) { atomic_store(&open_events, 0); }

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

const guest_call event_calls[] = {
    CALL(clCreateUserEvent, create_user_event),
    CALL(clSetUserEventStatus, set_user_event_status),
    CALL(clSetEventCallback, set_event_callback),
    {NULL, 0, NULL},
};
