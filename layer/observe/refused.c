/* Calls that the driver has refused: counted by what was refused and why. The first is told at once and the numbers
 * when they have doubled and at the end, so that a program that goes on asking is not slowed down. */
#include "layer/observe/refused.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "layer/common/bytes.h"
#include "layer/common/command.h"
#include "layer/observe/connection.h"
#include "layer/observe/enqueue.h"
#include "layer/observe/evidence.h"
#include "layer/observe/hooks.h"
#include "wire/protocol.h"

/* ---- refused calls that the program has not noticed ---- */

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

static pthread_mutex_t unnoticed_lock = PTHREAD_MUTEX_INITIALIZER;
static awaited items[MOST];
static atomic_size_t unnoticed_count; /* changed with the lock held */

static void drop(size_t i) {
  const size_t last = atomic_load(&unnoticed_count) - 1;
  items[i] = items[last];
  atomic_store(&unnoticed_count, last);
}

static void drop_memory(cl_mem memory) {
  for (size_t i = atomic_load(&unnoticed_count); i-- > 0;)
    if (items[i].memory == memory) drop(i);
}

/* The memory object that is an argument; NULL: it is none. */
static cl_mem memory_of(const argument *a) {
  const cl_mem handle = argument_memory(a);
  size_t size = 0;
  return handle != NULL && driver.clGetMemObjectInfo(handle, CL_MEM_SIZE, sizeof size, &size, NULL) == CL_SUCCESS
             ? handle
             : NULL;
}

/* A launch of the kernel was refused; `detail`: its sizes. */
static void unnoticed_refused(kernel *k, const char *name, cl_int error, const char *detail) {
  if (k == NULL || !connection_alive()) return;
  pthread_mutex_lock(&k->lock);
  pthread_mutex_lock(&unnoticed_lock);
  for (cl_uint i = 0; i < k->argument_count; i++) {
    const cl_mem memory = memory_of(&k->arguments[i]);
    if (memory != NULL && atomic_load(&unnoticed_count) < MOST) {
      drop_memory(memory);
      awaited *a = &items[atomic_load(&unnoticed_count)];
      *a = (awaited){
          .call = "clEnqueueNDRangeKernel", .memory = memory, .program = NO_PROGRAM, .argument = i, .error = error};
      if (k->function != NULL) {
        a->program = k->function->program;
        a->of = k->function->kernel;
      }
      snprintf(a->kernel, sizeof a->kernel, "%s", name);
      snprintf(a->detail, sizeof a->detail, "%s", detail);
      atomic_fetch_add(&unnoticed_count, 1);
    }
  }
  pthread_mutex_unlock(&unnoticed_lock);
  pthread_mutex_unlock(&k->lock);
}

/* Another call was refused that would have written the memory, or set an argument of the kernel, or (neither) made a
 * memory object. `call` is a literal. */
static void unnoticed_call(const char *call, const char *name, cl_mem memory, cl_kernel handle, cl_uint index,
                           cl_int error, const char *detail) {
  if (!connection_alive()) return;
  pthread_mutex_lock(&unnoticed_lock);
  if (atomic_load(&unnoticed_count) < MOST) {
    awaited *a = &items[atomic_load(&unnoticed_count)];
    *a = (awaited){
        .call = call, .memory = memory, .handle = handle, .index = index, .program = NO_PROGRAM, .error = error};
    snprintf(a->kernel, sizeof a->kernel, "%s", name);
    snprintf(a->detail, sizeof a->detail, "%s", detail);
    atomic_fetch_add(&unnoticed_count, 1);
  }
  pthread_mutex_unlock(&unnoticed_lock);
}

void unnoticed_set(cl_kernel handle, cl_uint index) {
  if (atomic_load(&unnoticed_count) == 0) return;
  pthread_mutex_lock(&unnoticed_lock);
  for (size_t i = atomic_load(&unnoticed_count); i-- > 0;)
    if (items[i].handle == handle && (items[i].index == index || index == CL_UINT_MAX)) drop(i);
  pthread_mutex_unlock(&unnoticed_lock);
}

static void unnoticed_tell(const awaited *a, const char *call) {
  TELL(MESSAGE_UNNOTICED, TEXT(a->call), TEXT(a->kernel), U32((uint32_t)a->error), TEXT(a->detail), TEXT(call),
       U32(a->program), U32(a->of), U32(a->argument));
}

/* Its kernel reads memory that a call should have written; whether it only reads that is for who has its source. */
static void hand_over(const kernel *k, cl_uint number, cl_mem memory) {
  for (size_t i = atomic_load(&unnoticed_count); memory != NULL && i-- > 0;) {
    if (items[i].memory == memory) {
      if (strcmp(items[i].call, "clEnqueueNDRangeKernel") != 0 && k->function != NULL) {
        items[i].program = k->function->program;
        items[i].of = k->function->kernel;
        items[i].argument = number;
        unnoticed_tell(&items[i], "a launch");
      }
      drop(i);
    }
  }
}

void unnoticed_launched(cl_kernel handle, kernel *k) {
  if (atomic_load(&unnoticed_count) == 0) return;
  if (k != NULL) pthread_mutex_lock(&k->lock);
  pthread_mutex_lock(&unnoticed_lock);
  for (cl_uint i = 0; k != NULL && i < k->argument_count; i++) hand_over(k, i, memory_of(&k->arguments[i]));
  for (size_t i = atomic_load(&unnoticed_count); i-- > 0;) {
    if (items[i].handle == handle) {
      unnoticed_tell(&items[i], "a launch");
      drop(i);
    }
  }
  pthread_mutex_unlock(&unnoticed_lock);
  if (k != NULL) pthread_mutex_unlock(&k->lock);
}

void unnoticed_used(cl_mem memory, const char *call) {
  if (atomic_load(&unnoticed_count) == 0) return;
  pthread_mutex_lock(&unnoticed_lock);
  for (size_t i = atomic_load(&unnoticed_count); i-- > 0;) {
    if (items[i].memory == memory && items[i].handle == NULL) {
      unnoticed_tell(&items[i], call);
      drop(i);
    }
  }
  pthread_mutex_unlock(&unnoticed_lock);
}

void unnoticed_given(cl_mem memory) {
  if (memory == NULL || atomic_load(&unnoticed_count) == 0) return;
  pthread_mutex_lock(&unnoticed_lock);
  drop_memory(memory);
  pthread_mutex_unlock(&unnoticed_lock);
}

/* ---- refused calls ---- */

typedef struct refusal {
  const char *call;
  char kernel[NAME_BYTES], detail[DETAIL_BYTES];
  cl_int error;
  call_site site; /* of the first */
  uint64_t count, told;
} refusal;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static refusal refusals[MOST];
static size_t refusal_count;

/* What has not been told yet. With the lock held. */
static void tell(refusal *r) {
  message m;
  message_start(&m, MESSAGE_CALL_REFUSED);
  MESSAGE_PUT(&m, TEXT(r->call), TEXT(r->kernel), U32((uint32_t)r->error), TEXT(r->detail), U64(r->count - r->told),
              TEXT(r->site.module), U64(r->site.offset));
  r->told = r->count;
  connection_send(&m);
}

/* Of more than MOST different ones the last place counts the rest, without a detail. */
static refusal *find(const char *call, const char *name, cl_int error, const char *detail) {
  for (size_t i = 0; i < refusal_count; i++) {
    refusal *r = &refusals[i];
    if (r->error == error && strcmp(r->call, call) == 0 && strcmp(r->kernel, name) == 0 &&
        (strcmp(r->detail, detail) == 0 || i == MOST - 1))
      return r;
  }
  if (refusal_count == MOST) return NULL;
  refusal *r = &refusals[refusal_count++];
  *r = (refusal){.call = call, .error = error};
  if (!site_of_call(&r->site)) r->site = (call_site){.module = ""};
  snprintf(r->kernel, sizeof r->kernel, "%s", name);
  snprintf(r->detail, sizeof r->detail, "%s", detail);
  return r;
}

void refused(const char *call, const char *name, cl_int error, const char *detail) {
  if (!connection_alive()) return;
  char cut[NAME_BYTES], words[DETAIL_BYTES];
  snprintf(cut, sizeof cut, "%s", name);
  snprintf(words, sizeof words, "%s", detail);
  exit_before_driver(false);
  pthread_mutex_lock(&lock);
  refusal *r = find(call, cut, error, words);
  if (r != NULL && ++r->count >= 2 * r->told) tell(r);
  pthread_mutex_unlock(&lock);
}

void refused_send(void) {
  if (pthread_mutex_trylock(&lock) != 0) return;
  for (size_t i = 0; i < refusal_count; i++)
    if (refusals[i].told < refusals[i].count) tell(&refusals[i]);
  pthread_mutex_unlock(&lock);
}

void refused_launch(cl_kernel handle, kernel *k, const launch *l, cl_int error) {
  char name[NAME_BYTES] = "", detail[DETAIL_BYTES] = "";
  if (error != CL_INVALID_KERNEL) driver.clGetKernelInfo(handle, CL_KERNEL_FUNCTION_NAME, sizeof name - 1, name, NULL);
  launch_in_words(l, detail, sizeof detail);
  refused(l->task ? "clEnqueueTask" : "clEnqueueNDRangeKernel", name, error, detail);
  if (handle == NULL) unnoticed_used(NULL, "clEnqueueNDRangeKernel");
  unnoticed_refused(k, name, error, detail);
}

void refused_after_fork(void) {
  lock = unnoticed_lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
  refusal_count = 0;
  atomic_store(&unnoticed_count, 0);
}

/* ---- the calls that fail ---- */

#define BELOW refused_below

enum { WORDS = 160 };

cl_icd_dispatch refused_below;

/* ---- what the arguments say ---- */

typedef struct asked {
  const char *call;
  cl_mem memory, to;
  const void *region; /* of a sub-buffer */
  size_t offset, to_offset, size;
  cl_kernel kernel; /* whose argument is set, or NULL */
  cl_uint index;
} asked;

/* ", a buffer of 1024 bytes". */
static int put_memory(char *to, size_t room, cl_mem memory) {
  size_t bytes = 0;
  const bool known = memory != NULL && driver.clGetMemObjectInfo(memory, CL_MEM_SIZE, sizeof bytes, &bytes, NULL) == 0;
  return snprintf(to, room, known ? "memory of %zu bytes" : "no memory object", bytes);
}

static void put_argument(const asked *a, char *to) {
  char type[64] = "";
  cl_uint count = 0;
  driver.clGetKernelInfo(a->kernel, CL_KERNEL_NUM_ARGS, sizeof count, &count, NULL);
  if (a->index >= count) {
    snprintf(to, WORDS, "argument %u, of which it has %u", a->index, count);
    return;
  }
  if (driver.clGetKernelArgInfo != NULL)
    driver.clGetKernelArgInfo(a->kernel, a->index, CL_KERNEL_ARG_TYPE_NAME, sizeof type - 1, type, NULL);
  snprintf(to, WORDS, "%zu bytes for argument %u%s%s", a->size, a->index, type[0] != '\0' ? ", which is " : "", type);
}

static void put_words(const asked *a, char *to) {
  char first[48], second[48];
  put_memory(first, sizeof first, a->memory);
  put_memory(second, sizeof second, a->to);
  to[0] = '\0';
  if (a->kernel != NULL) {
    put_argument(a, to);
  } else if (a->region != NULL) {
    cl_buffer_region r;
    memcpy(&r, a->region, sizeof r);
    snprintf(to, WORDS, "%zu bytes from byte %zu of %s", r.size, r.origin, first);
  } else if (strncmp(a->call, "clEnqueueCopyBuffer", 20) == 0) {
    snprintf(to, WORDS, "%zu bytes from byte %zu of %s to byte %zu of %s", a->size, a->offset, first, a->to_offset,
             a->to == a->memory ? "the same" : second);
  } else if (strstr(a->call, "Enqueue") != NULL && a->size > 0) {
    snprintf(to, WORDS, "%zu bytes from byte %zu of %s", a->size, a->offset, first);
  } else if (strstr(a->call, "Enqueue") != NULL && strstr(a->call, "Copy") != NULL) {
    snprintf(to, WORDS, "from %s to %s", first, second);
  } else if (strstr(a->call, "Enqueue") != NULL) {
    snprintf(to, WORDS, "%s", first);
  } else if (strncmp(a->call, "clCreateBuffer", 14) == 0) {
    snprintf(to, WORDS, "%zu bytes", a->size);
  }
}

/* ---- what is told ---- */

static void failed(const asked *a, cl_int error) {
  char words[WORDS], name[128] = "";
  if (a->kernel != NULL && error != CL_INVALID_KERNEL)
    driver.clGetKernelInfo(a->kernel, CL_KERNEL_FUNCTION_NAME, sizeof name - 1, name, NULL);
  put_words(a, words);
  refused(a->call, name, error, words);
  const bool writes = strncmp(a->call, "clEnqueueWrite", 14) == 0 || strncmp(a->call, "clEnqueueFill", 13) == 0;
  if (strncmp(a->call, "clEnqueue", 9) == 0 && a->memory == NULL && strstr(a->call, "SVM") == NULL &&
      strstr(a->call, "Marker") == NULL)
    unnoticed_used(NULL, a->call);
  else if (writes || a->to != NULL)
    unnoticed_call(a->call, "", a->to != NULL ? a->to : a->memory, NULL, 0, error, words);
  else if (a->kernel != NULL && error != CL_INVALID_ARG_INDEX && error != CL_INVALID_KERNEL)
    unnoticed_call(a->call, name, NULL, a->kernel, a->index, error, words);
  else if (strncmp(a->call, "clCreate", 8) == 0 && (strstr(a->call, "Buffer") || strstr(a->call, "Image")))
    unnoticed_call(a->call, "", NULL, NULL, 0, error, words);
}

static void refused_over(command *c) {
  command_below(c);
  if (!command_worked(c)) {
    failed(&(asked){.call = c->name,
                    .memory = c->memory,
                    .to = c->to,
                    .offset = c->offset,
                    .to_offset = c->to_offset,
                    .size = c->size},
           c->result);
  }
}

void refused_start(void) { command_over(refused_over, COMMAND_ALL & ~(1U << COMMAND_LAUNCH | 1U << COMMAND_OTHER)); }

/* Those that have a parameter of this name hide it. */
static const size_t size = 0;
static const cl_mem buffer = NULL;
static const void *const info = NULL;
#pragma GCC diagnostic ignored "-Wshadow"

#define WATCH_MADE(type, name, parameters, arguments)                                 \
  static type CL_API_CALL watched_##name parameters {                                 \
    type result = BELOW.name arguments;                                               \
    if (result == NULL)                                                               \
      failed(&(asked){.call = #name, .memory = buffer, .region = info, .size = size}, \
             error != NULL ? *error : CL_INVALID_VALUE);                              \
    return result;                                                                    \
  }
#define MADE(X) CALLS_MADE(X) CALLS_SUB_BUFFER(X)
MADE(WATCH_MADE)

#define WATCH_ARGUMENT(type, name, parameters, arguments)                                      \
  static type CL_API_CALL watched_##name parameters {                                          \
    type result = BELOW.name arguments;                                                        \
    if (result != CL_SUCCESS) {                                                                \
      failed(&(asked){.call = #name, .kernel = handle, .index = index, .size = size}, result); \
    }                                                                                          \
    return result;                                                                             \
  }
CALLS_ARGUMENTS(WATCH_ARGUMENT)

#define ROW(type, name, parameters, arguments) CALL(name, watched_##name),
const guest_call refused_calls[] = {MADE(ROW) CALLS_ARGUMENTS(ROW){NULL, 0, NULL}};
