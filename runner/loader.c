/* Loading the loader, in a child process, with our layer in OPENCL_LAYERS. */
#include "runner/loader.h"

#include <CL/cl.h>
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

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

void loader_ask(const char *layer, loader_facts *out) {
  int ends[2];
  *out = (loader_facts){.crashed = true};
  if (pipe(ends) != 0) {
    return;
  }
  pid_t child = fork();
  if (child == 0) {
    loader_facts f = {0};
    (void)close(ends[0]);
    (void)setenv("OPENCL_LAYERS", layer, 1);
    ask(layer, &f);
    _exit(write(ends[1], &f, sizeof f) == (ssize_t)sizeof f ? 0 : 1);
  }
  (void)close(ends[1]);
  loader_facts f;
  ssize_t n = 0;
  while ((n = read(ends[0], &f, sizeof f)) < 0 && errno == EINTR) {
    ;
  }
  (void)close(ends[0]);
  if (child > 0) {
    (void)waitpid(child, NULL, 0);
  }
  if (n == (ssize_t)sizeof f) {
    *out = f;
  }
}
