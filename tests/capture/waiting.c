/* Reads that the program does not wait for: the layer does, but not where the program itself is what they wait for; and
 * commands of several threads. */
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

#include "expect.h"

#define SOURCE "kernel void add(global int *a, int n) { a[get_global_id(0)] += n; }"

/* A command that waits for the program: it is not looked at. */
static void user_event(const host *h, cl_mem m) {
  cl_int error;
  int values[4] = {1, 2, 3, 4}, back[4] = {0};
  cl_event go = clCreateUserEvent(h->context, &error), done;
  CHECK(error);
  CHECK(clEnqueueWriteBuffer(h->queue, m, CL_FALSE, 0, 16, values, 1, &go, NULL));
  expect("write memory=0 offset=0 size=16 blob=01000000020000000300000004000000");
  CHECK(clEnqueueReadBuffer(h->queue, m, CL_FALSE, 0, 16, back, 0, NULL, &done));
  expect("read memory=0 offset=0 size=16 unknown");
  void *p = clEnqueueMapBuffer(h->queue, m, CL_FALSE, CL_MAP_READ | CL_MAP_WRITE, 0, 4, 0, NULL, NULL, &error);
  CHECK(error);
  expect("read memory=0 offset=0 size=4 unknown");
  CHECK(clSetUserEventStatus(go, CL_COMPLETE));
  CHECK(clWaitForEvents(1, &done));
  CHECK(clFinish(h->queue));
  printf("%d %d\n", back[0], back[3]);
  memcpy(p, &values[3], 4);
  CHECK(clEnqueueUnmapMemObject(h->queue, m, p, 0, NULL, NULL));
  expect("write memory=0 offset=0 size=4 blob=04000000");
  CHECK(clReleaseEvent(done));
  CHECK(clReleaseEvent(go));
}

/* One that was unmapped before it could be mapped has nothing of the host's in it. */
static void unmapped_early(const host *h, cl_mem m) {
  cl_int error;
  cl_event go = clCreateUserEvent(h->context, &error);
  CHECK(error);
  void *p = clEnqueueMapBuffer(h->queue, m, CL_FALSE, CL_MAP_WRITE, 0, 4, 1, &go, NULL, &error);
  CHECK(error);
  CHECK(clEnqueueUnmapMemObject(h->queue, m, p, 0, NULL, NULL));
  CHECK(clSetUserEventStatus(go, CL_COMPLETE));
  CHECK(clFinish(h->queue));
  CHECK(clReleaseEvent(go));
}

typedef struct in_callback {
  const host *h;
  cl_mem m;
  int back[4];
  cl_event read;
  atomic_int done;
} in_callback;

/* In a callback nobody may wait. */
static void CL_CALLBACK called(cl_event event, cl_int status, void *data) {
  in_callback *c = data;
  (void)event;
  (void)status;
  CHECK(clEnqueueReadBuffer(c->h->queue, c->m, CL_FALSE, 0, 16, c->back, 0, NULL, &c->read));
  expect("read memory=0 offset=0 size=16 unknown");
  atomic_store(&c->done, 1);
}

static void callback(const host *h, cl_mem m) {
  in_callback c = {.h = h, .m = m};
  cl_event event;
  int value = 9;
  CHECK(clEnqueueWriteBuffer(h->queue, m, CL_FALSE, 0, 4, &value, 0, NULL, &event));
  expect("write memory=0 offset=0 size=4 blob=09000000");
  CHECK(clSetEventCallback(event, CL_COMPLETE, called, &c));
  CHECK(clFinish(h->queue));
  while (!atomic_load(&c.done)) nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
  CHECK(clWaitForEvents(1, &c.read));
  printf("%d\n", c.back[0]);
  CHECK(clReleaseEvent(c.read));
  CHECK(clReleaseEvent(event));
}

/* A read that waits for a command of another queue, which nobody has flushed. */
static void other_queue(const host *h, cl_mem m) {
  cl_int error;
  int back[4], value = 21;
  cl_event written;
  cl_command_queue other = clCreateCommandQueue(h->context, h->device, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, &error);
  CHECK(error);
  CHECK(clEnqueueWriteBuffer(other, m, CL_FALSE, 0, 4, &value, 0, NULL, &written));
  expect("write memory=0 offset=0 size=4 blob=15000000");
  CHECK(clEnqueueReadBuffer(h->queue, m, CL_FALSE, 0, 16, back, 1, &written, NULL));
  CHECK(clFlush(other));
  CHECK(clFinish(h->queue));
  expect_read(back, 16, "read memory=0 offset=0 size=16");
  printf("%d\n", back[0]);
  CHECK(clReleaseEvent(written));
  CHECK(clReleaseCommandQueue(other));
}

typedef struct worker {
  const host *h;
  cl_mem m;
  int sum;
} worker;

/* Threads with memory and queues of their own: in which order they are recorded does not matter. */
static void *work(void *data) {
  worker *w = data;
  int back[4];
  cl_int error;
  cl_command_queue queue = clCreateCommandQueue(w->h->context, w->h->device, 0, &error);
  CHECK(error);
  for (int i = 0; i < 200; i++) {
    int value = i;
    CHECK(clEnqueueWriteBuffer(queue, w->m, CL_FALSE, 0, 4, &value, 0, NULL, NULL));
    CHECK(clEnqueueReadBuffer(queue, w->m, i % 2 ? CL_TRUE : CL_FALSE, 0, 16, back, 0, NULL, NULL));
    CHECK(clFinish(queue));
    w->sum += back[0];
  }
  CHECK(clReleaseCommandQueue(queue));
  return NULL;
}

static void threads(const host *h) {
  enum { THREADS = 4 };
  worker workers[THREADS];
  pthread_t ids[THREADS];
  for (int i = 0; i < THREADS; i++) {
    workers[i] = (worker){.h = h, .m = host_buffer(h, 16)};
    TRUE_(pthread_create(&ids[i], NULL, work, &workers[i]) == 0);
  }
  for (int i = 0; i < THREADS; i++) {
    TRUE_(pthread_join(ids[i], NULL) == 0);
    printf("%d\n", workers[i].sum);
  }
}

int main(int argc, char **argv) {
  host h = host_open(0);
  cl_mem m = host_buffer(&h, 16);
  (void)argv;
  if (argc > 1) {
    threads(&h);
    return 0;
  }
  expect("buffer flags=1 size=16 blob=00000000000000000000000000000000");
  user_event(&h, m);
  unmapped_early(&h, m);
  callback(&h, m);
  other_queue(&h, m);
  host_close(&h);
  return 0;
}
