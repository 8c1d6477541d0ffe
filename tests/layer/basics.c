/* Sources in several strings, items of all sizes, launches of all shapes, all ways to make a kernel, counts.
 * expect: hello layer_basics
 * expect: instrument sources=1 [-DSCALE=3] headers=0
 * expect: instrument sources=1 [] headers=0
 * expect: instrument sources=1 [] headers=0
 * expect: built
 * expect: built
 * expect: built
 * expect: kernel add launches=5 flags=7
 * expect: kernel unused launches=0 flags=0
 * expect: kernel wide launches=2 flags=8001
 * expect: kernel grid launches=3 flags=80000001,0,80000007
 * expect: kernel one launches=2 flags=1 */
#include <unistd.h>

#include "host.h"

#define WIDE                                                                    \
  "//@kernel wide 2 1 2\n__kernel void wide(__global int *a, int n HIDDEN) {\n" \
  "  BEGIN(1); size_t i = get_global_id(0); HIT(0); a[i] += n * SCALE; if (i == 999) HIT(15);\n  END2\n}\n"
#define GRID                                                                                                     \
  "//@kernel grid 12 3 4\n__kernel void grid(__global int *a, int n, __local int *l HIDDEN) {\n"                 \
  "  BEGIN(3); size_t x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);\n"                       \
  "  l[get_local_id(0)] = n;\n"                                                                                  \
  "  HIT(0); HIT(31); a[(z * 8 + y) * 16 + x] += l[get_local_id(0)]; HIT(64); if (y == 7) HIT(65); if (z == 3) " \
  "HIT(66);\n"                                                                                                   \
  "  HIT(95);\n  ENDN(3)\n}\n"
#define ONE \
  "//@kernel one 4 1 2\n__kernel void one(__global int *a, int n HIDDEN) { BEGIN(1); HIT(0); a[0] += n; ENDN(1) }\n"

static cl_uint references(cl_kernel k) {
  cl_uint n;
  CHECK(clGetKernelInfo(k, CL_KERNEL_REFERENCE_COUNT, sizeof n, &n, NULL));
  return n;
}

static void print_counts(const host *h, cl_program p, cl_kernel k) {
  cl_uint context, queue, program, arguments;
  CHECK(clFinish(h->queue));
  usleep(20000); /* PoCL drops its own references a little later */
  CHECK(clGetContextInfo(h->context, CL_CONTEXT_REFERENCE_COUNT, sizeof context, &context, NULL));
  CHECK(clGetCommandQueueInfo(h->queue, CL_QUEUE_REFERENCE_COUNT, sizeof queue, &queue, NULL));
  CHECK(clGetProgramInfo(p, CL_PROGRAM_REFERENCE_COUNT, sizeof program, &program, NULL));
  CHECK(clGetKernelInfo(k, CL_KERNEL_NUM_ARGS, sizeof arguments, &arguments, NULL));
  printf("references: context %u queue %u program %u kernel %u, %u arguments\n", context, queue, program, references(k),
         arguments);
}

static void many_strings(const host *h) {
  cl_int error;
  const char *strings[] = {PLAIN, ADD("add") "garbage", "", ADD("unused") "\n"};
  size_t lengths[] = {0, strlen(ADD("add")), 0, strlen(ADD("unused"))};
  cl_program p = clCreateProgramWithSource(h->context, 4, strings, lengths, &error);
  CHECK(error);
  CHECK(clBuildProgram(p, 0, NULL, NULL, NULL, NULL));
  cl_kernel k = host_kernel(p, "add");
  cl_mem m = host_buffer(h, 4000);
  host_arguments(k, m, 3);
  host_launch(h, k, 1000);
  host_launch(h, k, 1);
  host_launch(h, k, 77);
  printf("add %ld\n", host_sum(h, m, 1000));
  cl_kernel clone = clCloneKernel(k, &error);
  if (error == CL_SUCCESS) {
    host_launch(h, clone, 10);
    CHECK(clReleaseKernel(clone));
  } else {
    host_launch(h, k, 10);
  }
  int n = 9;
  CHECK(clSetKernelArg(k, 1, sizeof n, &n));
  CHECK(clRetainKernel(k));
  CHECK(clReleaseProgram(p)); /* the kernel keeps it */
  CHECK(clReleaseKernel(k));
  host_launch(h, k, 1000);
  printf("add %ld\n", host_sum(h, m, 1000));
  CHECK(clGetKernelInfo(k, CL_KERNEL_PROGRAM, sizeof p, &p, NULL));
  print_counts(h, p, k);
  CHECK(clReleaseKernel(k));
  CHECK(clReleaseMemObject(m));
}

static void all_kernels(const host *h) {
  cl_program p = host_program(h, PLAIN WIDE, "-DSCALE=3");
  cl_kernel kernels[4];
  cl_uint count;
  CHECK(clCreateKernelsInProgram(p, 4, kernels, &count));
  cl_mem m = host_buffer(h, 8000);
  host_arguments(kernels[0], m, 2);
  size_t offset = 500, global = 1000, local = 100;
  CHECK(clEnqueueNDRangeKernel(h->queue, kernels[0], 1, &offset, &global, &local, 0, NULL, NULL));
  global = 0;
  printf("zero-size launch %d\n", clEnqueueNDRangeKernel(h->queue, kernels[0], 1, NULL, &global, NULL, 0, NULL, NULL));
  global = 8;
  CHECK(clEnqueueNDRangeKernel(h->queue, kernels[0], 1, NULL, &global, &global, 0, NULL, NULL));
  printf("%u kernels, wide %ld\n", count, host_sum(h, m, 2000));
  print_counts(h, p, kernels[0]);
  CHECK(clReleaseKernel(kernels[0]));
  CHECK(clReleaseProgram(p));
  CHECK(clReleaseMemObject(m));
}

static void shapes(const host *h) {
  cl_program p = host_program(h, PLAIN GRID ONE, "");
  cl_kernel grid = host_kernel(p, "grid"), one = host_kernel(p, "one");
  cl_mem m = host_buffer(h, 16 * 8 * 4 * 4);
  host_arguments(grid, m, 5);
  host_arguments(one, m, 11);
  CHECK(clSetKernelArg(grid, 2, 16 * sizeof(int), NULL));
  size_t offset[] = {2, 3, 1}, global[] = {10, 5, 3}, local[] = {5, 1, 1};
  CHECK(clEnqueueNDRangeKernel(h->queue, grid, 3, offset, global, local, 0, NULL, NULL));
  CHECK(clEnqueueNDRangeKernel(h->queue, grid, 2, NULL, global, local, 0, NULL, NULL));
  CHECK(clEnqueueNDRangeKernel(h->queue, grid, 3, NULL, global, NULL, 0, NULL, NULL));
  cl_event event;
  CHECK(clEnqueueTask(h->queue, one, 0, NULL, &event));
  CHECK(clEnqueueTask(h->queue, one, 0, NULL, NULL));
  CHECK(clWaitForEvents(1, &event));
  cl_command_type type;
  cl_uint count;
  CHECK(clGetEventInfo(event, CL_EVENT_COMMAND_TYPE, sizeof type, &type, NULL));
  CHECK(clFinish(h->queue));
  usleep(20000);
  CHECK(clGetEventInfo(event, CL_EVENT_REFERENCE_COUNT, sizeof count, &count, NULL));
  printf("grid %ld, task type %x, event %u\n", host_sum(h, m, 16 * 8 * 4), type, count);
  CHECK(clReleaseEvent(event));
  print_counts(h, p, grid);
  CHECK(clReleaseKernel(grid));
  CHECK(clReleaseKernel(one));
  CHECK(clReleaseProgram(p));
  CHECK(clReleaseMemObject(m));
}

int main(void) {
  host h = host_open(CL_QUEUE_PROFILING_ENABLE);
  many_strings(&h);
  all_kernels(&h);
  shapes(&h);
  cl_uint context;
  CHECK(clGetContextInfo(h.context, CL_CONTEXT_REFERENCE_COUNT, sizeof context, &context, NULL));
  printf("context %u\n", context);
  host_close(&h);
  return 0;
}
