/* The user's callback inside one of ours. */
#include "layer/common/callback.h"

#include <stdlib.h>

#include "layer/common/guest.h"

typedef struct callback {
  event_notify notify;
  void *user_data;
} callback;

static __thread bool running;

bool callback_running(void) { return running; }

static void CL_CALLBACK called(cl_event event, cl_int status, void *data) {
  callback c = *(callback *)data;
  bool outer = running;
  free(data);
  running = true;
  c.notify(event, status, c.user_data);
  running = outer;
}

cl_int callback_set(cl_event event, cl_int status, event_notify notify, void *user_data) {
  callback *c = notify != NULL ? malloc(sizeof *c) : NULL;
  if (c == NULL) return driver.clSetEventCallback(event, status, notify, user_data);
  *c = (callback){notify, user_data};
  cl_int result = driver.clSetEventCallback(event, status, called, c);
  if (result != CL_SUCCESS) free(c);
  return result;
}

void callback_after_fork(void) { running = false; }
