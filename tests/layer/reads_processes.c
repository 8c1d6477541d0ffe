/* Every process has numbers of its own, and threads share them.
 * env: CLTESTCHECK_OBSERVE=1
 * expect: hello layer_reads_processes
 * expect: hello layer_reads_processes
 * expect: instrument sources=1 [] headers=0
 * expect: instrument sources=1 [] headers=0
 * expect: built
 * expect: built
 * expect: kernel add launches=2 flags=2 */
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include "expect.h"
#include "host.h"

#define COUNT 100
#define THREADS 6
#define READS 50

static host h;
static cl_mem memory;
static int expected[COUNT];

static void *work(void *data) {
  int got[COUNT];
  cl_int error;
  (void)data;
  cl_command_queue queue = clCreateCommandQueue(h.context, h.device, 0, &error);
  CHECK(error);
  for (int i = 0; i < READS; i++) {
    CHECK(clEnqueueReadBuffer(queue, memory, i % 3 == 0, 0, sizeof got, got, 0, NULL, NULL));
    if (i % 7 == 0) CHECK(clFinish(queue));
  }
  CHECK(clFinish(queue));
  CHECK(clReleaseCommandQueue(queue));
  return NULL;
}

static void use(int n) {
  pthread_t threads[THREADS];
  h = host_open(0);
  cl_program p = host_program(&h,
                              PLAIN
                              "//@kernel add 1 1 2\n__kernel void add(__global int *a, int n HIDDEN) {\n"
                              "  BEGIN(1); HIT(1); a[get_global_id(0)] = n;\n  END1\n}\n",
                              "");
  cl_kernel k = host_kernel(p, "add");
  memory = host_buffer(&h, sizeof expected);
  host_arguments(k, memory, n);
  host_launch(&h, k, COUNT);
  CHECK(clFinish(h.queue));
  for (int i = 0; i < COUNT; i++) expected[i] = n;
  for (int i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, work, NULL);
  for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
  for (int i = 0; i < THREADS * READS; i++) expect_read("add", 0, 0, expected, sizeof expected);
  CHECK(clReleaseMemObject(memory));
  CHECK(clReleaseKernel(k));
  CHECK(clReleaseProgram(p));
  host_close(&h);
}

int main(void) {
  int status;
  if (fork() == 0) {
    use(5);
    exit(0);
  }
  wait(&status);
  use(6);
  pid_t child = fork(); /* inherits our objects and leaves them alone */
  if (child == 0) exit(0);
  waitpid(child, &status, 0);
  printf("child %d\n", status);
  return 0;
}
