/* OpenCL without a device, for the planted host programs: it notes what kernels are given, and has each launch checked
 * against the facts (`check_launch`, which host_check writes). */
#define CL_TARGET_OPENCL_VERSION 120
#include "stub.h"

#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct _cl_kernel {
  char name[64];
  stub_argument arguments[STUB_ARGUMENTS];
};

struct _cl_mem {
  size_t size;
};

static char handles[8]; /* for what only has to be something */

static void set(cl_int *status, cl_int value) {
  if (status != NULL) *status = value;
}

cl_int clGetPlatformIDs(cl_uint count, cl_platform_id *platforms, cl_uint *found) {
  (void)count;
  if (platforms != NULL) platforms[0] = (cl_platform_id)&handles[0];
  if (found != NULL) *found = 1;
  return CL_SUCCESS;
}

cl_int clGetDeviceIDs(cl_platform_id platform, cl_device_type type, cl_uint count, cl_device_id *devices,
                      cl_uint *found) {
  (void)platform;
  (void)type;
  (void)count;
  devices[0] = (cl_device_id)&handles[1];
  if (found != NULL) *found = 1;
  return CL_SUCCESS;
}

cl_context clCreateContext(const cl_context_properties *properties, cl_uint count, const cl_device_id *devices,
                           void(CL_CALLBACK *notify)(const char *, const void *, size_t, void *), void *data,
                           cl_int *status) {
  (void)properties;
  (void)count;
  (void)devices;
  (void)notify;
  (void)data;
  set(status, CL_SUCCESS);
  return (cl_context)&handles[2];
}

cl_command_queue clCreateCommandQueue(cl_context context, cl_device_id device, cl_command_queue_properties properties,
                                      cl_int *status) {
  (void)context;
  (void)device;
  (void)properties;
  set(status, CL_SUCCESS);
  return (cl_command_queue)&handles[3];
}

cl_program clCreateProgramWithSource(cl_context context, cl_uint count, const char **strings, const size_t *lengths,
                                     cl_int *status) {
  (void)context;
  (void)count;
  (void)strings;
  (void)lengths;
  set(status, CL_SUCCESS);
  return (cl_program)&handles[4];
}

cl_int clBuildProgram(cl_program program, cl_uint count, const cl_device_id *devices, const char *options,
                      void(CL_CALLBACK *notify)(cl_program, void *), void *data) {
  (void)program;
  (void)count;
  (void)devices;
  (void)options;
  (void)notify;
  (void)data;
  return CL_SUCCESS;
}

cl_kernel clCreateKernel(cl_program program, const char *name, cl_int *status) {
  (void)program;
  cl_kernel k = calloc(1, sizeof *k);
  (void)snprintf(k->name, sizeof k->name, "%s", name);
  set(status, CL_SUCCESS);
  return k;
}

cl_mem clCreateBuffer(cl_context context, cl_mem_flags flags, size_t size, void *host, cl_int *status) {
  (void)context;
  (void)flags;
  (void)host;
  set(status, size == 0 || size > ((size_t)1 << 40) ? CL_INVALID_BUFFER_SIZE : CL_SUCCESS);
  if (size == 0 || size > ((size_t)1 << 40)) exit(0); /* facts hold where the calls succeed */
  cl_mem m = calloc(1, sizeof *m);
  m->size = size;
  return m;
}

cl_mem clCreateSubBuffer(cl_mem buffer, cl_mem_flags flags, cl_buffer_create_type type, const void *region,
                         cl_int *status) {
  (void)flags;
  (void)type;
  (void)region;
  set(status, CL_SUCCESS);
  return buffer;
}

cl_int clSetKernelArg(cl_kernel k, cl_uint index, size_t size, const void *value) {
  stub_argument *a = &k->arguments[index];
  memset(a, 0, sizeof *a);
  a->size = size;
  a->local = value == NULL;
  if (value != NULL) memcpy(a->bytes, value, size < sizeof a->bytes ? size : sizeof a->bytes);
  return CL_SUCCESS;
}

size_t stub_bytes(const stub_argument *a) {
  if (a->local) return a->size;
  cl_mem m = NULL;
  memcpy(&m, a->bytes, sizeof m);
  return m->size;
}

cl_int clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel k, cl_uint dimensions, const size_t *offset,
                              const size_t *global, const size_t *local, cl_uint count, const cl_event *events,
                              cl_event *event) {
  (void)queue;
  (void)count;
  (void)events;
  (void)event;
  stub_launch l = {.kernel = k->name, .arguments = k->arguments};
  for (cl_uint d = 0; d < 3; d++) {
    l.offset[d] = d < dimensions && offset != NULL ? offset[d] : 0;
    l.global[d] = d < dimensions ? global[d] : 1;
    l.local[d] = d < dimensions && local != NULL ? local[d] : 1;
    if (l.global[d] == 0 || l.global[d] > ((size_t)1 << 40) || l.local[d] == 0 || l.global[d] % l.local[d] != 0)
      return CL_INVALID_WORK_GROUP_SIZE;
  }
  if (!check_launch(&l)) {
    printf("contradicted: a launch of %s\n", l.kernel);
    exit(9);
  }
  return CL_SUCCESS;
}

cl_int clEnqueueTask(cl_command_queue queue, cl_kernel k, cl_uint count, const cl_event *events, cl_event *event) {
  const size_t one = 1;
  return clEnqueueNDRangeKernel(queue, k, 1, NULL, &one, &one, count, events, event);
}

cl_int clEnqueueReadBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking, size_t offset, size_t size,
                           void *to, cl_uint count, const cl_event *events, cl_event *event) {
  (void)queue;
  (void)buffer;
  (void)blocking;
  (void)offset;
  (void)count;
  (void)events;
  (void)event;
  memset(to, 1, size);
  return CL_SUCCESS;
}
