/* Records of what is alive, and what is told of them. The end of a process is told early, as the driver is still there
 * then (evidence.h); what goes after that is told when it goes. */
#include "layer/observe/alive.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

#include "layer/common/bytes.h"
#include "layer/common/command.h"
#include "layer/common/object.h"
#include "layer/observe/connection.h"
#include "layer/observe/evidence.h"
#include "layer/observe/hooks.h"

enum { NAME_BYTES = 128 };

typedef struct living {
  object object;
  enum alive_kind kind;
  const void *parent, *context;
  uint64_t size;
  const char *call;
  call_site site;
  char name[NAME_BYTES]; /* of a kernel */
} living;

static bool wanted;
static atomic_bool made_any, changed;                       /* since the last message */
static atomic_bool told;                                    /* that the process ends, */
static pthread_mutex_t telling = PTHREAD_MUTEX_INITIALIZER; /* while it is held, that is on its way */

static void alive_over(command *c);

bool alive_start(void) {
  wanted = environment_is(ENV_LEAKS, "1");
  if (wanted) command_over(alive_over, COMMAND_ALL);
  return wanted;
}

/* ---- what an object is ---- */

static void look_at_memory(living *l, cl_mem handle) {
  cl_mem_object_type type = CL_MEM_OBJECT_BUFFER;
  size_t size = 0;
  cl_mem parent = NULL;
  driver.clGetMemObjectInfo(handle, CL_MEM_TYPE, sizeof type, &type, NULL);
  driver.clGetMemObjectInfo(handle, CL_MEM_SIZE, sizeof size, &size, NULL);
  driver.clGetMemObjectInfo(handle, CL_MEM_ASSOCIATED_MEMOBJECT, sizeof(cl_mem), &parent, NULL);
  driver.clGetMemObjectInfo(handle, CL_MEM_CONTEXT, sizeof(cl_context), &l->context, NULL);
  l->kind = type == CL_MEM_OBJECT_BUFFER ? ALIVE_BUFFER : type == CL_MEM_OBJECT_PIPE ? ALIVE_PIPE : ALIVE_IMAGE;
  l->size = size;
  l->parent = parent;
}

static void look_at_kernel(living *l, cl_kernel handle) {
  driver.clGetKernelInfo(handle, CL_KERNEL_PROGRAM, sizeof(cl_program), &l->parent, NULL);
  driver.clGetKernelInfo(handle, CL_KERNEL_CONTEXT, sizeof(cl_context), &l->context, NULL);
  if (driver.clGetKernelInfo(handle, CL_KERNEL_FUNCTION_NAME, sizeof l->name - 1, l->name, NULL) != CL_SUCCESS)
    l->name[0] = '\0';
}

static void look_at_event(living *l, cl_event handle) {
  driver.clGetEventInfo(handle, CL_EVENT_COMMAND_QUEUE, sizeof(cl_command_queue), &l->parent, NULL);
  driver.clGetEventInfo(handle, CL_EVENT_CONTEXT, sizeof(cl_context), &l->context, NULL);
}

static void look_at(living *l, void *handle) {
  switch (l->kind) {
    case ALIVE_CONTEXT: break;
    case ALIVE_QUEUE:
      driver.clGetCommandQueueInfo(handle, CL_QUEUE_CONTEXT, sizeof(cl_context), &l->context, NULL);
      break;
    case ALIVE_PROGRAM:
      driver.clGetProgramInfo(handle, CL_PROGRAM_CONTEXT, sizeof(cl_context), &l->context, NULL);
      break;
    case ALIVE_KERNEL: look_at_kernel(l, handle); break;
    case ALIVE_SAMPLER:
      if (driver.clGetSamplerInfo != NULL)
        driver.clGetSamplerInfo(handle, CL_SAMPLER_CONTEXT, sizeof(cl_context), &l->context, NULL);
      break;
    case ALIVE_EVENT: look_at_event(l, handle); break;
    default: look_at_memory(l, handle); break;
  }
}

/* ---- counting ---- */

void alive_made(enum alive_kind kind, void *handle, const char *call) {
  living *l = wanted && handle != NULL && connection_alive() ? calloc(1, sizeof *l) : NULL;
  if (l == NULL) return;
  l->kind = kind;
  l->call = call;
  look_at(l, handle);
  if (!site_of_call(&l->site)) l->site = (call_site){.module = ""};
  if (!atomic_exchange(&made_any, true)) {
    exit_before_driver(true);
    /* Who hears no more of the process does not know what it has left. */
    TELL(MESSAGE_ALIVE, U32(0), U64(0), U32(0));
  }
  object_add(&l->object, OBJECT_ALIVE, handle, 1);
  atomic_store(&changed, true);
}

static void alive_retained(void *handle) {
  if (wanted) object_retain(OBJECT_ALIVE, handle);
}

/* Before the driver's own, after which the handle may be that of another object. */
static void alive_released(void *handle) {
  object *gone = wanted ? object_release(OBJECT_ALIVE, handle) : NULL;
  if (gone == NULL) return;
  if (atomic_load(&told) && connection_alive()) {
    message m;
    message_start(&m, MESSAGE_RELEASED);
    message_u64(&m, (uint64_t)(uintptr_t)handle);
    pthread_mutex_lock(&telling);
    connection_send(&m);
    pthread_mutex_unlock(&telling);
  }
  free(gone);
}

/* ---- telling ---- */

static void put(message *m, const living *l) {
  MESSAGE_PUT(m, U64((uint64_t)(uintptr_t)l->object.handle), U64((uint64_t)(uintptr_t)l->parent),
              U64((uint64_t)(uintptr_t)l->context), U32((uint32_t)l->kind), U64(l->size), TEXT(l->name), TEXT(l->call),
              TEXT(l->site.module), U64(l->site.offset));
}

static void tell(object **list, size_t all, size_t count) {
  message m;
  message_start(&m, MESSAGE_ALIVE);
  MESSAGE_PUT(&m, U32(1), U64(all), U32((uint32_t)count));
  for (size_t i = 0; i < count; i++) put(&m, (const living *)list[i]);
  connection_send(&m);
}

void alive_send(void) {
  if (!atomic_load(&made_any) || !atomic_exchange(&changed, false)) return;
  pthread_mutex_lock(&telling);
  atomic_store(&told, true); /* what goes from here on is told */
  const size_t all = object_count(OBJECT_ALIVE), most = all < ALIVE_MOST ? all : ALIVE_MOST;
  scoped object **list = calloc(most + 1, sizeof *list);
  const size_t count = list != NULL ? object_list(OBJECT_ALIVE, list, most) : 0;
  if (list != NULL) tell(list, all, count);
  for (size_t i = 0; i < count; i++)
    if (object_unhold(list[i])) /* it has been released meanwhile */
      free(list[i]);
  pthread_mutex_unlock(&telling);
}

void alive_after_fork(void) {
  atomic_store(&made_any, false);
  atomic_store(&changed, false);
  atomic_store(&told, false);
  telling = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
}

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

static void alive_over(command *c) {
  command_below(c);
  if (c->event != NULL && command_worked(c)) alive_made(ALIVE_EVENT, *c->event, c->name);
}

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
#define REFERENCE_ROW(type, retain, release, own_retain, own_release) \
  CALL(retain, counted_##retain), CALL(release, counted_##release),
const guest_call alive_calls[] = {MAKING(CREATE_ROW) CALLS_ALIVE_MADE(CREATE_ROW){NULL, 0, NULL}};
const guest_call alive_counts[] = {REFERENCES(REFERENCE_ROW) CALL(clEnqueueSVMFree, event_clEnqueueSVMFree),
                                   CALL(clCreateKernelsInProgram, counted_clCreateKernelsInProgram),
                                   {NULL, 0, NULL}};
