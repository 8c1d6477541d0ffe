/* A mutation schema: kernels that are named run as their twins, with mutant number and fuel; the others as the user
 * wrote them. What the host reads shows it. The program is built again, for another mutant, while the first is there.
 * env: CLTESTCHECK_OBSERVE=1 CLTESTCHECK_SLOTS_CAP=1
 * expect: hello layer_schema
 * expect: instrument sources=1 [] headers=0
 * expect: instrument sources=1 [] headers=0
 * expect: built
 * expect: built
 * expect: kernel add launches=6 flags=1,11,186a0
 * expect: kernel twice launches=1 flags=1,12,ffffffff
 * expect: kernel never launches=0 flags=0,0,0 */
#include "expect.h"
#include "host.h"

#define COUNT 1000
#define BYTES (COUNT * sizeof(int))

/* In the schema the sum becomes a difference; its selector is left behind in the flags. */
static const char *const source =
    "//@schema add 3 add__cltc_m17 16 100000\n"
    "//@schema twice 3 add__cltc_m17 18 4294967295\n"
    "//@schema never 3 never 19 1\n"
    "#ifdef HIDDEN\n"
    "__kernel void add__cltc_m17(__global int *a, int n HIDDEN) {\n"
    "  a[get_global_id(0)] -= n; atomic_or(&cltc_flags[0], 1u);\n"
    "  atomic_or(&cltc_flags[1], (uint)cltc_first); atomic_or(&cltc_flags[2], (uint)(cltc_first >> 32));\n}\n"
    "#endif\n" PLAIN
    "__kernel void add(__global int *a, int n) { a[get_global_id(0)] += n; }\n"
    "__kernel void twice(__global int *a, int n) { a[get_global_id(0)] += 2 * n; }\n"
    "__kernel void never(__global int *a, int n HIDDEN) { a[get_global_id(0)] += 3 * n; }\n"
    "__kernel void other(__global int *a, int n) { a[get_global_id(0)] += 4 * n; }\n";

static int expected[COUNT];

/* As the program's own mutant would. */
static void launch(const host *h, cl_kernel k, cl_mem m, int n, int mutated) {
  host_arguments(k, m, n);
  host_launch(h, k, COUNT);
  for (int i = 0; i < COUNT; i++) expected[i] += mutated;
}

static void read_whole(const host *h, cl_mem m, const char *kernel, unsigned number) {
  static int got[COUNT];
  CHECK(clEnqueueReadBuffer(h->queue, m, CL_TRUE, 0, BYTES, got, 0, NULL, NULL));
  expect_read(kernel, 0, number, expected, BYTES);
}

int main(void) {
  cl_int error;
  host h = host_open(0);
  cl_program p = host_program(&h, source, "");
  cl_kernel add = host_kernel(p, "add"), twice = host_kernel(p, "twice"), other = host_kernel(p, "other");
  cl_kernel never = host_kernel(p, "never");
  cl_mem m = host_buffer(&h, BYTES);
  launch(&h, add, m, 7, -7);
  read_whole(&h, m, "add", 0);
  launch(&h, add, m, 1, -1);
  launch(&h, twice, m, 5, -5);
  read_whole(&h, m, "twice", 0);
  launch(&h, other, m, 2, 8);
  read_whole(&h, m, "other", 0);
  cl_kernel clone = clCloneKernel(add, &error);
  launch(&h, error ? add : clone, m, 1, -1);
  read_whole(&h, m, "add", 2);
  if (!error) CHECK(clReleaseKernel(clone));
  CHECK(clReleaseCommandQueue(h.queue));
  h.queue = clCreateCommandQueue(h.context, h.device, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, &error);
  CHECK(error);
  launch(&h, add, m, 3, -3);
  CHECK(clFinish(h.queue));
  launch(&h, add, m, 3, -3);
  CHECK(clFinish(h.queue));
  read_whole(&h, m, "add", 4);
  cl_program p_again = host_program(&h, source, ""); /* mutant 17 */
  cl_kernel add_again = host_kernel(p_again, "add");
  launch(&h, add_again, m, 4, -4);
  CHECK(clFinish(h.queue));
  read_whole(&h, m, "add", 5);
  CHECK(clReleaseKernel(add_again));
  CHECK(clReleaseProgram(p_again));
  char name[64];
  CHECK(clGetKernelInfo(add, CL_KERNEL_FUNCTION_NAME, sizeof name, name, NULL));
  printf("%s\n", name);
  CHECK(clReleaseKernel(add));
  CHECK(clReleaseKernel(twice));
  CHECK(clReleaseKernel(other));
  CHECK(clReleaseKernel(never));
  CHECK(clReleaseMemObject(m));
  CHECK(clReleaseProgram(p));
  host_close(&h);
  return 0;
}
