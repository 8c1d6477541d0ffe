/* Loading the loader, in a child process, with our layer in OPENCL_LAYERS. */
#include "runner/loader.h"

#include <CL/cl.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/subprocess.h"
#include "runner/devices.h"

enum { INFO_VERSION = 2, INFO_NAME = 3 }; /* of clGetICDLoaderInfoOCLICD, which ocl-icd and Khronos' loader have */

typedef cl_int (*platforms_function)(cl_uint, cl_platform_id *, cl_uint *);
typedef cl_int (*info_function)(cl_uint, size_t, void *, size_t *);
typedef void *(*address_function)(const char *);

static void ask_version(void *library, loader_facts *f) {
  info_function info = NULL;
  address_function address = NULL;
  *(void **)&address = dlsym(library, "clGetExtensionFunctionAddress");
  *(void **)&info = address == NULL ? NULL : address("clGetICDLoaderInfoOCLICD");
  if (info != NULL) {
    (void)info(INFO_NAME, sizeof f->name - 1, f->name, NULL);
    (void)info(INFO_VERSION, sizeof f->version - 1, f->version, NULL);
  }
}

static void ask(const char *layer, loader_facts *f) {
  void *library = dlopen("libOpenCL.so.1", RTLD_NOW);
  f->found = library != NULL;
  if (library == NULL) {
    return;
  }
  platforms_function platforms = NULL;
  *(void **)&platforms = dlsym(library, "clGetPlatformIDs");
  cl_uint count = 0;
  if (platforms != NULL) {
    (void)platforms(0, NULL, &count); /* loaders load layers at the first call */
  }
  f->platforms = count;
  f->layers = dlopen(layer, RTLD_NOW | RTLD_NOLOAD) != NULL;
  ask_version(library, f);
  if (!f->layers && dlopen(layer, RTLD_NOW) == NULL) {
    (void)snprintf(f->problem, sizeof f->problem, "%s", dlerror());
  }
}

static void ask_and_send(void *layer, int out) {
  loader_facts f = {0};
  (void)setenv("OPENCL_LAYERS", layer, 1);
  ask(layer, &f);
  (void)subprocess_write(out, &f, sizeof f);
}

void loader_ask(char *layer, loader_facts *out) {
  const subprocess s = {
      .work = ask_and_send, .context = layer, .deadline = clock_now() + DEVICES_SECONDS, .cap = sizeof *out};
  buffer in = {0};
  subprocess_end end = SUBPROCESS_ENDED;
  int status;
  error ignored;
  *out = (loader_facts){.crashed = true};
  if (subprocess_read(&s, &in, &end, &status, &ignored) == 0 && in.length == sizeof *out) {
    memcpy(out, in.data, sizeof *out);
  }
  out->silent = end == SUBPROCESS_LATE;
  buffer_free(&in);
}
