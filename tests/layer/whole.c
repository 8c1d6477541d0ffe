/* A kernel of which all has been seen is launched as it was written after a while, and counts; one of which something
 * is missing is looked at to its last launch.
 * expect: hello layer_whole
 * expect: instrument sources=1 [] headers=0
 * expect: built
 * expect: kernel seen launches=60 flags=7
 * expect: kernel missing launches=60 flags=7 */
#include <unistd.h>

#include "host.h"

/* a[0] tells whether it is the kernel as it was written. */
#define KERNEL(name, last)                            \
  "//@kernel " name " 1 1 2 0 3\n__kernel void " name \
  "(__global int *a, int n HIDDEN) {\n"               \
  "  BEGIN(1); HIT(0); HIT(1); if (n == " last        \
  ") HIT(2);\n"                                       \
  "#ifdef CLTC_ID\n  a[0] = 0;\n#else\n  a[0] = 1;\n#endif\n  END1\n}\n"

static int run(host *h, cl_kernel k, cl_mem m, int n) {
  const size_t size = 1;
  int written = -1;
  CHECK(clSetKernelArg(k, 1, sizeof n, &n));
  CHECK(clEnqueueNDRangeKernel(h->queue, k, 1, NULL, &size, NULL, 0, NULL, NULL));
  CHECK(clEnqueueReadBuffer(h->queue, m, CL_TRUE, 0, sizeof written, &written, 0, NULL, NULL));
  return written;
}

int main(void) {
  host h = host_open(0);
  cl_program p = host_program(&h, PLAIN KERNEL("seen", "1") KERNEL("missing", "99"), "");
  cl_kernel seen = host_kernel(p, "seen"), missing = host_kernel(p, "missing");
  cl_mem m = host_buffer(&h, 4);
  host_arguments(seen, m, 1);
  host_arguments(missing, m, 1);
  for (int i = 0; i < 59; i++) {
    (void)run(&h, missing, m, 1);
    (void)run(&h, seen, m, 1);
    usleep(5000);
  }
  printf("seen runs as it was written: %d\n", run(&h, seen, m, 1));
  (void)run(&h, missing, m, 99);
  CHECK(clReleaseKernel(seen));
  CHECK(clReleaseKernel(missing));
  CHECK(clReleaseMemObject(m));
  CHECK(clReleaseProgram(p));
  host_close(&h);
  return 0;
}
