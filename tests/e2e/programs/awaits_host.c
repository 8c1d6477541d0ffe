/* A program for awaits.sh that reads without blocking, and uses what it read, or ends. Its argument says what it does between:
 * wrong: argument, buffer, write, end, end_map, other (waits for a queue that has nothing to do with it)
 * right: event, finish, blocking, polled, callback, marker, other_queue, late, in_order, elsewhere */
#include <stdatomic.h>
#include <time.h>

#include "tests/layer/host.h"

enum { ITEMS = 64, BYTES = ITEMS * sizeof(int) };

static host h;
static cl_command_queue other;
static cl_mem memory, second;
static cl_kernel kernel;
static int got[ITEMS];
static atomic_int called;

static int is(const char *mode, const char *name) { return strcmp(mode, name) == 0; }

static void CL_CALLBACK notify(cl_event event, cl_int status, void *unused) {
  (void)event, (void)status, (void)unused;
  atomic_store(&called, 1);
}

static void wait_for_callback(void) {
  while (!atomic_load(&called)) {
    nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
  }
}

static void finish(void) { CHECK(clFinish(h.queue)); }

static void launch(cl_command_queue queue) {
  const size_t items = ITEMS;
  CHECK(clSetKernelArg(kernel, 0, sizeof memory, &memory));
  CHECK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
}

/* Waits in a way after which the read is complete. */
static void wait(const char *mode, cl_event event) {
  cl_int status = CL_QUEUED;
  cl_event marker;
  if (is(mode, "event")) {
    CHECK(clWaitForEvents(1, &event));
  } else if (is(mode, "finish") || is(mode, "elsewhere")) {
    finish();
  } else if (is(mode, "blocking")) {
    int one;
    CHECK(clEnqueueReadBuffer(h.queue, second, CL_TRUE, 0, sizeof one, &one, 0, NULL, NULL));
  } else if (is(mode, "callback")) {
    CHECK(clSetEventCallback(event, CL_COMPLETE, notify, NULL));
    CHECK(clFlush(h.queue));
    wait_for_callback();
  } else if (is(mode, "marker")) {
    CHECK(clEnqueueMarkerWithWaitList(h.queue, 0, NULL, &marker));
    CHECK(clWaitForEvents(1, &marker));
    CHECK(clReleaseEvent(marker));
  } else if (is(mode, "other_queue")) {
    CHECK(clFlush(h.queue));
    CHECK(clEnqueueBarrierWithWaitList(other, 1, &event, NULL));
    CHECK(clFinish(other));
  } else if (is(mode, "other")) {
    CHECK(clFinish(other));
  }
  while (is(mode, "polled") && status != CL_COMPLETE) {
    CHECK(clFlush(h.queue));
    CHECK(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
  }
}

/* What is done with the memory, in a call that the layer sees. */
static void use(const char *mode) {
  cl_int status;
  if (is(mode, "buffer")) {
    cl_mem copy = clCreateBuffer(h.context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, BYTES, got, &status);
    CHECK(status);
    CHECK(clReleaseMemObject(copy));
  } else if (is(mode, "write")) {
    CHECK(clEnqueueWriteBuffer(other, second, CL_TRUE, 0, BYTES, got, 0, NULL, NULL));
  } else if (is(mode, "in_order")) {
    CHECK(clEnqueueWriteBuffer(h.queue, second, CL_TRUE, 0, BYTES, got, 0, NULL, NULL));
  } else if (is(mode, "elsewhere")) {
    int value = 3;
    CHECK(clSetKernelArg(kernel, 1, sizeof value, &value));
  } else if (strncmp(mode, "end", 3) != 0 && !is(mode, "late")) {
    CHECK(clSetKernelArg(kernel, 1, sizeof got[1], &got[1]));
  }
}

static void read_back(const char *mode) {
  cl_event event = NULL;
  cl_int status;
  if (is(mode, "end_map")) {
    (void)clEnqueueMapBuffer(h.queue, memory, CL_FALSE, CL_MAP_READ, 0, BYTES, 0, NULL, NULL, &status); /* read here */
    CHECK(status);
    return;
  }
  CHECK(clEnqueueReadBuffer(h.queue, memory, CL_FALSE, 0, BYTES, got, 0, NULL, &event)); /* read here */
  if (is(mode, "elsewhere")) {
    use(mode);
  }
  wait(mode, event);
  use(mode);
  if (is(mode, "argument") || is(mode, "other")) { /* that it waits later is no help */
    finish();
  }
  CHECK(clReleaseEvent(event));
}

int main(int argc, char **argv) {
  static const char source[] = "kernel void add(global int *a, int n) { a[get_global_id(0)] += n; }";
  const char *mode = argc > 1 ? argv[1] : "event";
  const int one = 1;
  cl_int status;
  h = host_open(0);
  other = clCreateCommandQueue(h.context, h.device, 0, &status);
  CHECK(status);
  if (is(mode, "late")) {
    atexit(finish);
  }
  memory = host_buffer(&h, BYTES);
  second = host_buffer(&h, BYTES);
  kernel = host_kernel(host_program(&h, source, ""), "add");
  CHECK(clSetKernelArg(kernel, 1, sizeof one, &one));
  launch(h.queue);
  read_back(mode);
  printf("done\n");
  return 0;
}
