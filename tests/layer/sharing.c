/* Two contexts, many threads with queues and kernel objects of their own, threads that share one queue, and many
 * short-lived programs and queues.
 * expect: hello layer_sharing
 * expect: instrument sources=1 [] headers=0
 * expect: instrument sources=1 [] headers=0
 * expect: instrument sources=1 [-DAGAIN] headers=0
 * expect: instrument sources=1 [-DAGAIN] headers=0
 * expect: instrument sources=1 [-DAGAIN] headers=0
 * expect: built
 * expect: built
 * expect: built
 * expect: built
 * expect: built
 * expect: kernel work launches=1600 flags=7
 * expect: kernel again launches=3 flags=5 */
#include <pthread.h>

#include "host.h"

#define THREADS 8

typedef struct worker {
  host *h;
  cl_program program;
  int number;
  int own_queue;
  long sum;
} worker;

static void *work(void *data) {
  worker *w = data;
  host h = *w->h;
  cl_int error;
  if (w->own_queue) {
    h.queue = clCreateCommandQueue(h.context, h.device, 0, &error);
    CHECK(error);
  }
  cl_kernel k = host_kernel(w->program, "work");
  cl_mem m = host_buffer(&h, 4000);
  for (int i = 0; i < 100; i++) {
    host_arguments(k, m, i % 10);
    host_launch(&h, k, 1000);
    if (i % 17 == 0) CHECK(clFinish(h.queue));
    if (i % 31 == 0) w->sum += host_sum(&h, m, 1000);
  }
  w->sum += host_sum(&h, m, 1000);
  CHECK(clReleaseKernel(k));
  CHECK(clReleaseMemObject(m));
  if (w->own_queue) CHECK(clReleaseCommandQueue(h.queue));
  return NULL;
}

int main(void) {
  host h[2] = {host_open(0), host_open(0)};
  cl_program p[2];
  pthread_t threads[2 * THREADS];
  worker workers[2 * THREADS];
  for (int c = 0; c < 2; c++) p[c] = host_program(&h[c], PLAIN ADD("work"), "");
  for (int i = 0; i < 2 * THREADS; i++) {
    workers[i] = (worker){&h[i % 2], p[i % 2], i, i % 4 < 2, 0};
    pthread_create(&threads[i], NULL, work, &workers[i]);
  }
  for (int i = 0; i < 2 * THREADS; i++) {
    pthread_join(threads[i], NULL);
    printf("thread %d: %ld\n", i, workers[i].sum);
  }
  for (int i = 0; i < 3; i++) {
    cl_program again = host_program(&h[0], PLAIN ADD("again"), "-DAGAIN");
    cl_kernel k = host_kernel(again, "again");
    cl_mem m = host_buffer(&h[0], 400);
    host_arguments(k, m, 2);
    host_launch(&h[0], k, 100);
    printf("again %ld\n", host_sum(&h[0], m, 100));
    CHECK(clReleaseKernel(k));
    CHECK(clReleaseProgram(again));
    CHECK(clReleaseMemObject(m));
  }
  for (int c = 0; c < 2; c++) {
    CHECK(clReleaseProgram(p[c]));
    host_close(&h[c]);
  }
  return 0;
}
