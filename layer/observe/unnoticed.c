/* Memory that refused launches would have written, until something else writes it or the host looks at it. */
#include "layer/observe/unnoticed.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "layer/common/guest.h"
#include "layer/common/message.h"
#include "layer/observe/connection.h"
#include "wire/protocol.h"

enum { MOST = 64, NAME_BYTES = 128, DETAIL_BYTES = 160 };

typedef struct awaited {
  const char *call;
  cl_mem memory;    /* NULL: it is about an argument, or */
  cl_kernel handle; /* NULL: about an object that was not made */
  cl_uint index;
  uint32_t program, of, argument; /* the argument of the kernel that it was */
  char kernel[NAME_BYTES], detail[DETAIL_BYTES];
  cl_int error;
} awaited;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static awaited items[MOST];
static atomic_size_t count; /* changed with the lock held */

static void drop(size_t i) {
  const size_t last = atomic_load(&count) - 1;
  items[i] = items[last];
  atomic_store(&count, last);
}

static void drop_memory(cl_mem memory) {
  for (size_t i = atomic_load(&count); i-- > 0;)
    if (items[i].memory == memory) drop(i);
}

/* The memory object that is an argument; NULL: it is none. */
static cl_mem memory_of(const argument *a) {
  cl_mem handle = NULL;
  size_t size = 0;
  if (a->kind != ARGUMENT_VALUE || a->value == NULL || a->size != sizeof handle) return NULL;
  memcpy(&handle, a->value, sizeof handle);
  return handle != NULL && driver.clGetMemObjectInfo(handle, CL_MEM_SIZE, sizeof size, &size, NULL) == CL_SUCCESS
             ? handle
             : NULL;
}

void unnoticed_refused(kernel *k, const char *name, cl_int error, const char *detail) {
  if (k == NULL || !connection_alive()) return;
  pthread_mutex_lock(&k->lock);
  pthread_mutex_lock(&lock);
  for (cl_uint i = 0; i < k->argument_count; i++) {
    const cl_mem memory = memory_of(&k->arguments[i]);
    if (memory != NULL && atomic_load(&count) < MOST) {
      drop_memory(memory);
      awaited *a = &items[atomic_load(&count)];
      *a = (awaited){
          .call = "clEnqueueNDRangeKernel", .memory = memory, .program = NO_PROGRAM, .argument = i, .error = error};
      if (k->function != NULL) {
        a->program = k->function->program;
        a->of = k->function->kernel;
      }
      snprintf(a->kernel, sizeof a->kernel, "%s", name);
      snprintf(a->detail, sizeof a->detail, "%s", detail);
      atomic_fetch_add(&count, 1);
    }
  }
  pthread_mutex_unlock(&lock);
  pthread_mutex_unlock(&k->lock);
}

void unnoticed_call(const char *call, const char *name, cl_mem memory, cl_kernel handle, cl_uint index, cl_int error,
                    const char *detail) {
  if (!connection_alive()) return;
  pthread_mutex_lock(&lock);
  if (atomic_load(&count) < MOST) {
    awaited *a = &items[atomic_load(&count)];
    *a = (awaited){
        .call = call, .memory = memory, .handle = handle, .index = index, .program = NO_PROGRAM, .error = error};
    snprintf(a->kernel, sizeof a->kernel, "%s", name);
    snprintf(a->detail, sizeof a->detail, "%s", detail);
    atomic_fetch_add(&count, 1);
  }
  pthread_mutex_unlock(&lock);
}

void unnoticed_set(cl_kernel handle, cl_uint index) {
  if (atomic_load(&count) == 0) return;
  pthread_mutex_lock(&lock);
  for (size_t i = atomic_load(&count); i-- > 0;)
    if (items[i].handle == handle && (items[i].index == index || index == CL_UINT_MAX)) drop(i);
  pthread_mutex_unlock(&lock);
}

static void tell(const awaited *a, const char *call) {
  message m;
  message_start(&m, MESSAGE_UNNOTICED);
  message_string(&m, a->call);
  message_string(&m, a->kernel);
  message_u32(&m, (uint32_t)a->error);
  message_string(&m, a->detail);
  message_string(&m, call);
  message_u32(&m, a->program);
  message_u32(&m, a->of);
  message_u32(&m, a->argument);
  connection_send(&m);
}

static bool is_launch(const awaited *a) { return strcmp(a->call, "clEnqueueNDRangeKernel") == 0; }

/* Its kernel reads memory that a call should have written; whether it only reads that is for who has its source. */
static void hand_over(const kernel *k, cl_uint number, cl_mem memory) {
  for (size_t i = atomic_load(&count); memory != NULL && i-- > 0;) {
    if (items[i].memory == memory) {
      if (!is_launch(&items[i]) && k->function != NULL) {
        items[i].program = k->function->program;
        items[i].of = k->function->kernel;
        items[i].argument = number;
        tell(&items[i], "a launch");
      }
      drop(i);
    }
  }
}

void unnoticed_launched(cl_kernel handle, kernel *k) {
  if (atomic_load(&count) == 0) return;
  if (k != NULL) pthread_mutex_lock(&k->lock);
  pthread_mutex_lock(&lock);
  for (cl_uint i = 0; k != NULL && i < k->argument_count; i++) hand_over(k, i, memory_of(&k->arguments[i]));
  for (size_t i = atomic_load(&count); i-- > 0;) {
    if (items[i].handle == handle) {
      tell(&items[i], "a launch");
      drop(i);
    }
  }
  pthread_mutex_unlock(&lock);
  if (k != NULL) pthread_mutex_unlock(&k->lock);
}

void unnoticed_used(cl_mem memory, const char *call) {
  if (atomic_load(&count) == 0) return;
  pthread_mutex_lock(&lock);
  for (size_t i = atomic_load(&count); i-- > 0;) {
    if (items[i].memory == memory && items[i].handle == NULL) {
      tell(&items[i], call);
      drop(i);
    }
  }
  pthread_mutex_unlock(&lock);
}

void unnoticed_given(cl_mem memory) {
  if (memory == NULL || atomic_load(&count) == 0) return;
  pthread_mutex_lock(&lock);
  drop_memory(memory);
  pthread_mutex_unlock(&lock);
}

void unnoticed_after_fork(void) {
  pthread_mutex_t fresh = PTHREAD_MUTEX_INITIALIZER;
  lock = fresh;
  atomic_store(&count, 0);
}
