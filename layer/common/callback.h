/* Callbacks of events: who waits for a command in one may wait for ever. */
#ifndef CLTC_LAYER_COMMON_CALLBACK_H
#define CLTC_LAYER_COMMON_CALLBACK_H

#include <stdbool.h>

#include "layer/common/opencl.h"

typedef void(CL_CALLBACK *event_notify)(cl_event, cl_int, void *);

/* Whether this thread is in a callback that callback_set has set. */
bool callback_running(void);
/* clSetEventCallback, with a callback that callback_running tells of. */
cl_int callback_set(cl_event event, cl_int status, event_notify notify, void *user_data);
void callback_after_fork(void);

#endif
