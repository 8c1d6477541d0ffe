/* The calls by which a program reads without blocking, waits, and uses memory: each does what it did, and says so. */
#include "layer/observe/hooks.h"
#include "layer/observe/queue.h"
#include "layer/observe/unawaited.h"

#define BELOW unawaited_below

static bool is_success(cl_int result) { return result == CL_SUCCESS; }
static bool is_there(const void *result) { return result != NULL; }
#define WORKED(result) _Generic((result), cl_int : is_success, default : is_there)(result)

/* Those that have a parameter of this name hide it. Of rectangles and images only the end of the program is looked at. */
static const size_t size = 0;
static const void *const pointer = NULL;
static const cl_uint waits = 0;
static const cl_event *const wait = NULL;
static const cl_command_queue handle = NULL, queue_handle = NULL;
#define HANDLE (handle != NULL ? handle : queue_handle)
#pragma GCC diagnostic ignored "-Wshadow"

/* A blocking command of a queue that is in order is the last one. */
static void blocked(cl_command_queue handle) {
  const queue *q = (const queue *)object_find(OBJECT_QUEUE, handle);
  if (q == NULL || !q->out_of_order) {
    unawaited_finished(handle);
  }
}

/* Where it reads to: a pointer that it was given, or (of a map) one that it gives. */
static const void *given(cl_int result, const void *pointer_given) { return (void)result, pointer_given; }
static const void *mapped(const void *result, const void *pointer_given) { return (void)pointer_given, result; }
#define TARGET(result) _Generic((result), cl_int : given, default : mapped)(result, pointer)

/* One that reads or writes: what does not block is told to `read`. */
#define TRANSFER(type, name, parameters, arguments, read) \
  static type CL_API_CALL own_##name parameters {         \
    unawaited_handed(HANDLE, waits, wait);                \
    unawaited_given(#name, handle, pointer, size, waits); \
    type result = BELOW.name arguments;                   \
    if (WORKED(result) && blocking) {                     \
      blocked(handle);                                    \
    } else if (WORKED(result)) {                          \
      read;                                               \
    }                                                     \
    return result;                                        \
  }
#define READ(type, name, parameters, arguments) \
  TRANSFER(type, name, parameters, arguments,   \
           unawaited_read(#name, handle, event != NULL ? *event : NULL, TARGET(result), size))
#define WRITE(type, name, parameters, arguments) TRANSFER(type, name, parameters, arguments, (void)0)
CALLS_READ(READ)
CALLS_WRITE(WRITE)

#define COMMAND(type, name, parameters, arguments) \
  static type CL_API_CALL own_##name parameters {  \
    unawaited_handed(HANDLE, waits, wait);         \
    return BELOW.name arguments;                   \
  }
#define COMMANDS(X) CALLS_ENQUEUE(X) CALLS_COPY(X) CALLS_FILL(X) CALLS_ALIVE_COMMANDS(X) CALLS_LIST(X)
COMMANDS(COMMAND)

static cl_int CL_API_CALL own_clEnqueueUnmapMemObject(cl_command_queue handle, cl_mem memory, void *mapping,
                                                      cl_uint waits, const cl_event *wait, cl_event *event) {
  unawaited_handed(HANDLE, waits, wait);
  unawaited_unmapped(mapping);
  return BELOW.clEnqueueUnmapMemObject(handle, memory, mapping, waits, wait, event);
}

static cl_int CL_API_CALL own_clFinish(cl_command_queue handle) {
  const cl_int result = BELOW.clFinish(handle);
  if (result == CL_SUCCESS) {
    unawaited_finished(handle);
  }
  return result;
}

static cl_int CL_API_CALL own_clWaitForEvents(cl_uint count, const cl_event *events) {
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
    unawaited_waited(1, &event);
  }
  return result;
}

static cl_int CL_API_CALL own_clSetEventCallback(cl_event event, cl_int status, event_notify notify, void *user_data) {
  unawaited_handed(NULL, 1, &event);
  return BELOW.clSetEventCallback(event, status, notify, user_data);
}

static cl_int CL_API_CALL own_clSetKernelArg(cl_kernel handle, cl_uint index, size_t bytes, const void *value) {
  unawaited_used("clSetKernelArg", value, bytes);
  return BELOW.clSetKernelArg(handle, index, bytes, value);
}

static cl_mem CL_API_CALL own_clCreateBuffer(cl_context handle, cl_mem_flags flags, size_t bytes, void *data,
                                             cl_int *error) {
  unawaited_used("clCreateBuffer", data, bytes);
  return BELOW.clCreateBuffer(handle, flags, bytes, data, error);
}

#define ROW(type, name, parameters, arguments) CALL(name, own_##name),
const guest_call unawaited_calls[] = {CALLS_READ(ROW) CALLS_WRITE(ROW) COMMANDS(ROW)
                                          CALL(clEnqueueUnmapMemObject, own_clEnqueueUnmapMemObject),
                                      CALL(clFinish, own_clFinish),
                                      CALL(clWaitForEvents, own_clWaitForEvents),
                                      CALL(clGetEventInfo, own_clGetEventInfo),
                                      CALL(clSetEventCallback, own_clSetEventCallback),
                                      CALL(clSetKernelArg, own_clSetKernelArg),
                                      CALL(clCreateBuffer, own_clCreateBuffer),
                                      {NULL, 0, NULL}};
