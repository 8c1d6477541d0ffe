/* Blocking reads, writes and maps: synchronisation points. */
#include "runner/layer/layer.h"

static void before(cl_command_queue handle, cl_bool blocking) {
  queue *q = blocking ? (queue *)object_find(OBJECT_QUEUE, handle) : NULL;
  if (q)
    evidence_before(q, false);
}

static void after(cl_bool blocking) {
  if (blocking)
    evidence_after();
}

#define TRANSFER(type, name, parameters, arguments) \
  type CL_API_CALL hook_##name parameters {         \
    before(handle, blocking);                       \
    type result = driver.name arguments;            \
    after(blocking);                                \
    return result;                                  \
  }
CALLS_TRANSFER(TRANSFER)
