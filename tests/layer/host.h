/* What the host programs of the layer's tests share: checks, a device, and kernels that carry their own
 * instrumentation as macros (see fake_server.c). Every program prints what it computed; run.sh compares that with and
 * without the layer, and the evidence with the `expect:` lines at the program's top. */
#ifndef CLTC_TESTS_LAYER_HOST_H
#define CLTC_TESTS_LAYER_HOST_H

#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#define CL_USE_DEPRECATED_OPENCL_2_0_APIS
#include <CL/cl.h>
#include <CL/cl_icd.h>
#include <CL/cl_layer.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Without the layer the marks of the kernels are nothing. */
#define PLAIN                                                                                                \
  "#ifndef HIDDEN\n#define HIDDEN\n#define BEGIN(words)\n#define HIT(bit) (0)\n#define END1\n#define END2\n" \
  "#define ENDN(words)\n#define GATED\n#define GATED_HIT(bit)\n#endif\n"

/* c[i] = a[i] + n; bit 0: ran, bit 1: n > 5, bit 2: the other case */
#define ADD_BODY                               \
  "  BEGIN(1); size_t i = get_global_id(0);\n" \
  "  HIT(0); if (n > 5) { HIT(1); a[i] += n; } else { HIT(2); a[i] += 2 * n; }\n"
#define ADD(name) \
  "//@kernel " name " 1 1 2\n__kernel void " name "(__global int *a, int n HIDDEN) {\n" ADD_BODY "  END1\n}\n"

/* The same gated; `flags`: SCHEDULE_... */
#define GATED_ADD(name, flags)                                                        \
  "//@gated " name " 1 2 " flags "\n__kernel void " name                              \
  "(__global int *a, int n HIDDEN) {\n"                                               \
  "  GATED; size_t row = get_global_id(1) + get_global_size(1) * get_global_id(2);\n" \
  "  size_t i = get_global_id(0) + get_global_size(0) * row;\n"                       \
  "  GATED_HIT(0); if (n > 5) { GATED_HIT(1); a[i] += n; } else { GATED_HIT(2); a[i] += 2 * n; }\n}\n"

#define CHECK(call)                                                        \
  do {                                                                     \
    cl_int check_result = (call);                                          \
    if (check_result != CL_SUCCESS) {                                      \
      printf("%s:%d: %s = %d\n", __FILE__, __LINE__, #call, check_result); \
      exit(2);                                                             \
    }                                                                      \
  } while (0)

#define TRUE_(condition)                                         \
  do {                                                           \
    if (!(condition)) {                                          \
      printf("%s:%d: not %s\n", __FILE__, __LINE__, #condition); \
      exit(3);                                                   \
    }                                                            \
  } while (0)

typedef struct host {
  cl_platform_id platform;
  cl_device_id device;
  cl_context context;
  cl_command_queue queue;
} host;

static inline host host_open(cl_command_queue_properties properties) {
  host h;
  cl_int error;
  CHECK(clGetPlatformIDs(1, &h.platform, NULL));
  CHECK(clGetDeviceIDs(h.platform, CL_DEVICE_TYPE_ALL, 1, &h.device, NULL));
  h.context = clCreateContext(NULL, 1, &h.device, NULL, NULL, &error);
  CHECK(error);
  h.queue = clCreateCommandQueue(h.context, h.device, properties, &error);
  CHECK(error);
  return h;
}

static inline void host_close(host *h) {
  CHECK(clReleaseCommandQueue(h->queue));
  CHECK(clReleaseContext(h->context));
}

static inline cl_program host_program(const host *h, const char *source, const char *options) {
  cl_int error;
  cl_program p = clCreateProgramWithSource(h->context, 1, &source, NULL, &error);
  CHECK(error);
  error = clBuildProgram(p, 1, &h->device, options, NULL, NULL);
  if (error) {
    static char log[16384];
    clGetProgramBuildInfo(p, h->device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL);
    printf("%s\n", log);
  }
  CHECK(error);
  return p;
}

static inline cl_kernel host_kernel(cl_program p, const char *name) {
  cl_int error;
  cl_kernel k = clCreateKernel(p, name, &error);
  CHECK(error);
  return k;
}

static inline cl_mem host_buffer(const host *h, size_t bytes) {
  cl_int error;
  void *zeros = calloc(1, bytes);
  cl_mem m = clCreateBuffer(h->context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, bytes, zeros, &error);
  CHECK(error);
  free(zeros);
  return m;
}

static inline void host_arguments(cl_kernel k, cl_mem memory, int n) {
  CHECK(clSetKernelArg(k, 0, sizeof memory, &memory));
  CHECK(clSetKernelArg(k, 1, sizeof n, &n));
}

static inline void host_launch(const host *h, cl_kernel k, size_t items) {
  CHECK(clEnqueueNDRangeKernel(h->queue, k, 1, NULL, &items, NULL, 0, NULL, NULL));
}

/* The sum of `count` ints of the buffer. */
static inline long host_sum(const host *h, cl_mem memory, size_t count) {
  int *values = malloc(count * sizeof *values);
  long sum = 0;
  CHECK(clEnqueueReadBuffer(h->queue, memory, CL_TRUE, 0, count * sizeof *values, values, 0, NULL, NULL));
  for (size_t i = 0; i < count; i++) sum += values[i];
  free(values);
  return sum;
}

#endif
