/* The connection ends with a question about a launch: that one runs in any order, the next ones as the user wrote them.
 * expect: hello layer_gate_gone
 * expect: instrument sources=1 [] headers=0
 * expect: built
 * expect: kernel add launches=0 flags=0
 * expect: gated add asked=1 arrived=0
 * expect: launch add 100/0 even=1 times=1 */
#include "host.h"

static const char *const source =
    "//@gated add 1 2 hang-up\n"
    "#ifdef HIDDEN\n#define SCHEDULE (int)(cltc_first + cltc_first / 4294967296UL)\n#endif\n" PLAIN
    "#ifndef SCHEDULE\n#define SCHEDULE 0\n#endif\n"
    "__kernel void add(__global int *a, int n HIDDEN) {\n  GATED; a[get_global_id(0)] += n + SCHEDULE;\n}\n";

int main(void) {
  host h = host_open(0);
  cl_program p = host_program(&h, source, "");
  cl_kernel k = host_kernel(p, "add");
  cl_mem m = host_buffer(&h, 400);
  host_arguments(k, m, 7);
  for (int i = 0; i < 10; i++) host_launch(&h, k, 100);
  printf("%ld\n", host_sum(&h, m, 100));
  CHECK(clReleaseKernel(k));
  CHECK(clReleaseMemObject(m));
  CHECK(clReleaseProgram(p));
  host_close(&h);
  return 0;
}
