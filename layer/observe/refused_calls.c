/* A table over all others: calls that fail are told with what was wrong, as far as their arguments show it. */
#include <stdio.h>
#include <string.h>

#include "layer/observe/hooks.h"
#include "layer/observe/refused.h"
#include "layer/observe/unnoticed.h"

#define BELOW refused_below

enum { WORDS = 160 };

cl_icd_dispatch refused_below;

/* ---- what the arguments say ---- */

typedef struct asked {
  const char *call;
  cl_mem memory, to;
  const void *region; /* of a sub-buffer */
  size_t offset, from_offset, to_offset, size;
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
    snprintf(to, WORDS, "%zu bytes from byte %zu of %s to byte %zu of %s", a->size, a->from_offset, first, a->to_offset,
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

static void by_code(const asked *a, cl_int result, const cl_int *why) {
  (void)why;
  if (result != CL_SUCCESS) failed(a, result);
}

/* Those that give an object say why they do not only to those who ask. */
static void by_object(const asked *a, const void *result, const cl_int *why) {
  if (result == NULL) failed(a, why != NULL ? *why : CL_INVALID_VALUE);
}

/* Those that have a parameter of this name hide it. */
static cl_int *const error = NULL;
static const cl_mem buffer = NULL, image = NULL, from = NULL, to = NULL;
static const size_t offset = 0, size = 0, from_offset = 0, to_offset = 0;
static const void *const info = NULL;
#pragma GCC diagnostic ignored "-Wshadow"
#define MEMORY (buffer != NULL ? buffer : image != NULL ? image : from)

#define WATCH(type, name, parameters, arguments)                                      \
  static type CL_API_CALL watched_##name parameters {                                 \
    type result = BELOW.name arguments;                                               \
    const asked a = {.call = #name,                                                   \
                     .memory = MEMORY,                                                \
                     .to = to,                                                        \
                     .region = strcmp(#name, "clCreateSubBuffer") == 0 ? info : NULL, \
                     .offset = offset,                                                \
                     .from_offset = from_offset,                                      \
                     .to_offset = to_offset,                                          \
                     .size = size};                                                   \
    _Generic((result), cl_int : by_code, default : by_object)(&a, result, error);     \
    return result;                                                                    \
  }
#define TRANSFERS(X) \
  CALLS_READ(X) CALLS_WRITE(X) CALLS_COPY(X) CALLS_FILL(X) CALLS_UNMAP(X) CALLS_MADE(X) CALLS_SUB_BUFFER(X)
TRANSFERS(WATCH)

#define WATCH_ARGUMENT(type, name, parameters, arguments)                                           \
  static type CL_API_CALL watched_##name parameters {                                               \
    type result = BELOW.name arguments;                                                             \
    by_code(&(asked){.call = #name, .kernel = handle, .index = index, .size = size}, result, NULL); \
    return result;                                                                                  \
  }
CALLS_ARGUMENTS(WATCH_ARGUMENT)

#define ROW(type, name, parameters, arguments) CALL(name, watched_##name),
const guest_call refused_calls[] = {TRANSFERS(ROW) CALLS_ARGUMENTS(ROW){NULL, 0, NULL}};
