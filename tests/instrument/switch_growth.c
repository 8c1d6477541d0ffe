/* switch_growth [CASES]: how much longer the device's compiler takes for a switch with many cases when coverage is
 * recorded, in a kernel without and in one with a barrier: processor time with a first launch, beside that of the
 * switch as it is, in one run. What grows faster than the source is far beyond the limit. */
#define CL_TARGET_OPENCL_VERSION 200
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/buffer.h"
#include "instrument/instrument.h"

enum { ITEMS = 64, HIDDEN_PARAMETERS = 5, ROOM = 1 << 16 };
static const double limit = 4;

static void check(cl_int status, const char *what) {
  if (status != CL_SUCCESS) {
    printf("%s failed with %d\n", what, status);
    exit(1);
  }
}

static double seconds(void) {
  struct timespec t;
  (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static char *source(unsigned cases, bool barrier) {
  buffer b = {0};
  buffer_puts(&b, "__kernel void k(__global int *a) {\n  int i = get_global_id(0), r = 0;\n  switch (a[i]) {\n");
  for (unsigned c = 0; c < cases; c++) buffer_printf(&b, "    case %u: r = %u; break;\n", c, c * 7919 % 1009 + c * 3);
  buffer_printf(&b, "    default: r = -1;\n  }\n%s  a[i] = r;\n}\n",
                barrier ? "  barrier(CLK_GLOBAL_MEM_FENCE);\n" : "");
  return buffer_take(&b);
}

typedef struct device {
  cl_device_id id;
  cl_context context;
  cl_command_queue queue;
} device;

static void set_hidden(const device *d, cl_kernel kernel, cl_mem room) {
  const cl_ulong first = 0;
  const cl_uint capacity = 0;
  (void)d;
  check(clSetKernelArg(kernel, 1, sizeof room, &room), "clSetKernelArg");
  check(clSetKernelArg(kernel, 2, sizeof room, &room), "clSetKernelArg");
  check(clSetKernelArg(kernel, 3, sizeof first, &first), "clSetKernelArg");
  check(clSetKernelArg(kernel, 4, sizeof room, &room), "clSetKernelArg");
  check(clSetKernelArg(kernel, 5, sizeof capacity, &capacity), "clSetKernelArg");
}

/* Builds the text and launches its kernel on 0, 1, …; the results go to `values`. */
static double build_and_run(const device *d, const char *text, cl_int values[ITEMS]) {
  cl_int status = CL_SUCCESS;
  const double start = seconds();
  cl_program program = clCreateProgramWithSource(d->context, 1, &text, NULL, &status);
  check(clBuildProgram(program, 1, &d->id, "", NULL, NULL), "clBuildProgram");
  cl_kernel kernel = clCreateKernel(program, "k", &status);
  check(status, "clCreateKernel");
  for (int i = 0; i < ITEMS; i++) values[i] = i * 17;
  cl_mem a = clCreateBuffer(d->context, CL_MEM_COPY_HOST_PTR, ITEMS * sizeof *values, values, &status);
  cl_mem room = clCreateBuffer(d->context, CL_MEM_READ_WRITE, ROOM, NULL, &status);
  cl_uint parameters = 0;
  check(clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, sizeof parameters, &parameters, NULL), "clGetKernelInfo");
  check(clSetKernelArg(kernel, 0, sizeof a, &a), "clSetKernelArg");
  if (parameters > HIDDEN_PARAMETERS) set_hidden(d, kernel, room);
  const size_t global = ITEMS;
  check(clEnqueueNDRangeKernel(d->queue, kernel, 1, NULL, &global, &global, 0, NULL, NULL), "clEnqueueNDRangeKernel");
  check(clEnqueueReadBuffer(d->queue, a, CL_TRUE, 0, ITEMS * sizeof *values, values, 0, NULL, NULL), "reading");
  const double spent = seconds() - start;
  clReleaseMemObject(a);
  clReleaseMemObject(room);
  clReleaseKernel(kernel);
  clReleaseProgram(program);
  return spent;
}

static device open_device(void) {
  device d;
  cl_platform_id platform = NULL;
  cl_int status = CL_SUCCESS;
  check(clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs");
  check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &d.id, NULL), "clGetDeviceIDs");
  d.context = clCreateContext(NULL, 1, &d.id, NULL, NULL, &status);
  check(status, "clCreateContext");
  d.queue = clCreateCommandQueue(d.context, d.id, 0, &status);
  check(status, "clCreateCommandQueue");
  return d;
}

static bool try(const device *d, unsigned cases, bool barrier) {
  char *text = source(cases, barrier);
  const pp_input in = {.name = "switch.cl", .text = text, .length = strlen(text)};
  instrument_result r;
  error e;
  cl_int wanted[ITEMS], found[ITEMS];
  if (instrument_program(&in, 1, KERNEL_COUNTED, NULL, &r, &e) != 0) {
    printf("%s\n", e.text);
    exit(1);
  }
  (void)build_and_run(d, text, wanted); /* the device's compiler is loaded */
  const double plain = build_and_run(d, text, wanted);
  const double covered = build_and_run(d, r.texts[0], found);
  printf("%u cases%s: %.2f s plain, %.2f s instrumented, ratio %.2f\n", cases, barrier ? " beside a barrier" : "",
         plain, covered, covered / plain);
  const bool same = memcmp(wanted, found, sizeof wanted) == 0;
  printf("%s", same ? "" : "the results differ\n");
  instrument_free(&r);
  free(text);
  return same && covered < limit * plain;
}

int main(int argc, char **argv) {
  (void)setenv("POCL_KERNEL_CACHE", "0", 1);
  const unsigned cases = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : 1000;
  const device d = open_device();
  const bool without = try(&d, cases, false);
  const bool with = try(&d, cases, true);
  clReleaseCommandQueue(d.queue);
  clReleaseContext(d.context);
  return without && with ? 0 : 1;
}
