/* Out-of-order queues, user events, callbacks, polling: nothing of ours may hold anything up.
 * expect: hello layer_queues
 * expect: instrument sources=1 [] headers=0
 * expect: built
 * expect: kernel first launches=54 flags=7
 * expect: kernel second launches=52 flags=5 */
#include <unistd.h>

#include "host.h"

static cl_program program;

/* A waits for a user event that is set only after B, enqueued later, has completed. */
static void crossed(const host *h) {
  cl_int error;
  cl_kernel a = host_kernel(program, "first"), b = host_kernel(program, "second");
  cl_mem m = host_buffer(h, 400), n = host_buffer(h, 400);
  host_arguments(a, m, 3);
  host_arguments(b, n, 4);
  size_t items = 100;
  cl_event gate = clCreateUserEvent(h->context, &error), event_a, event_b;
  CHECK(error);
  CHECK(clEnqueueNDRangeKernel(h->queue, a, 1, NULL, &items, NULL, 1, &gate, &event_a));
  CHECK(clEnqueueNDRangeKernel(h->queue, b, 1, NULL, &items, NULL, 0, NULL, &event_b));
  CHECK(clFlush(h->queue));
  CHECK(clWaitForEvents(1, &event_b));
  cl_int status;
  CHECK(clGetEventInfo(event_a, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
  printf("a waits: %d\n", status > CL_COMPLETE);
  CHECK(clSetUserEventStatus(gate, CL_COMPLETE));
  CHECK(clWaitForEvents(1, &event_a));
  printf("a %ld b %ld\n", host_sum(h, m, 100), host_sum(h, n, 100));
  usleep(2000);
  cl_uint count;
  CHECK(clGetEventInfo(event_b, CL_EVENT_REFERENCE_COUNT, sizeof count, &count, NULL));
  CHECK(clReleaseEvent(gate));
  CHECK(clReleaseEvent(event_a));
  CHECK(clReleaseEvent(event_b));
  CHECK(clReleaseKernel(a));
  CHECK(clReleaseKernel(b));
  CHECK(clReleaseMemObject(m));
  CHECK(clReleaseMemObject(n));
}

/* Many launches under way, each waiting for the one before. */
static void chain(const host *h) {
  cl_kernel k[2] = {host_kernel(program, "first"), host_kernel(program, "second")};
  cl_mem m = host_buffer(h, 40000);
  host_arguments(k[0], m, 7);
  host_arguments(k[1], m, 1);
  size_t items = 10000;
  cl_event last = NULL;
  for (int i = 0; i < 100; i++) {
    cl_event event;
    CHECK(clEnqueueNDRangeKernel(h->queue, k[i % 2], 1, NULL, &items, NULL, last ? 1 : 0, last ? &last : NULL, &event));
    if (last) CHECK(clReleaseEvent(last));
    last = event;
  }
  CHECK(clFinish(h->queue));
  CHECK(clReleaseEvent(last));
  printf("chain %ld\n", host_sum(h, m, 10000));
  CHECK(clReleaseKernel(k[0]));
  CHECK(clReleaseKernel(k[1]));
  CHECK(clReleaseMemObject(m));
}

static volatile int called;

static void CL_CALLBACK complete(cl_event event, cl_int status, void *data) {
  (void)event;
  (void)data;
  called = status == CL_COMPLETE ? 1 : -1;
}

/* An in-order queue that waits for the program; callbacks and polling instead of waiting. */
static void in_order(const host *h) {
  cl_int error, status = CL_QUEUED;
  cl_command_queue queue = clCreateCommandQueue(h->context, h->device, 0, &error);
  CHECK(error);
  host mine = {h->platform, h->device, h->context, queue};
  cl_kernel k = host_kernel(program, "first");
  cl_mem m = host_buffer(h, 400);
  host_arguments(k, m, 3);
  size_t items = 100;
  cl_event gate = clCreateUserEvent(h->context, &error), event;
  CHECK(clEnqueueNDRangeKernel(queue, k, 1, NULL, &items, NULL, 1, &gate, NULL));
  CHECK(clEnqueueNDRangeKernel(queue, k, 1, NULL, &items, NULL, 0, NULL, &event));
  CHECK(clSetEventCallback(event, CL_COMPLETE, complete, NULL));
  CHECK(clFlush(queue));
  CHECK(clSetUserEventStatus(gate, CL_COMPLETE));
  while (status != CL_COMPLETE)
    CHECK(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
  while (!called) usleep(100);
  printf("in order %ld, called %d\n", host_sum(&mine, m, 100), called);
  CHECK(clReleaseEvent(event));
  CHECK(clReleaseEvent(gate));
  CHECK(clReleaseCommandQueue(queue));
  CHECK(clReleaseKernel(k));
  CHECK(clReleaseMemObject(m));
}

/* The queue is released while its command still waits for the program. */
static void released(const host *h) {
  cl_int error;
  cl_queue_properties properties[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0};
  cl_command_queue queue = clCreateCommandQueueWithProperties(h->context, h->device, properties, &error);
  CHECK(error);
  cl_kernel k = host_kernel(program, "first"), other = host_kernel(program, "second");
  cl_mem m = host_buffer(h, 400);
  host_arguments(k, m, 3);
  host_arguments(other, m, 3);
  size_t items = 100;
  cl_event gate = clCreateUserEvent(h->context, &error), event;
  CHECK(clEnqueueNDRangeKernel(queue, k, 1, NULL, &items, NULL, 1, &gate, &event));
  CHECK(clEnqueueNDRangeKernel(h->queue, other, 1, NULL, &items, NULL, 1, &event, NULL));
  CHECK(clReleaseCommandQueue(queue));
  CHECK(clReleaseKernel(k));
  CHECK(clSetUserEventStatus(gate, CL_COMPLETE));
  CHECK(clFinish(h->queue));
  printf("released %ld\n", host_sum(h, m, 100));
  CHECK(clReleaseEvent(event));
  CHECK(clReleaseEvent(gate));
  CHECK(clReleaseKernel(other));
  CHECK(clReleaseMemObject(m));
}

int main(void) {
  host h = host_open(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE);
  program = host_program(&h, PLAIN ADD("first") ADD("second"), "");
  crossed(&h);
  chain(&h);
  in_order(&h);
  released(&h);
  CHECK(clReleaseProgram(program));
  host_close(&h);
  return 0;
}
