/* Reads, writes, maps and copies: the blocking ones are synchronisation points. */
#include "layer/common/guest.h"
#include "layer/common/object.h"
#include "layer/common/storage.h"
#include "layer/observe/announced.h"
#include "layer/observe/evidence.h"
#include "layer/observe/hooks.h"
#include "layer/observe/memory.h"
#include "layer/observe/observe.h"
#include "layer/observe/queue.h"
#include "layer/observe/reads.h"
#include "layer/observe/refused.h"

static void before(cl_command_queue handle, cl_bool blocking) {
  observe_command();
  mapped_command();
  queue *q = blocking ? (queue *)object_find(OBJECT_QUEUE, handle) : NULL;
  if (q != NULL) evidence_before(q, false);
}

static bool is_success(cl_int result) { return result == CL_SUCCESS; }
static bool is_there(const void *result) { return result != NULL; }
#define WORKED(result) _Generic((result), cl_int : is_success, default : is_there)(result)

static void after(cl_command_queue handle, cl_bool blocking, bool worked) {
  if (blocking) {
    const queue *q = worked ? (queue *)object_find(OBJECT_QUEUE, handle) : NULL;
    if (q != NULL && !q->out_of_order) last_launch_waited(handle);
    evidence_after();
    reads_blocked(handle);
  }
}

static void no_map(cl_mem memory, cl_map_flags map_flags, size_t first, size_t bytes, cl_int result) {
  (void)memory, (void)map_flags, (void)first, (void)bytes, (void)result;
}

/* Those that have a parameter of this name hide it. */
static const cl_mem buffer = NULL, image = NULL;
static const cl_map_flags flags = 0;
static const size_t offset = 0, size = 0;
#pragma GCC diagnostic ignored "-Wshadow"

#define LOOK_AT_MAP(result) \
  _Generic((result), cl_int : no_map, default : mapped_add)(MEMORY, flags, offset, size, result)
#define MEMORY (buffer != NULL ? buffer : image)

#define WRITE(type, name, parameters, arguments)                      \
  type CL_API_CALL hook_##name parameters {                           \
    before(handle, blocking);                                         \
    type result = driver.name arguments;                              \
    if (WORKED(result)) {                                             \
      unnoticed_given(MEMORY);                                        \
      memory_written(buffer, blocking ? NULL : handle, offset, size); \
    }                                                                 \
    after(handle, blocking, WORKED(result));                          \
    return result;                                                    \
  }
CALLS_WRITE(WRITE)

#define READ(type, name, parameters, arguments)                                  \
  type CL_API_CALL hook_##name parameters {                                      \
    before(handle, blocking);                                                    \
    type result = observe.reads ? read_##name arguments : driver.name arguments; \
    if (WORKED(result)) {                                                        \
      unnoticed_used(MEMORY, #name);                                             \
      memory_used(MEMORY, handle, BARE_HOST, NULL, 0);                           \
    }                                                                            \
    LOOK_AT_MAP(result);                                                         \
    after(handle, blocking, WORKED(result));                                     \
    return result;                                                               \
  }
CALLS_READ(READ)

#define COPY(type, name, parameters, arguments)      \
  type CL_API_CALL hook_##name parameters {          \
    mapped_command();                                \
    type result = driver.name arguments;             \
    if (result == CL_SUCCESS) {                      \
      unnoticed_used(from, #name);                   \
      unnoticed_given(to);                           \
    }                                                \
    if (result == CL_SUCCESS && observe.reads) {     \
      storage_given(to, handle, event);              \
      memory_used(from, handle, BARE_COPY, NULL, 0); \
      memory_copied(to);                             \
    }                                                \
    return result;                                   \
  }
CALLS_COPY(COPY)

#define FILL(type, name, parameters, arguments)     \
  type CL_API_CALL hook_##name parameters {         \
    mapped_command();                               \
    type result = driver.name arguments;            \
    if (result == CL_SUCCESS) {                     \
      unnoticed_given(MEMORY);                      \
      memory_written(buffer, handle, offset, size); \
    }                                               \
    return result;                                  \
  }
CALLS_FILL(FILL)

#define UNMAP(type, name, parameters, arguments) \
  type CL_API_CALL hook_##name parameters {      \
    type result = driver.name arguments;         \
    if (result == CL_SUCCESS) {                  \
      mapped_end(buffer, pointer);               \
    }                                            \
    return result;                               \
  }
CALLS_UNMAP(UNMAP)
