/* Evidence leaves at blocking transfers: the program ends by _exit, after each of them in a child of its own.
 * expect: hello layer_transfers
 * expect: hello layer_transfers
 * expect: hello layer_transfers
 * expect: hello layer_transfers
 * expect: hello layer_transfers
 * expect: hello layer_transfers
 * expect: hello layer_transfers
 * expect: instrument sources=1 [] headers=0
 * expect: instrument sources=1 [] headers=0
 * expect: instrument sources=1 [] headers=0
 * expect: instrument sources=1 [] headers=0
 * expect: instrument sources=1 [] headers=0
 * expect: instrument sources=1 [] headers=0
 * expect: instrument sources=1 [] headers=0
 * expect: built
 * expect: built
 * expect: built
 * expect: built
 * expect: built
 * expect: built
 * expect: built
 * expect: kernel add launches=7 flags=5 */
#include <sys/wait.h>
#include <unistd.h>

#include "host.h"

static long total(const int *values) {
  long sum = 0;
  for (int i = 0; i < 100; i++) sum += values[i];
  return sum;
}

static long by_map(const host *h, cl_mem m) {
  cl_int error;
  int *values = clEnqueueMapBuffer(h->queue, m, CL_TRUE, CL_MAP_READ, 0, 400, 0, NULL, NULL, &error);
  CHECK(error);
  long sum = total(values);
  CHECK(clEnqueueUnmapMemObject(h->queue, m, values, 0, NULL, NULL));
  return sum;
}

static long by_rectangle(const host *h, cl_mem m) {
  int values[100];
  size_t origin[3] = {0}, region[3] = {40, 10, 1};
  CHECK(clEnqueueReadBufferRect(h->queue, m, CL_TRUE, origin, origin, region, 40, 0, 40, 0, values, 0, NULL, NULL));
  return total(values);
}

static long by_write(const host *h, cl_mem m) {
  int value = 5;
  CHECK(clEnqueueWriteBuffer(h->queue, m, CL_TRUE, 0, sizeof value, &value, 0, NULL, NULL));
  return value;
}

static long by_read(const host *h, cl_mem m) { return host_sum(h, m, 100); }

static long by_finish(const host *h, cl_mem m) {
  int values[100];
  CHECK(clEnqueueReadBuffer(h->queue, m, CL_FALSE, 0, sizeof values, values, 0, NULL, NULL));
  CHECK(clFinish(h->queue));
  return total(values);
}

static long by_event(const host *h, cl_mem m) {
  int values[100];
  cl_event event;
  CHECK(clEnqueueReadBuffer(h->queue, m, CL_FALSE, 0, sizeof values, values, 0, NULL, &event));
  CHECK(clWaitForEvents(1, &event));
  usleep(20000);
  CHECK(clWaitForEvents(1, &event)); /* what came after it in the queue has arrived by now */
  CHECK(clReleaseEvent(event));
  return total(values);
}

static long by_release(const host *h, cl_mem m) {
  (void)m;
  CHECK(clReleaseCommandQueue(h->queue));
  return 0;
}

static void child(long (*end)(const host *, cl_mem)) {
  host h = host_open(0);
  cl_program p = host_program(&h, PLAIN ADD("add"), "");
  cl_kernel k = host_kernel(p, "add");
  cl_mem m = host_buffer(&h, 400);
  host_arguments(k, m, 4);
  host_launch(&h, k, 100);
  printf("%ld\n", end(&h, m));
  fflush(stdout);
  _exit(0);
}

int main(void) {
  long (*const ends[])(const host *, cl_mem) = {by_map,    by_rectangle, by_write,  by_read,
                                                by_finish, by_event,     by_release};
  for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
    int status;
    pid_t p = fork();
    if (p == 0) child(ends[i]);
    waitpid(p, &status, 0);
    printf("status %d\n", status);
    fflush(stdout);
  }
  return 0;
}
