/* The same beyond the cap on an out-of-order queue.
 * env: CLTESTCHECK_SLOTS_CAP=4096
 * expect: hello layer_unordered
 * expect: instrument sources=1 [] headers=0
 * expect: built
 * expect: kernel add launches=33 flags=7 direct */
#include "host.h"

int main(void) {
  host h = host_open(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  cl_program p = host_program(&h, PLAIN ADD("add"), "");
  cl_kernel k = host_kernel(p, "add");
  cl_mem m[33];
  long sum = 0;
  for (int i = 0; i < 33; i++) {
    m[i] = host_buffer(&h, 40000);
    host_arguments(k, m[i], i % 8);
    host_launch(&h, k, i % 3 ? 1000 : 10000);
  }
  CHECK(clFinish(h.queue));
  for (int i = 0; i < 33; i++) {
    sum += host_sum(&h, m[i], 10000);
    CHECK(clReleaseMemObject(m[i]));
  }
  printf("%ld\n", sum);
  CHECK(clReleaseKernel(k));
  CHECK(clReleaseProgram(p));
  host_close(&h);
  return 0;
}
