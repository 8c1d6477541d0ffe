/* Times on the device: every launch counts, of twins and of kernels that are left alone, but for those that may wait
 * for the program itself: none of them may be waited for.
 * env: CLTESTCHECK_TIMES=1
 * expect: hello layer_times
 * expect: hello layer_times
 * expect: instrument sources=1 [] headers=0
 * expect: instrument sources=1 [] headers=0
 * expect: built
 * expect: built
 * expect: kernel add launches=41 flags=7
 * expect: kernel gated launches=5 flags=7
 * expect: times add launches=20
 * expect: times add launches=20
 * expect: times slow launches=3
 * expect: times slow launches=3
 * expect: times gated launches=2
 * expect: times: the most slow */
#include <sys/wait.h>
#include <unistd.h>

#include "host.h"

#define SLOW                                                               \
  "__kernel void slow(__global int *a, int n) {\n"                         \
  "  int x = a[0];\n"                                                      \
  "  for (int i = 0; i < n; i++) x = x * 1103515245 + 12345 + (x >> 7);\n" \
  "  a[get_global_id(0)] = x;\n}\n"

static volatile int called;

typedef struct launcher {
  const host *h;
  cl_kernel kernel;
} launcher;

/* A callback must not block; the launch in it is not timed. */
static void CL_CALLBACK again(cl_event event, cl_int status, void *data) {
  const launcher *l = data;
  (void)event;
  size_t items = 10;
  cl_int result = clEnqueueNDRangeKernel(l->h->queue, l->kernel, 1, NULL, &items, NULL, 0, NULL, NULL);
  called = status == CL_COMPLETE && result == CL_SUCCESS ? 1 : -1;
}

static void use(cl_command_queue_properties properties) {
  host h = host_open(properties);
  cl_program p = host_program(&h, PLAIN ADD("add") ADD("gated") SLOW, "");
  cl_kernel add = host_kernel(p, "add"), slow = host_kernel(p, "slow"), gated = host_kernel(p, "gated");
  cl_mem m = host_buffer(&h, 400);
  for (int i = 0; i < 20; i++) {
    host_arguments(add, m, i % 10);
    host_launch(&h, add, 100);
  }
  host_arguments(slow, m, 50000000);
  for (int i = 0; i < 3; i++)
    host_launch(&h, slow, 1);
  if (!properties) {
    cl_int error;
    cl_event gate = clCreateUserEvent(h.context, &error), event, first;
    CHECK(error);
    size_t items = 100;
    host_arguments(gated, m, 7);
    CHECK(clEnqueueNDRangeKernel(h.queue, gated, 1, NULL, &items, NULL, 1, &gate, &first));
    host_arguments(gated, m, 2);
    CHECK(clEnqueueNDRangeKernel(h.queue, gated, 1, NULL, &items, NULL, 1, &first, &event)); /* waits as well */
    CHECK(clEnqueueNDRangeKernel(h.queue, gated, 1, NULL, &items, NULL, 0, NULL, NULL));
    launcher l = {&h, add};
    CHECK(clSetEventCallback(event, CL_COMPLETE, again, &l));
    printf("gate\n");
    CHECK(clSetUserEventStatus(gate, CL_COMPLETE));
    while (!called)
      usleep(100);
    printf("called %d\n", called);
    host_launch(&h, gated, 100);
    host_launch(&h, gated, 10);
    CHECK(clReleaseEvent(gate));
    CHECK(clReleaseEvent(first));
    CHECK(clReleaseEvent(event));
  }
  CHECK(clFinish(h.queue));
  CHECK(clReleaseKernel(add));
  CHECK(clReleaseKernel(slow));
  CHECK(clReleaseKernel(gated));
  CHECK(clReleaseMemObject(m));
  CHECK(clReleaseProgram(p));
  host_close(&h);
}

int main(void) {
  int status;
  pid_t child = fork();
  if (child == 0) {
    use(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    exit(0);
  }
  waitpid(child, &status, 0);
  printf("child %d\n", status);
  fflush(stdout);
  use(0);
  return 0;
}
