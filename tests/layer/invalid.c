/* Wrong calls get the answers of the original kernel; launches that the device refuses for the twin run as they were.
 * expect: hello layer_invalid
 * expect: instrument sources=1 [] headers=0
 * expect: built
 * expect: note program=0 kernel refused: the device refused an instrumented launch; it ran uninstrumented
 * expect: kernel right launches=1 flags=5
 * expect: kernel refused launches=0 flags=0 */
#include "host.h"

#define REFUSED                                                                                                 \
  "#ifndef ATTRIBUTE_refused\n#define ATTRIBUTE_refused\n#endif\n//@refused refused\n//@kernel refused 1 1 2\n" \
  "__kernel ATTRIBUTE_refused void refused(__global int *a, int n HIDDEN) {\n" ADD_BODY "  END1\n}\n"

int main(void) {
  host h = host_open(0);
  cl_program p = host_program(&h, PLAIN ADD("right") REFUSED, "");
  cl_int error;
  clCreateKernel(p, "absent", &error);
  printf("absent %d\n", error);
  cl_kernel k = host_kernel(p, "right");
  cl_mem m = host_buffer(&h, 400);
  size_t items = 100, local = 7, sizes[3] = {10, 10, 10};
  int n = 2;
  cl_event event;
  printf("no arguments %d\n", clEnqueueNDRangeKernel(h.queue, k, 1, NULL, &items, NULL, 0, NULL, NULL));
  printf("index %d\n", clSetKernelArg(k, 2, sizeof n, &n));
  printf("index %d\n", clSetKernelArg(k, 5, sizeof n, &n));
  printf("size %d\n", clSetKernelArg(k, 1, 3, &n));
  printf("value %d\n", clSetKernelArg(k, 1, sizeof n, NULL));
  host_arguments(k, m, n);
  printf("dimensions %d\n", clEnqueueNDRangeKernel(h.queue, k, 0, NULL, &items, NULL, 0, NULL, NULL));
  printf("dimensions %d\n", clEnqueueNDRangeKernel(h.queue, k, 4, NULL, sizes, NULL, 0, NULL, NULL));
  printf("global %d\n", clEnqueueNDRangeKernel(h.queue, k, 1, NULL, NULL, NULL, 0, NULL, NULL));
  printf("local %d\n", clEnqueueNDRangeKernel(h.queue, k, 1, NULL, &items, &local, 0, NULL, &event));
  local = 1 << 20;
  printf("local %d\n", clEnqueueNDRangeKernel(h.queue, k, 1, NULL, &items, &local, 0, NULL, &event));
  printf("queue %d\n", clEnqueueNDRangeKernel(NULL, k, 1, NULL, &items, NULL, 0, NULL, &event));
  host_launch(&h, k, 100);
  printf("right %ld\n", host_sum(&h, m, 100));
  cl_kernel refused = host_kernel(p, "refused");
  host_arguments(refused, m, 3);
  host_launch(&h, refused, 100);
  host_launch(&h, refused, 100);
  printf("refused %ld\n", host_sum(&h, m, 100));
  printf("NULL: %d %d %d %d\n", clReleaseKernel(NULL), clRetainProgram(NULL), clFinish(NULL), clReleaseContext(NULL));
  printf("NULL: %d %d %d\n", clBuildProgram(NULL, 0, NULL, NULL, NULL, NULL), clSetKernelArg(NULL, 0, 0, NULL),
         clWaitForEvents(0, NULL));
  clCreateProgramWithSource(h.context, 0, NULL, NULL, &error);
  printf("no source %d\n", error);
  clLinkProgram(h.context, 0, NULL, NULL, 0, NULL, NULL, NULL, &error);
  printf("no inputs %d\n", error);
  size_t size;
  CHECK(clGetKernelInfo(k, CL_KERNEL_FUNCTION_NAME, 0, NULL, &size));
  CHECK(clReleaseKernel(k));
  CHECK(clReleaseKernel(refused));
  CHECK(clReleaseProgram(p));
  CHECK(clReleaseMemObject(m));
  host_close(&h);
  return 0;
}
