/* Reads on an out-of-order queue and after user events: what is looked at is what the program gets, also when it
 * writes to the memory as soon as it may; nothing is held up, and what never happens is not waited for.
 * env: CLTESTCHECK_OBSERVE=blocks
 * expect: hello layer_reads_unordered
 * expect: instrument sources=1 [] headers=0
 * expect: built
 * expect: note program=-1 a read of the program could not be looked at: no memory, or it failed on the device
 * expect: kernel add launches=3 flags=7 */
#include <unistd.h>

#include "expect.h"
#include "host.h"

#define COUNT 100001
#define BYTES (COUNT * sizeof(int))

static host h;
static cl_kernel add;
static int expected[COUNT], got[COUNT];

static void fill(int value) {
  for (int i = 0; i < COUNT; i++) expected[i] = value;
}

static cl_event launch(cl_mem m, int n, const cl_event *behind) {
  cl_event event;
  size_t items = COUNT;
  host_arguments(add, m, n);
  CHECK(clEnqueueNDRangeKernel(h.queue, add, 1, NULL, &items, NULL, behind ? 1 : 0, behind, &event));
  return event;
}

/* Launch, read, write, read, map: each waits for the one before; most of them only for what the user's call says. */
static void chain(void) {
  static int nines[COUNT];
  cl_int error;
  cl_mem m = host_buffer(&h, BYTES);
  cl_event events[6];
  memset(nines, 9, BYTES);
  events[0] = launch(m, 6, NULL);
  fill(6);
  CHECK(clEnqueueReadBuffer(h.queue, m, CL_FALSE, 0, BYTES, got, 1, &events[0], &events[1]));
  expect_read("add", 0, 0, expected, BYTES);
  CHECK(clEnqueueWriteBuffer(h.queue, m, CL_FALSE, 0, BYTES, nines, 1, &events[1], &events[2]));
  CHECK(clEnqueueReadBuffer(h.queue, m, CL_FALSE, 4, 999, got, 1, &events[2], &events[3]));
  expect_read("add", 0, 0, nines, 999);
  int *at =
      clEnqueueMapBuffer(h.queue, m, CL_FALSE, CL_MAP_READ | CL_MAP_WRITE, 0, BYTES, 1, &events[3], &events[4], &error);
  CHECK(error);
  expect_read("add", 0, 0, nines, BYTES);
  CHECK(clWaitForEvents(1, &events[4]));
  memset(at, 1, BYTES);
  CHECK(clEnqueueUnmapMemObject(h.queue, m, at, 0, NULL, &events[5]));
  CHECK(clFinish(h.queue));
  printf("chain %d\n", got[0]);
  for (int i = 0; i < 6; i++) CHECK(clReleaseEvent(events[i]));
  CHECK(clReleaseMemObject(m));
}

/* A read waits for a user event that is set only after a later read has completed. */
static void crossed(void) {
  cl_int error, status;
  static int other[COUNT];
  cl_mem m = host_buffer(&h, BYTES), n = host_buffer(&h, BYTES);
  cl_event gate = clCreateUserEvent(h.context, &error), first, second;
  CHECK(error);
  cl_event launched = launch(m, 3, &gate);
  CHECK(clEnqueueReadBuffer(h.queue, m, CL_FALSE, 0, BYTES, got, 1, &launched, &first));
  fill(6);
  expect_read("add", 0, 1, expected, BYTES);
  CHECK(clEnqueueReadBuffer(h.queue, n, CL_FALSE, 0, BYTES, other, 0, NULL, &second));
  fill(0);
  expect_read("", 0, 0, expected, BYTES);
  CHECK(clFlush(h.queue));
  CHECK(clWaitForEvents(1, &second));
  CHECK(clGetEventInfo(first, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
  printf("first waits: %d\n", status > CL_COMPLETE);
  CHECK(clSetUserEventStatus(gate, CL_COMPLETE));
  CHECK(clWaitForEvents(1, &first));
  printf("first %d\n", got[COUNT - 1]);
  memset(got, 0, BYTES);
  cl_uint count;
  CHECK(clFinish(h.queue));
  usleep(20000); /* PoCL drops its own references a little later */
  CHECK(clGetEventInfo(first, CL_EVENT_REFERENCE_COUNT, sizeof count, &count, NULL));
  printf("references %u\n", count);
  CHECK(clReleaseEvent(gate));
  CHECK(clReleaseEvent(launched));
  CHECK(clReleaseEvent(first));
  CHECK(clReleaseEvent(second));
  CHECK(clReleaseMemObject(m));
  CHECK(clReleaseMemObject(n));
}

/* A read after a command that fails does not happen either. */
static void failed(void) {
  cl_int error, status;
  cl_mem m = host_buffer(&h, BYTES);
  cl_event gate = clCreateUserEvent(h.context, &error), event;
  CHECK(error);
  CHECK(clEnqueueReadBuffer(h.queue, m, CL_FALSE, 0, BYTES, got, 1, &gate, &event));
  expect_read("", 0, 0, NULL, 0);
  CHECK(clSetUserEventStatus(gate, -5));
  error = clWaitForEvents(1, &event);
  CHECK(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
  printf("failed %d %d\n", error < 0, status < 0);
  CHECK(clReleaseEvent(event));
  CHECK(clReleaseEvent(gate));
  CHECK(clReleaseMemObject(m));
}

/* Many reads under way. */
static void many(void) {
  static int into[200][10];
  cl_mem m = host_buffer(&h, BYTES);
  cl_event launched = launch(m, 8, NULL), last = NULL;
  fill(8);
  for (int i = 0; i < 200; i++) {
    CHECK(clEnqueueReadBuffer(h.queue, m, CL_FALSE, 0, 40, into[i], 1, &launched, i == 199 ? &last : NULL));
    expect_read("add", 0, 2, expected, 40);
  }
  CHECK(clWaitForEvents(1, &last));
  CHECK(clFinish(h.queue));
  CHECK(clReleaseEvent(last));
  CHECK(clReleaseEvent(launched));
  CHECK(clReleaseMemObject(m));
}

/* Its gate is never opened: the program ends nevertheless. */
static void never(void) {
  cl_int error;
  host other = host_open(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  cl_mem m = host_buffer(&other, BYTES);
  cl_event gate = clCreateUserEvent(other.context, &error);
  CHECK(error);
  CHECK(clEnqueueReadBuffer(other.queue, m, CL_FALSE, 0, BYTES, got, 1, &gate, NULL));
  CHECK(clFlush(other.queue));
}

int main(void) {
  h = host_open(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  cl_program p = host_program(&h, PLAIN ADD("add"), "");
  add = host_kernel(p, "add");
  chain();
  crossed();
  many();
  failed();
  never();
  printf("end\n");
  return 0;
}
