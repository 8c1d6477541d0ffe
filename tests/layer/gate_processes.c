/* Gated kernels in several processes, of which one inherits objects, in two contexts, and by threads with queues of
 * their own and a shared one.
 * expect: hello layer_gate_processes
 * expect: hello layer_gate_processes
 * expect: instrument sources=1 [] headers=0
 * expect: instrument sources=1 [] headers=0
 * expect: instrument sources=1 [] headers=0
 * expect: instrument sources=1 [] headers=0
 * expect: built
 * expect: built
 * expect: built
 * expect: built
 * expect: kernel work launches=1600 flags=7
 * expect: gated work asked=1600 arrived=1600
 * expect: launch work 500/0 even=1 times=1600 */
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include "host.h"

#define THREADS 8
#define LAUNCHES 100

typedef struct worker {
  const host *h;
  cl_program program;
  int own_queue;
  long sum;
} worker;

static void *work(void *data) {
  worker *w = data;
  host h = *w->h;
  cl_int error;
  if (w->own_queue) {
    h.queue = clCreateCommandQueue(h.context, h.device, w->own_queue > 1 ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0,
                                   &error);
    CHECK(error);
  }
  cl_kernel k = host_kernel(w->program, "work");
  cl_mem m = host_buffer(&h, 2000);
  for (int i = 0; i < LAUNCHES; i++) {
    host_arguments(k, m, i % 10);
    host_launch(&h, k, 500);
    if (w->own_queue > 1 || i % 17 == 0) CHECK(clFinish(h.queue));
  }
  w->sum = host_sum(&h, m, 500);
  CHECK(clReleaseKernel(k));
  CHECK(clReleaseMemObject(m));
  if (w->own_queue) CHECK(clReleaseCommandQueue(h.queue));
  return NULL;
}

static void use(const char *who) {
  host h[2] = {host_open(0), host_open(0)};
  cl_program p[2];
  pthread_t threads[THREADS];
  worker workers[THREADS];
  for (int c = 0; c < 2; c++) p[c] = host_program(&h[c], PLAIN GATED_ADD("work", "0"), "");
  for (int i = 0; i < THREADS; i++) {
    workers[i] = (worker){&h[i % 2], p[i % 2], i / 2 % 3, 0};
    pthread_create(&threads[i], NULL, work, &workers[i]);
  }
  for (int i = 0; i < THREADS; i++) {
    pthread_join(threads[i], NULL);
    printf("%s: thread %d: %ld\n", who, i, workers[i].sum);
  }
  fflush(stdout);
  int status;
  pid_t child = fork(); /* inherits our objects and leaves them alone */
  if (child == 0) exit(0);
  waitpid(child, &status, 0);
  for (int c = 0; c < 2; c++) {
    CHECK(clReleaseProgram(p[c]));
    host_close(&h[c]);
  }
}

int main(void) {
  int status;
  pid_t child = fork();
  if (child == 0) {
    use("child");
    exit(0);
  }
  waitpid(child, &status, 0);
  printf("child %d\n", status);
  use("parent");
  return 0;
}
