/* Records of what is alive, and what is told of them. The end of a process is told early, as the driver is still there then
 * (exit.h); what goes after that is told when it goes. */
#include "layer/observe/alive.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "layer/common/message.h"
#include "layer/common/object.h"
#include "layer/common/site.h"
#include "layer/observe/connection.h"
#include "layer/observe/exit.h"

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

bool alive_start(void) {
  const char *text = getenv(ENV_LEAKS);
  wanted = text != NULL && strcmp(text, "1") == 0;
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

/* That objects are watched: who hears no more of the process does not know what it has left. */
static void say_begin(void) {
  message m;
  message_start(&m, MESSAGE_ALIVE);
  message_u32(&m, 0);
  message_u64(&m, 0);
  message_u32(&m, 0);
  connection_send(&m);
}

void alive_made(enum alive_kind kind, void *handle, const char *call) {
  living *l = wanted && handle != NULL && connection_alive() ? calloc(1, sizeof *l) : NULL;
  if (l == NULL) return;
  l->kind = kind;
  l->call = call;
  look_at(l, handle);
  if (!site_of_call(&l->site)) l->site = (call_site){.module = ""};
  if (!atomic_exchange(&made_any, true)) {
    exit_before_driver(true);
    say_begin();
  }
  object_add(&l->object, OBJECT_ALIVE, handle, 1);
  atomic_store(&changed, true);
}

void alive_retained(void *handle) {
  if (wanted) object_retain(OBJECT_ALIVE, handle);
}

void alive_released(void *handle) {
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
  message_u64(m, (uint64_t)(uintptr_t)l->object.handle);
  message_u64(m, (uint64_t)(uintptr_t)l->parent);
  message_u64(m, (uint64_t)(uintptr_t)l->context);
  message_u32(m, (uint32_t)l->kind);
  message_u64(m, l->size);
  message_string(m, l->name);
  message_string(m, l->call);
  message_string(m, l->site.module);
  message_u64(m, l->site.offset);
}

static void tell(object **list, size_t all, size_t count) {
  message m;
  message_start(&m, MESSAGE_ALIVE);
  message_u32(&m, 1);
  message_u64(&m, all);
  message_u32(&m, (uint32_t)count);
  for (size_t i = 0; i < count; i++) put(&m, (const living *)list[i]);
  connection_send(&m);
}

void alive_send(void) {
  if (!atomic_load(&made_any) || !atomic_exchange(&changed, false)) return;
  pthread_mutex_lock(&telling);
  atomic_store(&told, true); /* what goes from here on is told */
  const size_t all = object_count(OBJECT_ALIVE), most = all < ALIVE_MOST ? all : ALIVE_MOST;
  object **list = calloc(most + 1, sizeof *list);
  const size_t count = list != NULL ? object_list(OBJECT_ALIVE, list, most) : 0;
  if (list != NULL) tell(list, all, count);
  for (size_t i = 0; i < count; i++)
    if (object_unhold(list[i])) /* it has been released meanwhile */
      free(list[i]);
  free(list);
  pthread_mutex_unlock(&telling);
}

void alive_after_fork(void) {
  atomic_store(&made_any, false);
  atomic_store(&changed, false);
  atomic_store(&told, false);
  pthread_mutex_t fresh = PTHREAD_MUTEX_INITIALIZER;
  telling = fresh;
}
