/* Gated kernels on out-of-order queues: chains of events, launches side by side, one that waits for the program
 * for ever, and some at the end that nobody waits for. No two launches may have a record at the same time.
 * expect: hello layer_gate_unordered
 * expect: instrument sources=1 [] headers=0
 * expect: built
 * expect: kernel first launches=603 flags=7
 * expect: kernel second launches=601 flags=5
 * expect: kernel waiting launches=0 flags=0
 * expect: gated first asked=603 arrived=603
 * expect: gated second asked=601 arrived=601
 * expect: kernel last launches=21 flags=3
 * expect: gated last asked=21 arrived=21
 * expect: launch last 100/0 even=1 times=21
 * expect: gated waiting asked=1 arrived=0
 * expect: launch first 1000/0 even=1 times=600
 * expect: launch first 100/0 even=1 times=3
 * expect: launch second 1000/0 even=1 times=600
 * expect: launch second 100/0 even=1 times=1
 * expect: launch waiting 100/0 even=1 times=1 */
#include <unistd.h>

#include "host.h"

#define SIDES 10

static host h;
static cl_program program;

static cl_event launch(cl_command_queue queue, cl_kernel k, size_t items, cl_event before) {
  cl_event event;
  CHECK(clEnqueueNDRangeKernel(queue, k, 1, NULL, &items, NULL, before ? 1 : 0, before ? &before : NULL, &event));
  return event;
}

/* Many launches under way, each waiting for the one before. */
static void chain(void) {
  cl_kernel k[2] = {host_kernel(program, "first"), host_kernel(program, "second")};
  cl_mem m = host_buffer(&h, 4000);
  host_arguments(k[0], m, 7);
  host_arguments(k[1], m, 1);
  cl_event last = NULL;
  for (int i = 0; i < 100; i++) {
    cl_event event = launch(h.queue, k[i % 2], 1000, last);
    if (last) CHECK(clReleaseEvent(last));
    last = event;
  }
  CHECK(clFinish(h.queue));
  CHECK(clReleaseEvent(last));
  printf("chain %ld\n", host_sum(&h, m, 1000));
  CHECK(clReleaseKernel(k[0]));
  CHECK(clReleaseKernel(k[1]));
  CHECK(clReleaseMemObject(m));
}

/* Launches that nothing keeps apart, on memory of their own. */
static void side_by_side(void) {
  cl_kernel k[2] = {host_kernel(program, "first"), host_kernel(program, "second")};
  cl_mem m[SIDES];
  cl_event last[SIDES] = {0};
  long sum = 0;
  for (int s = 0; s < SIDES; s++) m[s] = host_buffer(&h, 4000);
  for (int i = 0; i < 110 * SIDES; i++) {
    int s = i % SIDES;
    host_arguments(k[i / SIDES % 2], m[s], i / SIDES % 2 ? 2 : i / SIDES % 8);
    cl_event event = launch(h.queue, k[i / SIDES % 2], 1000, last[s]);
    if (last[s]) CHECK(clReleaseEvent(last[s]));
    last[s] = event;
  }
  CHECK(clWaitForEvents(SIDES, last));
  for (int s = 0; s < SIDES; s++) {
    sum += host_sum(&h, m[s], 1000);
    CHECK(clReleaseEvent(last[s]));
    CHECK(clReleaseMemObject(m[s]));
  }
  printf("side by side %ld\n", sum);
  CHECK(clReleaseKernel(k[0]));
  CHECK(clReleaseKernel(k[1]));
}

/* A waits for a user event that is set only after B, enqueued later, has completed. */
static void crossed(void) {
  cl_int error, status;
  cl_kernel a = host_kernel(program, "first"), b = host_kernel(program, "second");
  cl_mem m = host_buffer(&h, 400), n = host_buffer(&h, 400);
  host_arguments(a, m, 3);
  host_arguments(b, n, 4);
  cl_event gate = clCreateUserEvent(h.context, &error);
  CHECK(error);
  cl_event event_a = launch(h.queue, a, 100, gate), event_b = launch(h.queue, b, 100, NULL);
  CHECK(clFlush(h.queue));
  CHECK(clWaitForEvents(1, &event_b));
  CHECK(clGetEventInfo(event_a, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
  printf("a waits: %d\n", status > CL_COMPLETE);
  CHECK(clSetUserEventStatus(gate, CL_COMPLETE));
  CHECK(clWaitForEvents(1, &event_a));
  printf("a %ld b %ld\n", host_sum(&h, m, 100), host_sum(&h, n, 100));
  CHECK(clReleaseEvent(gate));
  CHECK(clReleaseEvent(event_a));
  CHECK(clReleaseEvent(event_b));
  CHECK(clReleaseKernel(a));
  CHECK(clReleaseKernel(b));
  CHECK(clReleaseMemObject(m));
  CHECK(clReleaseMemObject(n));
}

/* The queue is released while its command still waits for the program. */
static void released(void) {
  cl_int error;
  cl_command_queue queue = clCreateCommandQueue(h.context, h.device, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, &error);
  CHECK(error);
  cl_kernel k = host_kernel(program, "first");
  cl_mem m = host_buffer(&h, 400);
  host_arguments(k, m, 3);
  cl_event gate = clCreateUserEvent(h.context, &error), event = launch(queue, k, 100, gate);
  CHECK(clReleaseCommandQueue(queue));
  cl_event next = launch(h.queue, k, 100, event);
  CHECK(clReleaseKernel(k));
  CHECK(clSetUserEventStatus(gate, CL_COMPLETE));
  CHECK(clWaitForEvents(1, &next));
  printf("released %ld\n", host_sum(&h, m, 100));
  CHECK(clReleaseEvent(next));
  CHECK(clReleaseEvent(event));
  CHECK(clReleaseEvent(gate));
  CHECK(clReleaseMemObject(m));
}

/* The program ends while a launch waits for it, and has not waited for others. */
static void left_behind(void) {
  cl_int error;
  cl_command_queue queue = clCreateCommandQueue(h.context, h.device, 0, &error);
  CHECK(error);
  cl_kernel waiting = host_kernel(program, "waiting"), last = host_kernel(program, "last");
  host_arguments(waiting, host_buffer(&h, 400), 3);
  host_arguments(last, host_buffer(&h, 400), 8);
  launch(queue, last, 100, NULL); /* compiles it: drivers crash when a process ends meanwhile */
  CHECK(clFinish(queue));
  launch(h.queue, waiting, 100, clCreateUserEvent(h.context, &error));
  for (int i = 0; i < 20; i++) launch(queue, last, 100, NULL);
  printf("end\n");
  usleep(50000); /* PoCL by itself may crash when a program ends under its feet */
}

int main(void) {
  h = host_open(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  program = host_program(
      &h, PLAIN GATED_ADD("first", "0") GATED_ADD("second", "0") GATED_ADD("waiting", "1") GATED_ADD("last", "0"), "");
  chain();
  side_by_side();
  crossed();
  released();
  CHECK(clFinish(h.queue));
  left_behind();
  return 0;
}
