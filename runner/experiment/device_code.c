/* Building on a device and taking the digest of its code. */
#include "runner/experiment/device_code.h"

#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#include <dlfcn.h>
#include <sha2.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum { MAX_PLATFORMS = 32, MAX_DEVICES = 64, MAX_NAME = 1024 };

struct device_code {
  cl_context context;
  cl_device_id device;
};

/* The loader is opened when it is needed, so that the tool runs where there is none. */
static struct {
  __typeof__(clGetPlatformIDs) *platforms;
  __typeof__(clGetDeviceIDs) *devices;
  __typeof__(clGetDeviceInfo) *device_info;
  __typeof__(clCreateContext) *context;
  __typeof__(clCreateProgramWithSource) *program;
  __typeof__(clBuildProgram) *build;
  __typeof__(clCompileProgram) *compile;
  __typeof__(clLinkProgram) *link;
  __typeof__(clGetProgramInfo) *program_info;
  __typeof__(clReleaseProgram) *release;
} cl;

static bool open_loader(void) {
  void *library = dlopen("libOpenCL.so.1", RTLD_NOW);
  const struct {
    void **function;
    const char *name;
  } wanted[] = {
      {(void **)&cl.platforms, "clGetPlatformIDs"},        {(void **)&cl.devices, "clGetDeviceIDs"},
      {(void **)&cl.device_info, "clGetDeviceInfo"},       {(void **)&cl.context, "clCreateContext"},
      {(void **)&cl.program, "clCreateProgramWithSource"}, {(void **)&cl.build, "clBuildProgram"},
      {(void **)&cl.compile, "clCompileProgram"},          {(void **)&cl.link, "clLinkProgram"},
      {(void **)&cl.program_info, "clGetProgramInfo"},     {(void **)&cl.release, "clReleaseProgram"},
  };
  bool complete = library != NULL;
  for (size_t i = 0; i < sizeof wanted / sizeof wanted[0] && complete; i++) {
    *wanted[i].function = dlsym(library, wanted[i].name);
    complete = *wanted[i].function != NULL;
  }
  return complete;
}

/* Whether the device is the one of the key: line by line. */
static bool has_key(cl_device_id device, const char *key) {
  static const cl_device_info parts[] = {CL_DEVICE_NAME, CL_DEVICE_VENDOR, CL_DRIVER_VERSION,
                                         CL_DEVICE_OPENCL_C_VERSION};
  for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
    char text[MAX_NAME] = "";
    (void)cl.device_info(device, parts[i], sizeof text - 1, text, NULL);
    size_t length = strcspn(key, "\n");
    if (strlen(text) != length || memcmp(text, key, length) != 0) {
      return false;
    }
    key += length + (key[length] == '\n' ? 1 : 0);
  }
  return true;
}

static cl_device_id find_device(const char *key) {
  cl_platform_id platforms[MAX_PLATFORMS];
  cl_uint platform_count = 0;
  if (cl.platforms(MAX_PLATFORMS, platforms, &platform_count) != CL_SUCCESS) {
    return NULL;
  }
  for (cl_uint p = 0; p < platform_count && p < MAX_PLATFORMS; p++) {
    cl_device_id devices[MAX_DEVICES];
    cl_uint count = 0;
    if (cl.devices(platforms[p], CL_DEVICE_TYPE_ALL, MAX_DEVICES, devices, &count) != CL_SUCCESS) {
      continue;
    }
    for (cl_uint i = 0; i < count && i < MAX_DEVICES; i++) {
      if (has_key(devices[i], key)) {
        return devices[i];
      }
    }
  }
  return NULL;
}

device_code *device_code_open(const char *key) {
  cl_device_id device = open_loader() ? find_device(key) : NULL;
  cl_context context = device == NULL ? NULL : cl.context(NULL, 1, &device, NULL, NULL, NULL);
  if (context == NULL) {
    return NULL;
  }
  device_code *d = mem_calloc(1, sizeof *d);
  *d = (device_code){context, device};
  return d;
}

/* Where the code begins: containers such as PoCL's begin with names and digests of the source, machine code comes as
 * ELF images behind them. Other drivers' binaries (PTX) are taken whole. */
static const unsigned char *code_of(const unsigned char *binary, size_t size, size_t *length) {
  const unsigned char *elf = memmem(binary, size, "\177ELF", 4);
  const unsigned char *begin = elf == NULL ? binary : elf;
  *length = size - (size_t)(begin - binary);
  return begin;
}

/* NULL: it does not build. */
static cl_program build_source(const device_code *d, const device_code_sources *s, size_t index) {
  const char *text = s->texts[index];
  const char *options = s->options[index];
  cl_program p = cl.program(d->context, 1, &text, NULL, NULL);
  cl_int status = p == NULL                 ? CL_OUT_OF_HOST_MEMORY
                  : s->link_options == NULL ? cl.build(p, 1, &d->device, options, NULL, NULL)
                                            : cl.compile(p, 1, &d->device, options, 0, NULL, NULL, NULL, NULL);
  if (p != NULL && status != CL_SUCCESS) {
    (void)cl.release(p);
    return NULL;
  }
  return p;
}

static cl_program link_sources(const device_code *d, const device_code_sources *s) {
  cl_program *parts = mem_calloc(s->count, sizeof(cl_program));
  cl_program made = NULL;
  size_t count = 0;
  while (count < s->count && (parts[count] = build_source(d, s, count)) != NULL) {
    count++;
  }
  if (count == s->count) {
    cl_int status = CL_SUCCESS;
    made = cl.link(d->context, 1, &d->device, s->link_options, (cl_uint)count, parts, NULL, NULL, &status);
    if (made != NULL && status != CL_SUCCESS) {
      (void)cl.release(made);
      made = NULL;
    }
  }
  while (count > 0) {
    (void)cl.release(parts[--count]);
  }
  free(parts);
  return made;
}

bool device_code_build(device_code *d, const device_code_sources *s, device_binary *out) {
  *out = (device_binary){0};
  cl_program p = s->link_options == NULL ? build_source(d, s, 0) : link_sources(d, s);
  if (p == NULL) {
    return false;
  }
  size_t size = 0;
  if (cl.program_info(p, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL) == CL_SUCCESS && size > 0) {
    unsigned char *binary = mem_calloc(size, 1);
    if (cl.program_info(p, CL_PROGRAM_BINARIES, sizeof binary, &binary, NULL) == CL_SUCCESS) {
      *out = (device_binary){binary, size};
    } else {
      free(binary);
    }
  }
  (void)cl.release(p);
  return true;
}

void device_code_digest(const device_binary *b, char digest[65]) {
  digest[0] = '\0';
  if (b->bytes != NULL) {
    size_t length = 0;
    const unsigned char *code = code_of(b->bytes, b->size, &length);
    (void)SHA256Data(code, length, digest);
  }
}
