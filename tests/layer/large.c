/* Launches that need more than the cap allows go straight into the flags, with all arguments set before; rings of
 * kernels that rest give way.
 * env: CLTESTCHECK_SLOTS_CAP=65536
 * expect: hello layer_large
 * expect: instrument sources=1 [] headers=0
 * expect: built
 * expect: kernel big launches=6 flags=80000001,80000007 direct
 * expect: kernel small launches=40 flags=5 direct
 * expect: kernel other launches=1 flags=5 */
#include "host.h"

#define BIG                                                                                                           \
  "//@kernel big 8 2 3\n__kernel void big(__global int *a, int n, __local int *l, float4 v, __global int *b HIDDEN) " \
  "{\n"                                                                                                               \
  "  BEGIN(2); size_t i = get_global_id(0); l[get_local_id(0)] = n; HIT(0); HIT(31); HIT(63);\n"                      \
  "  HIT(32); if (i == 0) HIT(33); if (i == get_global_size(0) - 1) HIT(34);\n"                                       \
  "  a[i] += l[get_local_id(0)] + (int)v.y + b[0];\n  ENDN(2)\n}\n"

static void launches(host *h, cl_program p) {
  cl_kernel big = host_kernel(p, "big"), small = host_kernel(p, "small"), other = host_kernel(p, "other");
  cl_mem m = host_buffer(h, 400000), b = host_buffer(h, 4);
  cl_float4 v = {{1, 20, 3, 4}};
  size_t local = 10;
  host_arguments(big, m, 7);
  CHECK(clSetKernelArg(big, 2, local * sizeof(int), NULL));
  CHECK(clSetKernelArg(big, 3, sizeof v, &v));
  CHECK(clSetKernelArg(big, 4, sizeof b, &b));
  host_arguments(small, m, 2);
  host_arguments(other, m, 2);
  size_t sizes[] = {1000, 100000, 8000};
  for (int i = 0; i < 3; i++) CHECK(clEnqueueNDRangeKernel(h->queue, big, 1, NULL, &sizes[i], &local, 0, NULL, NULL));
  for (int i = 0; i < 20; i++) host_launch(h, small, 10000);
  CHECK(clFinish(h->queue));
  printf("big %ld\n", host_sum(h, m, 100000));
  static int once;
  if (!once++) {
    host_launch(h, other, 50000);
    printf("other %ld\n", host_sum(h, m, 100000));
  }
  CHECK(clReleaseKernel(big));
  CHECK(clReleaseKernel(small));
  CHECK(clReleaseKernel(other));
  CHECK(clReleaseMemObject(m));
  CHECK(clReleaseMemObject(b));
}

int main(void) {
  host h = host_open(0);
  cl_program p = host_program(&h, PLAIN BIG ADD("small") ADD("other"), "");
  launches(&h, p);
  CHECK(clReleaseCommandQueue(h.queue));
  cl_int error;
  h.queue = clCreateCommandQueue(h.context, h.device, 0, &error);
  CHECK(error);
  launches(&h, p);
  CHECK(clReleaseProgram(p));
  host_close(&h);
  return 0;
}
