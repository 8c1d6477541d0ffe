/* A program for awaits.sh that reads without blocking, and uses what it read, or ends. Its argument says what it does between:
 * wrong: argument, buffer, write, end, end_map, other (waits for a queue that has nothing to do with it); earlier, early_marker,
 *        early_polled, early_other_queue, early_loose (the event is one of an earlier command)
 * right: event, finish, blocking, polled, callback, marker, other_queue, late, in_order, elsewhere; later (the event of a later
 *        command), many (the same, after thousands of others), reused (a handle that an earlier event had), loose_barrier, loose_marker
 * args_race, args_task, args_memory: two threads launch one kernel, and one of them sets its arguments; args_locked: with a lock; args_own: each has its own.
 * What it writes without blocking, with `changed` and others as the first word, is in `written`. */
#include <pthread.h>
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
  while (!atomic_load(&called)) nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
}

static cl_command_queue loose; /* out of order */

static void finish(void) { CHECK(clFinish(h.queue)); }

static void launch(cl_command_queue queue) {
  const size_t items = ITEMS;
  CHECK(clSetKernelArg(kernel, 0, sizeof memory, &memory));
  CHECK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
}

static void launch_for(cl_command_queue queue, cl_event *event) {
  const size_t items = ITEMS;
  CHECK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, event));
}

/* The event of a command before the read, or after it: what is known of the read then? */
static void read_between(const char *mode) {
  const int early = strncmp(mode, "earl", 4) == 0, in_loose = strstr(mode, "loose") != NULL;
  cl_command_queue q = in_loose ? loose : h.queue;
  cl_event before, event;
  cl_int status = CL_QUEUED;
  if (is(mode, "early_marker"))
    CHECK(clEnqueueMarkerWithWaitList(q, 0, NULL, &before));
  else
    launch_for(q, &before);
  event = before;
  if (is(mode, "reused")) {
    CHECK(clWaitForEvents(1, &before));
    CHECK(clReleaseEvent(before)); /* so that the next one may have the same handle */
  }
  CHECK(clEnqueueReadBuffer(q, memory, CL_FALSE, 0, BYTES, got, 0, NULL, NULL));
  for (int i = 0; !early && i < (is(mode, "many") ? 3000 : 1); i++) {
    if (is(mode, "loose_barrier")) CHECK(clEnqueueBarrierWithWaitList(q, 0, NULL, NULL));
    if (is(mode, "loose_marker"))
      CHECK(clEnqueueMarkerWithWaitList(q, 0, NULL, &event));
    else
      launch_for(q, &event);
  }
  if (is(mode, "early_other_queue")) {
    CHECK(clFlush(q));
    CHECK(clEnqueueBarrierWithWaitList(other, 1, &event, NULL));
    CHECK(clFinish(other));
  } else if (is(mode, "early_polled")) {
    CHECK(clFlush(q));
    while (status != CL_COMPLETE)
      CHECK(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
  } else {
    CHECK(clWaitForEvents(1, &event));
  }
  nanosleep(&(struct timespec){.tv_nsec = 50000000}, NULL);
}

/* ---- what is written without blocking ---- */

static int *source(void) {
  int *made = malloc(BYTES);
  TRUE_(made != NULL);
  for (int i = 0; i < ITEMS; i++) made[i] = i + 1;
  return made;
}

/* The layers of an image are as far apart in `from` as they are long. */
static void take_layers(const int *from, cl_event *event) {
  static const size_t zero[3] = {0, 0, 0}, part[3] = {ITEMS / 4, 4, 1};
  const cl_image_format format = {CL_R, CL_SIGNED_INT32};
  const cl_image_desc desc = {
      .image_type = CL_MEM_OBJECT_IMAGE1D_ARRAY, .image_width = ITEMS / 4, .image_array_size = 4};
  cl_int status;
  cl_mem image = clCreateImage(h.context, CL_MEM_READ_WRITE, &format, &desc, NULL, &status);
  CHECK(status);
  CHECK(clEnqueueWriteImage(h.queue, image, CL_FALSE, zero, part, 0, 0, from, 0, NULL, event));
}

/* The call that takes `from`. */
static void take(const char *mode, int *from, cl_event *event) {
  static const size_t zero[3] = {0, 0, 0}, part[3] = {16, 8, 1};
  if (strstr(mode, "rect") != NULL) /* the first half of each row of 32 bytes */
    CHECK(clEnqueueWriteBufferRect(h.queue, second, CL_FALSE, zero, zero, part, 16, 0, 32, 0, from, 0, NULL, event));
  else if (strstr(mode, "layers") != NULL)
    take_layers(from, event);
  else
    CHECK(clEnqueueWriteBuffer(h.queue, second, CL_FALSE, 0, BYTES, from, 0, NULL, event)); /* taken here */
}

static __attribute__((noinline)) void on_stack(const char *mode) {
  int local[ITEMS];
  memset(local, 7, sizeof local);
  take(mode, local, NULL);
}

static __attribute__((noinline)) int other_stack(void) {
  volatile int local[8 * ITEMS];
  for (int i = 0; i < 8 * ITEMS; i++) local[i] = i;
  return local[1];
}

static void written(const char *mode) {
  int *from = source();
  cl_event event = NULL;
  if (is(mode, "written_stack")) {
    on_stack(mode);
    TRUE_(other_stack() == 1);
    finish();
    return;
  }
  if (is(mode, "written_large")) {
    const size_t large = 32 << 20;
    cl_int status;
    cl_mem big = clCreateBuffer(h.context, CL_MEM_READ_WRITE, large, NULL, &status);
    CHECK(status);
    int *much = calloc(1, large);
    CHECK(clEnqueueWriteBuffer(h.queue, big, CL_FALSE, 0, large, much, 0, NULL, &event));
    CHECK(clWaitForEvents(1, &event));
    CHECK(clEnqueueWriteBuffer(h.queue, big, CL_FALSE, 0, large, much, 0, NULL, NULL));
    nanosleep(&(struct timespec){.tv_nsec = 200000000}, NULL); /* that the device is done does not count */
    free(much);
    finish();
    return;
  }
  take(mode, from, &event);
  if (is(mode, "written_changed") || is(mode, "written_rect")) {
    from[1] = 0;
  } else if (is(mode, "written_layers")) {
    from[ITEMS - 1] = 0;
  } else if (is(mode, "written_freed")) {
    free(from);
  } else if (is(mode, "written_gap_rect")) {
    from[5] = 0; /* between two rows */
  } else if (is(mode, "written_same")) {
    from[1] = 2;
  } else if (is(mode, "written_waited")) {
    CHECK(clWaitForEvents(1, &event));
    free(from);
  } else if (is(mode, "written_back")) {
    CHECK(clEnqueueReadBuffer(h.queue, memory, CL_FALSE, 0, BYTES, from, 0, NULL, NULL));
  } else if (is(mode, "written_callback")) {
    CHECK(clSetEventCallback(event, CL_COMPLETE, notify, NULL));
    CHECK(clFlush(h.queue));
    wait_for_callback();
    free(from);
  } else if (is(mode, "written_later")) {
    int one;
    CHECK(clEnqueueReadBuffer(h.queue, second, CL_TRUE, 0, sizeof one, &one, 0, NULL, NULL));
    from[1] = 0;
  }
  CHECK(clFinish(h.queue)); /* known here */
}

/* ---- a kernel object in two threads ---- */

static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;
static int locked, task, of_memory;

static void *launch_often(void *own) {
  const size_t items = ITEMS;
  cl_kernel k = own != NULL ? own : kernel;
  for (int i = 0; i < 300; i++) {
    if (locked) pthread_mutex_lock(&turn);
    if (own != NULL && of_memory)
      CHECK(clSetKernelArg(own, 0, sizeof second, &second));
    else if (own != NULL)
      CHECK(clSetKernelArg(own, 1, sizeof i, &i)); /* set here */
    if (task)
      CHECK(clEnqueueTask(h.queue, k, 0, NULL, NULL));
    else
      CHECK(clEnqueueNDRangeKernel(h.queue, k, 1, NULL, &items, NULL, 0, NULL, NULL));
    if (locked) pthread_mutex_unlock(&turn);
  }
  return NULL;
}

static void two_threads(const char *mode, cl_kernel second_kernel) {
  pthread_t thread;
  locked = is(mode, "args_locked");
  task = is(mode, "args_task");
  of_memory = is(mode, "args_memory");
  CHECK(clSetKernelArg(second_kernel, 0, sizeof second, &second));
  TRUE_(pthread_create(&thread, NULL, launch_often, is(mode, "args_own") ? second_kernel : kernel) == 0);
  launch_often(NULL);
  TRUE_(pthread_join(thread, NULL) == 0);
  finish();
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
    CHECK(clSetKernelArg(kernel, 1, sizeof got[1], &got[1])); /* used here */
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
  if (is(mode, "elsewhere")) use(mode);
  wait(mode, event);
  use(mode);
  if (is(mode, "argument") || is(mode, "other")) /* that it waits later is no help */
    finish();
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
  if (is(mode, "late")) atexit(finish);
  memory = host_buffer(&h, BYTES);
  second = host_buffer(&h, BYTES);
  cl_program built = host_program(&h, source, "");
  kernel = host_kernel(built, "add");
  CHECK(clSetKernelArg(kernel, 1, sizeof one, &one));
  const cl_queue_properties out_of_order[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0};
  loose = clCreateCommandQueueWithProperties(h.context, h.device, out_of_order, &status);
  CHECK(status);
  launch(h.queue);
  if (strncmp(mode, "args", 4) == 0)
    two_threads(mode, host_kernel(built, "add"));
  else if (strncmp(mode, "written", 7) == 0)
    written(mode);
  else if (strncmp(mode, "earl", 4) == 0 || strstr(mode, "loose") != NULL || is(mode, "later") || is(mode, "many") ||
           is(mode, "reused"))
    read_between(mode);
  else
    read_back(mode);
  printf("done\n");
  return 0;
}
