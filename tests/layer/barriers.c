/* Kernels with barriers: every launch has room for what its work-items leave, and is followed by the kernel that
 * compares them. Flag word 1 has a bit for every launch that was compared and whole.
 * expect: hello layer_barriers
 * expect: instrument sources=1 [] headers=0
 * expect: built
 * expect: kernel plane launches=10 flags=1,3ff
 * expect: kernel gated launches=5 flags=1,1f
 * expect: gated gated asked=5 arrived=5
 * expect: launch gated 100/0 even=1 times=3
 * expect: launch gated 10000/0 even=1 times=2 */
#include "host.h"

/* `steering` says what kind of kernel it is, `end` leaves its bits. */
#define PLANE(name, steering, end)                                                             \
  steering "__kernel void " name                                                               \
           "(__global int *a, int n HIDDEN) {\n"                                               \
           "  BEGIN(2); size_t i = get_global_id(0); HIT(0); a[i] += n;\n"                     \
           "#ifdef CLTC_ID\n"                                                                  \
           "  cltc_planes[0] = cltc_capacity; cltc_planes[1] = get_global_size(0);\n"          \
           "  if (CLTC_ID < cltc_capacity) cltc_planes[8 + 2 * CLTC_ID] = n;\n"                \
           "#endif\n  " end                                                                    \
           "\n}\n"                                                                             \
           "#ifdef CLTC_ID\n"                                                                  \
           "__kernel void cltc_judge_" name                                                    \
           "(__global uint *flags, __global const uint *planes, uint launch) {\n"              \
           "  uint whole = planes[0] == planes[1];\n"                                          \
           "  for (uint i = 0; i < planes[0]; i++) whole &= planes[8 + 2 * i] == planes[8];\n" \
           "  if (get_global_id(0) == 0 && whole) atomic_or(&flags[1], 1u << launch);\n}\n"    \
           "#endif\n"
#define SOURCE                                                 \
  PLAIN PLANE("plane", "//@kernel plane 8 2 3 1\n", "ENDN(2)") \
      PLANE("gated", "//@gated gated 2 3 0 1\n", "GATED; GATED_HIT(0);")

static void launches(host *h, cl_program p, const char *name, cl_command_queue_properties properties) {
  cl_int error;
  h->queue = clCreateCommandQueue(h->context, h->device, properties, &error);
  CHECK(error);
  cl_kernel k = host_kernel(p, name);
  cl_mem m = host_buffer(h, 40000);
  for (int i = 0; i < 5; i++) {
    host_arguments(k, m, i + 1);
    host_launch(h, k, i % 2 ? 10000 : 100);
    if (properties || i == 2) CHECK(clFinish(h->queue));
  }
  printf("%s %ld\n", name, host_sum(h, m, 10000));
  CHECK(clReleaseKernel(k));
  CHECK(clReleaseMemObject(m));
  CHECK(clReleaseCommandQueue(h->queue));
}

int main(void) {
  host h = host_open(0);
  cl_program p = host_program(&h, SOURCE, "");
  CHECK(clReleaseCommandQueue(h.queue));
  launches(&h, p, "plane", 0);
  launches(&h, p, "plane", CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  launches(&h, p, "gated", 0);
  CHECK(clReleaseProgram(p));
  CHECK(clReleaseContext(h.context));
  return 0;
}
