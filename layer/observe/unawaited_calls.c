/* The calls by which a program reads without blocking, waits, and uses memory: each does what it did, and says so. */
#include <string.h>

#include "layer/observe/hooks.h"
#include "layer/observe/queue.h"
#include "layer/observe/unawaited.h"

#define BELOW unawaited_below

static bool is_success(cl_int result) { return result == CL_SUCCESS; }
static bool is_there(const void *result) { return result != NULL; }
#define WORKED(result) _Generic((result), cl_int : is_success, default : is_there)(result)

/* Those that have a parameter of this name hide it. Of reads of rectangles and images only the end of the program is looked at. */
static const size_t size = 0, row = 0, slice = 0, host_row = 0, host_slice = 0;
static const size_t *const host_origin = NULL, *const region = NULL;
static const void *const pointer = NULL;
static const cl_uint waits = 0;
static const cl_event *const wait = NULL;
static cl_event *const event = NULL;
static const cl_command_queue handle = NULL, queue_handle = NULL;
static const cl_mem image = NULL;
static const cl_kernel kernel_handle = NULL;
#define HANDLE (handle != NULL ? handle : queue_handle)
#define EVENT (event != NULL ? *event : NULL)
#pragma GCC diagnostic ignored "-Wshadow"

/* A blocking command of a queue that is in order is the last one. */
static bool is_last(cl_command_queue handle) {
  const queue *q = (const queue *)object_find(OBJECT_QUEUE, handle);
  return q == NULL || !q->out_of_order;
}

/* Where it reads to: a pointer that it was given, or (of a map) one that it gives. */
static const void *given(cl_int result, const void *pointer_given) { return (void)result, pointer_given; }
static const void *mapped(const void *result, const void *pointer_given) { return (void)pointer_given, result; }
#define TARGET(result) _Generic((result), cl_int : given, default : mapped)(result, pointer)

/* One that reads or writes: what does not block is told to `tell`. */
#define TRANSFER(type, name, parameters, arguments, changes, tell)       \
  static type CL_API_CALL own_##name parameters {                        \
    const bool last = blocking && is_last(handle);                       \
    unawaited_handed(#name, HANDLE, waits, wait);                        \
    unawaited_given(#name, handle, pointer, size, waits);                \
    unawaited_before(#name, last ? handle : NULL, 0, NULL);              \
    changes;                                                             \
    type result = BELOW.name arguments;                                  \
    if (WORKED(result) && last)                                          \
      unawaited_finished(handle);                                        \
    else if (WORKED(result) && !blocking)                                \
      tell;                                                              \
    if (WORKED(result)) unawaited_enqueued(handle, EVENT, false, false); \
    return result;                                                       \
  }
#define READ(type, name, parameters, arguments)                         \
  TRANSFER(type, name, parameters, arguments, unawaited_changes(#name), \
           unawaited_read(#name, handle, EVENT, TARGET(result), size))
CALLS_READ(READ)

/* Rows of an image, of a rectangle, or bytes. */
static area taken(cl_mem image, const size_t *origin, const size_t *region, size_t row, size_t slice, size_t size,
                  const void *pointer) {
  static const size_t nowhere[3];
  size_t part[3], element = 1;
  if (region == NULL) return area_of_bytes(pointer, size);
  cl_mem_object_type type = 0;
  if (image != NULL && (driver.clGetImageInfo(image, CL_IMAGE_ELEMENT_SIZE, sizeof element, &element, NULL) != 0 ||
                        driver.clGetMemObjectInfo(image, CL_MEM_TYPE, sizeof type, &type, NULL) != 0 ||
                        type == CL_MEM_OBJECT_IMAGE1D_ARRAY))
    return (area){0};
  memcpy(part, region, sizeof part);
  part[0] *= element;
  return area_of_rectangle(origin == NULL ? nowhere : origin, part, row, slice, pointer);
}
#define WRITE(type, name, parameters, arguments)       \
  TRANSFER(type, name, parameters, arguments, (void)0, \
           unawaited_write(#name, handle, EVENT,       \
                           taken(image, host_origin, region, row + host_row, slice + host_slice, size, pointer)))
CALLS_WRITE(WRITE)

/* By its name: without a list a marker and a barrier wait for all; functions of the program may change anything. */
#define COMMAND(type, name, parameters, arguments)                               \
  static type CL_API_CALL own_##name parameters {                                \
    const bool holds = strstr(#name, "Barrier") != NULL;                         \
    unawaited_handed(#name, HANDLE, waits, wait);                                \
    if (strcmp(#name, "clEnqueueNativeKernel") == 0) {                           \
      unawaited_changes(#name);                                                  \
    }                                                                            \
    const int at = unawaited_kernel(#name, kernel_handle);                       \
    type result = BELOW.name arguments;                                          \
    unawaited_kernel_done(at);                                                   \
    if (result == CL_SUCCESS) {                                                  \
      const bool all = waits == 0 && (holds || strstr(#name, "Marker") != NULL); \
      unawaited_enqueued(HANDLE, EVENT, all, holds);                             \
    }                                                                            \
    return result;                                                               \
  }
#define COMMANDS(X) CALLS_ENQUEUE(X) CALLS_COPY(X) CALLS_FILL(X) CALLS_ALIVE_COMMANDS(X) CALLS_LIST(X)
COMMANDS(COMMAND)

static cl_int CL_API_CALL own_clEnqueueUnmapMemObject(cl_command_queue handle, cl_mem memory, void *mapping,
                                                      cl_uint waits, const cl_event *wait, cl_event *event) {
  unawaited_handed("clEnqueueUnmapMemObject", HANDLE, waits, wait);
  unawaited_changes("clEnqueueUnmapMemObject");
  unawaited_unmapped(mapping);
  const cl_int result = BELOW.clEnqueueUnmapMemObject(handle, memory, mapping, waits, wait, event);
  if (result == CL_SUCCESS) unawaited_enqueued(handle, EVENT, false, false);
  return result;
}

static cl_int CL_API_CALL own_clFinish(cl_command_queue handle) {
  unawaited_before("clFinish", handle, 0, NULL);
  const cl_int result = BELOW.clFinish(handle);
  if (result == CL_SUCCESS) unawaited_finished(handle);
  return result;
}

static cl_int CL_API_CALL own_clWaitForEvents(cl_uint count, const cl_event *events) {
  unawaited_before("clWaitForEvents", NULL, count, events);
  const cl_int result = BELOW.clWaitForEvents(count, events);
  unawaited_waited(count, events);
  return result;
}

/* Who asks for the state waits, in a way. */
static cl_int CL_API_CALL own_clGetEventInfo(cl_event event, cl_event_info name, size_t bytes, void *value,
                                             size_t *size_ret) {
  const cl_int result = BELOW.clGetEventInfo(event, name, bytes, value, size_ret);
  if (result == CL_SUCCESS && name == CL_EVENT_COMMAND_EXECUTION_STATUS && value != NULL &&
      *(cl_int *)value == CL_COMPLETE) {
    unawaited_before("clGetEventInfo", NULL, 1, &event);
    unawaited_waited(1, &event);
  }
  return result;
}

static cl_int CL_API_CALL own_clSetEventCallback(cl_event event, cl_int status, event_notify notify, void *user_data) {
  unawaited_handed("clSetEventCallback", NULL, 1, &event);
  return BELOW.clSetEventCallback(event, status, notify, user_data);
}

#define ARGUMENT(type, name, parameters, arguments) \
  static type CL_API_CALL own_##name parameters {   \
    unawaited_used(#name, value, size);             \
    const int at = unawaited_kernel(#name, handle); \
    const type result = BELOW.name arguments;       \
    unawaited_kernel_done(at);                      \
    return result;                                  \
  }
CALLS_ARGUMENTS(ARGUMENT)

/* Memory of the program's own that kernels use. */
#define CREATE(type, name, parameters, arguments)          \
  static type CL_API_CALL own_##name parameters {          \
    unawaited_used(#name, data, size);                     \
    type result = BELOW.name arguments;                    \
    if (result != NULL && (flags & CL_MEM_USE_HOST_PTR)) { \
      unawaited_lent(size > 0 ? data : NULL, size);        \
    }                                                      \
    return result;                                         \
  }
CALLS_MADE(CREATE)

#define ROW(type, name, parameters, arguments) CALL(name, own_##name),
const guest_call unawaited_calls[] = {CALLS_READ(ROW) CALLS_WRITE(ROW) COMMANDS(ROW)
                                          CALL(clEnqueueUnmapMemObject, own_clEnqueueUnmapMemObject),
                                      CALL(clFinish, own_clFinish),
                                      CALL(clWaitForEvents, own_clWaitForEvents),
                                      CALL(clGetEventInfo, own_clGetEventInfo),
                                      CALL(clSetEventCallback, own_clSetEventCallback),
                                      CALLS_ARGUMENTS(ROW) CALLS_MADE(ROW){NULL, 0, NULL}};
