/* What the planted host programs share: they begin with `device()` and make `program` and `queue`. */
#ifndef PROGRAM_H
#define PROGRAM_H

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static cl_context context;
static cl_command_queue queue;
static cl_program program;

static inline void device(const char *options) {
  cl_platform_id platform;
  cl_device_id id;
  const char *source = "";
  if (clGetPlatformIDs(1, &platform, NULL) != CL_SUCCESS ||
      clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &id, NULL) != CL_SUCCESS)
    exit(1);
  context = clCreateContext(NULL, 1, &id, NULL, NULL, NULL);
  queue = clCreateCommandQueue(context, id, 0, NULL);
  program = clCreateProgramWithSource(context, 1, &source, NULL, NULL);
  if (clBuildProgram(program, 1, &id, options, NULL, NULL) != CL_SUCCESS) exit(1);
}

static inline cl_mem buffer(size_t bytes) { return clCreateBuffer(context, CL_MEM_READ_WRITE, bytes, NULL, NULL); }

#endif
