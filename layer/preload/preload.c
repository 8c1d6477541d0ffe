/* libcltestcheck-preload.so: the layer for programs whose loader knows no layers (LD_PRELOAD). Exports the calls that
 * the layer intercepts and leads them through it, unless the loader has set it up itself. */
#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "layer/observe/hooks.h"

#define LAYER_FILE "libcltestcheck-layer.so"

typedef const cl_icd_dispatch *(*preload_function)(const cl_icd_dispatch *);

static pthread_once_t once = PTHREAD_ONCE_INIT;
static cl_icd_dispatch real;
static const cl_icd_dispatch *layer; /* NULL: pass through */
static __thread bool starting;       /* what drivers call while they are set up passes through */

static const struct {
  const char *name;
  size_t offset;
} wanted[] = {
#define NAME(f) {#f, offsetof(cl_icd_dispatch, f)},
#define CALL_NAME(type, name, parameters, arguments) NAME(name)
    CALLS(CALL_NAME) COMMANDS(CALL_NAME) CALLS_ALIVE(CALL_NAME)
#undef CALL_NAME
#define CALL_NAME(name, parameters, arguments) NAME(name)
        CALLS_VOID(CALL_NAME)
#undef CALL_NAME
    /* what the layer itself calls besides */
    NAME(clReleaseMemObject) NAME(clGetKernelInfo) NAME(clGetProgramBuildInfo) NAME(clGetPlatformInfo)
        NAME(clRetainMemObject) NAME(clSetMemObjectDestructorCallback) NAME(clGetKernelArgInfo) NAME(clGetMemObjectInfo)
            NAME(clGetImageInfo) NAME(clFlush) NAME(clEnqueueFillBuffer) NAME(clGetSamplerInfo)
#undef NAME
};

static void *open_layer(void) {
  Dl_info self;
  char path[4096];
  void *address;
  const pthread_once_t *own = &once;
  memcpy(&address, &own, sizeof address);
  if (!dladdr(address, &self) || self.dli_fname == NULL) return NULL;
  const char *slash = strrchr(self.dli_fname, '/');
  int length = slash != NULL ? (int)(slash - self.dli_fname + 1) : 0;
  if (snprintf(path, sizeof path, "%.*s" LAYER_FILE, length, self.dli_fname) >= (int)sizeof path) return NULL;
  return dlopen(path, RTLD_NOW | RTLD_LOCAL);
}

static void start(void) {
  for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
    void *f = dlsym(RTLD_NEXT, wanted[i].name);
    memcpy((char *)&real + wanted[i].offset, &f, sizeof f);
  }
  if (real.clGetPlatformIDs == NULL) return;
  cl_uint count;
  real.clGetPlatformIDs(0, NULL, &count); /* a loader with layers sets them up now */
  void *library = open_layer();
  void *symbol = library != NULL ? dlsym(library, "cltestcheck_preload") : NULL;
  preload_function begin;
  memcpy(&begin, &symbol, sizeof begin);
  if (begin != NULL) layer = begin(&real);
}

static void start_guarded(void) {
  starting = true;
  start();
  starting = false;
}

/* The answer of a call that the program's loader does not have. */
#define ABSENT(type) (type)(intptr_t) _Generic((type){0}, cl_int : CL_INVALID_OPERATION, default : 0)

#define PASS(type, name, parameters, arguments)                             \
  LAYER_EXPORT type CL_API_CALL name parameters {                           \
    if (!starting) pthread_once(&once, start_guarded);                      \
    if (layer != NULL && layer->name != NULL) return layer->name arguments; \
    return real.name != NULL ? real.name arguments : ABSENT(type);          \
  }
CALLS(PASS)
COMMANDS(PASS)
CALLS_ALIVE(PASS)

#define PASS_VOID(name, parameters, arguments)         \
  LAYER_EXPORT void CL_API_CALL name parameters {      \
    if (!starting) pthread_once(&once, start_guarded); \
    if (layer != NULL && layer->name != NULL)          \
      layer->name arguments;                           \
    else if (real.name != NULL)                        \
      real.name arguments;                             \
  }
CALLS_VOID(PASS_VOID)
