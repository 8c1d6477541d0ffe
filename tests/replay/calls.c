/* Calls of OpenCL, counted, and refused where a test asks for that. */
#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 300
#endif
#include <CL/cl.h>
#include <dlfcn.h>
#include <string.h>

#include "checks.h"

calls seen;

/* The function of this name after ours. */
static void behind(const char *name, void *function) {
  void *found = dlsym(RTLD_NEXT, name);
  memcpy(function, &found, sizeof found);
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                                                       const size_t *offset, const size_t *global, const size_t *local,
                                                       cl_uint waits, const cl_event *wait, cl_event *event) {
  static cl_int (*real)(cl_command_queue, cl_kernel, cl_uint, const size_t *, const size_t *, const size_t *, cl_uint,
                        const cl_event *, cl_event *);
  behind("clEnqueueNDRangeKernel", &real);
  seen.launches++;
  return real(queue, kernel, dimensions, offset, global, local, waits, wait, event);
}

CL_API_ENTRY cl_int CL_API_CALL clBuildProgram(cl_program program, cl_uint count, const cl_device_id *devices,
                                               const char *options, void(CL_CALLBACK *notify)(cl_program, void *),
                                               void *data) {
  static cl_int (*real)(cl_program, cl_uint, const cl_device_id *, const char *,
                        void(CL_CALLBACK *)(cl_program, void *), void *);
  behind("clBuildProgram", &real);
  seen.builds++;
  return real(program, count, devices, options, notify, data);
}

CL_API_ENTRY cl_mem CL_API_CALL clCreateBuffer(cl_context context, cl_mem_flags flags, size_t size, void *host,
                                               cl_int *status) {
  static cl_mem (*real)(cl_context, cl_mem_flags, size_t, void *, cl_int *);
  behind("clCreateBuffer", &real);
  if (seen.refused > 0 && size > seen.refused_above) {
    seen.refused--;
    if (status != NULL) *status = CL_MEM_OBJECT_ALLOCATION_FAILURE;
    return NULL;
  }
  seen.buffers++;
  return real(context, flags, size, host, status);
}
