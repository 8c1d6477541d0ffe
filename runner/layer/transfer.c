/* Reads, writes and maps: the blocking ones are synchronisation points. */
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

#define WRITE(type, name, parameters, arguments) \
  type CL_API_CALL hook_##name parameters {      \
    before(handle, blocking);                    \
    type result = driver.name arguments;         \
    after(blocking);                             \
    return result;                               \
  }
CALLS_WRITE(WRITE)

#define READ(type, name, parameters, arguments)                                  \
  type CL_API_CALL hook_##name parameters {                                      \
    before(handle, blocking);                                                    \
    type result = observe.reads ? read_##name arguments : driver.name arguments; \
    after(blocking);                                                             \
    return result;                                                               \
  }
CALLS_READ(READ)
