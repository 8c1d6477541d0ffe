/* Building on the first OpenCL device. */
#include "tests/device.h"

#include <stdio.h>
#include <stdlib.h>

void device_check(cl_int status, const char *what) {
  if (status != CL_SUCCESS) {
    fprintf(stderr, "%s failed with %d\n", what, status);
    exit(1);
  }
}

device *device_open(void) {
  device *d = calloc(1, sizeof *d);
  cl_platform_id platform = NULL;
  cl_int status = CL_SUCCESS;
  device_check(clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs");
  device_check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &d->id, NULL), "clGetDeviceIDs");
  d->context = clCreateContext(NULL, 1, &d->id, NULL, NULL, &status);
  device_check(status, "clCreateContext");
  d->queue = clCreateCommandQueue(d->context, d->id, 0, &status);
  device_check(status, "clCreateCommandQueue");
  return d;
}

cl_program device_source(const device *d, const char *text) {
  cl_int status = CL_SUCCESS;
  cl_program program = clCreateProgramWithSource(d->context, 1, &text, NULL, &status);
  device_check(status, "clCreateProgramWithSource");
  return program;
}

build *device_build(device *d, const char *text, const char *options, bool quiet) {
  build *b = calloc(1, sizeof *b);
  b->device = d;
  b->program = device_source(d, text);
  if (clBuildProgram(b->program, 1, &d->id, options, NULL, NULL) != CL_SUCCESS) {
    static char log[1 << 14];
    (void)clGetProgramBuildInfo(b->program, d->id, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL);
    fprintf(stderr, "%s", quiet ? "" : log);
    build_free(b);
    return NULL;
  }
  return b;
}

void build_free(build *b) {
  if (b != NULL) {
    clReleaseProgram(b->program);
    free(b);
  }
}
