/* clCreateProgramWithSource and clBuildProgram in a child process. */
#include "runner/device_build.h"

#include <CL/cl.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/subprocess.h"

enum { BUILD_SECONDS = 60, MAX_PLATFORMS = 32, MAX_DEVICES = 64, LOG_MOST = 1000, REFUSED = 3 };

typedef struct work {
  const device *device;
  const char *text, *options;
} work;

typedef struct loader {
  cl_int (*platforms)(cl_uint, cl_platform_id *, cl_uint *);
  cl_int (*devices)(cl_platform_id, cl_device_type, cl_uint, cl_device_id *, cl_uint *);
  cl_context (*context)(const cl_context_properties *, cl_uint, const cl_device_id *, void *, void *, cl_int *);
  cl_program (*create)(cl_context, cl_uint, const char **, const size_t *, cl_int *);
  cl_int (*build)(cl_program, cl_uint, const cl_device_id *, const char *, void *, void *);
  cl_int (*info)(cl_program, cl_device_id, cl_program_build_info, size_t, void *, size_t *);
} loader;

static bool open_loader(loader *l) {
  void *library = dlopen("libOpenCL.so.1", RTLD_NOW);
  if (library == NULL) {
    return false;
  }
  *(void **)&l->platforms = dlsym(library, "clGetPlatformIDs");
  *(void **)&l->devices = dlsym(library, "clGetDeviceIDs");
  *(void **)&l->context = dlsym(library, "clCreateContext");
  *(void **)&l->create = dlsym(library, "clCreateProgramWithSource");
  *(void **)&l->build = dlsym(library, "clBuildProgram");
  *(void **)&l->info = dlsym(library, "clGetProgramBuildInfo");
  return l->platforms != NULL && l->devices != NULL && l->context != NULL && l->create != NULL && l->build != NULL &&
         l->info != NULL;
}

static bool find(const loader *l, const device *d, cl_device_id *out) {
  cl_platform_id platforms[MAX_PLATFORMS];
  cl_device_id ids[MAX_DEVICES];
  cl_uint count = 0;
  if (l->platforms(MAX_PLATFORMS, platforms, &count) != CL_SUCCESS || d->platform >= count ||
      l->devices(platforms[d->platform], CL_DEVICE_TYPE_ALL, MAX_DEVICES, ids, &count) != CL_SUCCESS ||
      d->index >= count) {
    return false;
  }
  *out = ids[d->index];
  return true;
}

static void build(void *context, int out) {
  const work *w = context;
  (void)unsetenv("OPENCL_LAYERS");
  const int nothing = open("/dev/null", O_WRONLY); /* drivers write to standard error, too */
  if (nothing >= 0) {
    (void)dup2(nothing, STDERR_FILENO);
  }
  loader l;
  cl_device_id id;
  if (!open_loader(&l) || !find(&l, w->device, &id)) {
    _exit(2);
  }
  cl_int status = CL_SUCCESS;
  cl_context c = l.context(NULL, 1, &id, NULL, NULL, &status);
  const char *text = w->text;
  cl_program program = status == CL_SUCCESS ? l.create(c, 1, &text, NULL, &status) : NULL;
  if (program == NULL || status != CL_SUCCESS) {
    _exit(2);
  }
  status = l.build(program, 1, &id, w->options, NULL, NULL);
  if (status == CL_SUCCESS) {
    _exit(0);
  }
  static char log[1 << 16];
  if (l.info(program, id, CL_PROGRAM_BUILD_LOG, sizeof log - 1, log, NULL) == CL_SUCCESS) {
    (void)subprocess_write(out, log, strnlen(log, LOG_MOST));
  }
  _exit(REFUSED);
}

int device_build(const device *d, const char *text, const char *options, error *e) {
  work w = {d, text, options};
  const subprocess s = {.work = build, .context = &w, .deadline = clock_now() + BUILD_SECONDS, .cap = 1 << 16};
  buffer log = {0};
  subprocess_end end;
  int status = 0;
  if (subprocess_read(&s, &log, &end, &status, e) != 0) {
    return -1;
  }
  int result = 0;
  if (end != SUBPROCESS_ENDED) {
    result = error_set(e, EXIT_USAGE, "the compiler of %s does not end within %d seconds", d->name, BUILD_SECONDS);
  } else if (WIFSIGNALED(status)) {
    result = error_set(e, EXIT_USAGE, "the compiler of %s crashes", d->name);
  } else if (WEXITSTATUS(status) != 0) {
    result = error_set(e, EXIT_USAGE, "the compiler of %s refuses the source: %s", d->name, buffer_text(&log));
  }
  buffer_free(&log);
  return result;
}
