/* The calls by which a program makes, keeps and releases objects: each does what it did, and counts. */
#include "layer/observe/alive.h"
#include "layer/observe/hooks.h"

/* ---- what is made ---- */

static void none_code(cl_int result, const char *call) { (void)result, (void)call; }
static void none_pointer(const void *result, const char *call) { (void)result, (void)call; }
static void made_context(cl_context made, const char *call) { alive_made(ALIVE_CONTEXT, made, call); }
static void made_queue(cl_command_queue made, const char *call) { alive_made(ALIVE_QUEUE, made, call); }
static void made_program(cl_program made, const char *call) { alive_made(ALIVE_PROGRAM, made, call); }
static void made_kernel(cl_kernel made, const char *call) { alive_made(ALIVE_KERNEL, made, call); }
static void made_memory(cl_mem made, const char *call) { alive_made(ALIVE_BUFFER, made, call); }
static void made_sampler(cl_sampler made, const char *call) { alive_made(ALIVE_SAMPLER, made, call); }
static void made_event(cl_event made, const char *call) { alive_made(ALIVE_EVENT, made, call); }

#define MADE(result, call)                  \
  _Generic((result), cl_context             \
           : made_context, cl_command_queue \
           : made_queue, cl_program         \
           : made_program, cl_kernel        \
           : made_kernel, cl_mem            \
           : made_memory, cl_sampler        \
           : made_sampler, cl_event         \
           : made_event, cl_int             \
           : none_code, default             \
           : none_pointer)(result, call)

#define CREATE_OVER(own, type, name, parameters, arguments) \
  static type CL_API_CALL alive_##name parameters {         \
    type result = own arguments;                            \
    MADE(result, #name);                                    \
    return result;                                          \
  }
#define CREATE(type, name, parameters, arguments) CREATE_OVER(HOOK(name), type, name, parameters, arguments)
#define CREATE_BELOW(type, name, parameters, arguments) CREATE_OVER(driver.name, type, name, parameters, arguments)
#define MAKING(X) CALLS_CONTEXT(X) CALLS_QUEUE(X) CALLS_PROGRAM(X) CALLS_KERNEL(X) CALLS_EVENT(X) CALLS_MEMORY(X)
MAKING(CREATE)
CALLS_ALIVE_MADE(CREATE_BELOW)

static cl_int CL_API_CALL counted_clCreateKernelsInProgram(cl_program handle, cl_uint most, cl_kernel *kernels,
                                                           cl_uint *count) {
  cl_uint made = 0;
  const cl_int result = HOOK(clCreateKernelsInProgram)(handle, most, kernels, count != NULL ? count : &made);
  made = count != NULL && result == CL_SUCCESS ? *count : made;
  for (cl_uint i = 0; result == CL_SUCCESS && kernels != NULL && i < made && i < most; i++)
    alive_made(ALIVE_KERNEL, kernels[i], "clCreateKernelsInProgram");
  return result;
}

/* ---- commands, which have events ---- */

static bool is_success(cl_int result) { return result == CL_SUCCESS; }
static bool is_there(const void *result) { return result != NULL; }
#define WORKED(result) _Generic((result), cl_int : is_success, default : is_there)(result)

#define COMMAND_OVER(own, type, name, parameters, arguments)                     \
  static type CL_API_CALL event_##name parameters {                              \
    type result = own arguments;                                                 \
    if (event != NULL && WORKED(result)) alive_made(ALIVE_EVENT, *event, #name); \
    return result;                                                               \
  }
#define COMMAND(type, name, parameters, arguments) COMMAND_OVER(HOOK(name), type, name, parameters, arguments)
#define COMMAND_BELOW(type, name, parameters, arguments) COMMAND_OVER(driver.name, type, name, parameters, arguments)
#define COMMANDS(X) CALLS_ENQUEUE(X) CALLS_READ(X) CALLS_WRITE(X) CALLS_COPY(X) CALLS_FILL(X) CALLS_UNMAP(X)
COMMANDS(COMMAND)
CALLS_ALIVE_COMMANDS(COMMAND_BELOW)

static cl_int CL_API_CALL event_clEnqueueSVMFree(cl_command_queue handle, cl_uint count, void *pointers[],
                                                 free_notify notify, void *user_data, cl_uint waits,
                                                 const cl_event *wait, cl_event *event) {
  const cl_int result = HOOK(clEnqueueSVMFree)(handle, count, pointers, notify, user_data, waits, wait, event);
  if (event != NULL && result == CL_SUCCESS) alive_made(ALIVE_EVENT, *event, "clEnqueueSVMFree");
  return result;
}

/* ---- references ---- */

#define REFERENCES(X)                                                                                 \
  X(cl_context, clRetainContext, clReleaseContext, HOOK(clRetainContext), HOOK(clReleaseContext))     \
  X(cl_command_queue, clRetainCommandQueue, clReleaseCommandQueue, HOOK(clRetainCommandQueue),        \
    HOOK(clReleaseCommandQueue))                                                                      \
  X(cl_program, clRetainProgram, clReleaseProgram, HOOK(clRetainProgram), HOOK(clReleaseProgram))     \
  X(cl_kernel, clRetainKernel, clReleaseKernel, HOOK(clRetainKernel), HOOK(clReleaseKernel))          \
  X(cl_mem, clRetainMemObject, clReleaseMemObject, HOOK(clRetainMemObject), HOOK(clReleaseMemObject)) \
  X(cl_sampler, clRetainSampler, clReleaseSampler, driver.clRetainSampler, driver.clReleaseSampler)   \
  X(cl_event, clRetainEvent, clReleaseEvent, driver.clRetainEvent, driver.clReleaseEvent)

#define REFERENCE(type, retain, release, own_retain, own_release) \
  static cl_int CL_API_CALL counted_##retain(type handle) {       \
    const cl_int result = own_retain(handle);                     \
    if (result == CL_SUCCESS) alive_retained(handle);             \
    return result;                                                \
  }                                                               \
  static cl_int CL_API_CALL counted_##release(type handle) {      \
    alive_released(handle);                                       \
    return own_release(handle);                                   \
  }
REFERENCES(REFERENCE)

/* ---- the tables, of which the second goes over the first ---- */

#define CREATE_ROW(type, name, parameters, arguments) CALL(name, alive_##name),
#define COMMAND_ROW(type, name, parameters, arguments) CALL(name, event_##name),
#define REFERENCE_ROW(type, retain, release, own_retain, own_release) \
  CALL(retain, counted_##retain), CALL(release, counted_##release),
const guest_call alive_calls[] = {MAKING(CREATE_ROW) CALLS_ALIVE_MADE(CREATE_ROW) COMMANDS(COMMAND_ROW)
                                      CALLS_ALIVE_COMMANDS(COMMAND_ROW){NULL, 0, NULL}};
const guest_call alive_counts[] = {REFERENCES(REFERENCE_ROW) CALL(clEnqueueSVMFree, event_clEnqueueSVMFree),
                                   CALL(clCreateKernelsInProgram, counted_clCreateKernelsInProgram),
                                   {NULL, 0, NULL}};
