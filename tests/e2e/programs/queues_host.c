/* Programs for queues.sh: commands that race, and twins of them that do not.
 *
 *   queues_host NAME [ordered]
 *
 * All kernels touch every element of what they are given, so that a race is certain, but for those that say so. */
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "tests/layer/host.h"

enum { COUNT = 1024, BYTES = COUNT * 4 };

static const char source[] =
    "kernel void fill(global int *out, int value) { out[get_global_id(0)] = value; }\n"
    "kernel void twice(global int *to, global const int *from) {\n"
    "  int i = get_global_id(0);\n"
    "  if (i < 1024)\n"
    "    to[i] = 2 * from[i];\n"
    "}\n"
    "kernel void part(global int *out, int first, int n) {\n"
    "  int i = get_global_id(0);\n"
    "  if (i >= n) return;\n"
    "  out[first + i] = i;\n"
    "}\n"
    "kernel void count(global int *sums, global const int *from) {\n"
    "  atomic_inc(&sums[from[get_global_id(0)] & 1]);\n"
    "}\n"
    "kernel void scatter(global int *out, global const int *index) { out[index[get_global_id(0)]] = 1; }\n"
    "kernel void paint(write_only image2d_t image) {\n"
    "  write_imageui(image, (int2)(get_global_id(0), 0), (uint4)(1));\n"
    "}\n";

typedef struct program {
  bool ordered; /* the twin without a race */
  cl_context context;
  cl_device_id device;
  cl_command_queue loose, one, other; /* out of order; in order */
  cl_program built;
  cl_mem a, b, c;
  int host[COUNT];
} program;

/* --- pieces -------------------------------------------------------------------------------------------------------- */

static cl_command_queue queue(const program *p, cl_command_queue_properties properties) {
  const cl_queue_properties list[] = {CL_QUEUE_PROPERTIES, properties, 0};
  cl_int status;
  cl_command_queue made = clCreateCommandQueueWithProperties(p->context, p->device, list, &status);
  CHECK(status);
  return made;
}

static cl_mem buffer(const program *p) {
  static int zeros[COUNT];
  cl_int status;
  cl_mem made = clCreateBuffer(p->context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, BYTES, zeros, &status);
  CHECK(status);
  return made;
}

static cl_kernel kernel(const program *p, const char *name) {
  cl_int status;
  cl_kernel k = clCreateKernel(p->built, name, &status);
  CHECK(status);
  return k;
}

static void launch(cl_command_queue q, cl_kernel k, size_t items, cl_uint waits, const cl_event *wait,
                   cl_event *event) {
  CHECK(clEnqueueNDRangeKernel(q, k, 1, NULL, &items, NULL, waits, wait, event));
}

static void fill(const program *p, cl_command_queue q, cl_mem out, cl_uint waits, const cl_event *wait,
                 cl_event *event) {
  const int value = 7;
  cl_kernel k = kernel(p, "fill");
  CHECK(clSetKernelArg(k, 0, sizeof out, &out));
  CHECK(clSetKernelArg(k, 1, sizeof value, &value));
  launch(q, k, COUNT, waits, wait, event);
  CHECK(clReleaseKernel(k));
}

static void two(const program *p, const char *name, cl_command_queue q, cl_mem to, cl_mem from, cl_uint waits,
                const cl_event *wait, cl_event *event) {
  cl_kernel k = kernel(p, name);
  CHECK(clSetKernelArg(k, 0, sizeof to, &to));
  CHECK(clSetKernelArg(k, 1, sizeof from, &from));
  launch(q, k, COUNT, waits, wait, event);
  CHECK(clReleaseKernel(k));
}

static void part(const program *p, cl_command_queue q, cl_mem out, int first, int n) {
  cl_kernel k = kernel(p, "part");
  CHECK(clSetKernelArg(k, 0, sizeof out, &out));
  CHECK(clSetKernelArg(k, 1, sizeof first, &first));
  CHECK(clSetKernelArg(k, 2, sizeof n, &n));
  launch(q, k, COUNT, 0, NULL, NULL);
  CHECK(clReleaseKernel(k));
}

static cl_uint if_ordered(const program *p) { return p->ordered ? 1 : 0; }
static const cl_event *list_if(const program *p, const cl_event *event) { return p->ordered ? event : NULL; }

static void finish(const program *p) {
  CHECK(clFinish(p->loose));
  CHECK(clFinish(p->one));
  CHECK(clFinish(p->other));
}

/* --- programs that race, and their twins ----------------------------------------------------------------------------- */

/* Two launches in a queue that is out of order; the twin hands on an event. */
static void out_of_order(program *p) {
  cl_event filled;
  fill(p, p->loose, p->a, 0, NULL, &filled);
  two(p, "twice", p->loose, p->b, p->a, if_ordered(p), list_if(p, &filled), NULL);
  CHECK(clReleaseEvent(filled));
}

/* Two queues that are in order each; the twin's marker in the one gives an event, for which a barrier in the other waits. */
static void two_queues(program *p) {
  cl_event marked;
  fill(p, p->one, p->a, 0, NULL, NULL);
  CHECK(clEnqueueMarkerWithWaitList(p->one, 0, NULL, &marked));
  CHECK(clFlush(p->one));
  if (p->ordered) CHECK(clEnqueueBarrierWithWaitList(p->other, 1, &marked, NULL));
  fill(p, p->other, p->a, 0, NULL, NULL);
  CHECK(clReleaseEvent(marked));
}

/* A transfer that nobody waits for, after a launch in another queue; the twin waits for the launch by clFinish. */
static void read_meanwhile(program *p) {
  fill(p, p->one, p->a, 0, NULL, NULL);
  if (p->ordered) CHECK(clFinish(p->one));
  CHECK(clEnqueueReadBuffer(p->other, p->a, CL_FALSE, 0, BYTES, p->host, 0, NULL, NULL));
}

/* A blocking read waits for itself alone; the twin reads in the queue of the launch. */
static void blocking_read(program *p) {
  fill(p, p->one, p->a, 0, NULL, NULL);
  CHECK(clFlush(p->one));
  CHECK(clEnqueueReadBuffer(p->ordered ? p->one : p->other, p->a, CL_TRUE, 0, 64, p->host, 0, NULL, NULL));
}

/* New input while a launch reads the old one; the twin has a barrier in between. */
static void next_input(program *p) {
  two(p, "twice", p->loose, p->b, p->a, 0, NULL, NULL);
  if (p->ordered) CHECK(clEnqueueBarrierWithWaitList(p->loose, 0, NULL, NULL));
  CHECK(clEnqueueWriteBuffer(p->loose, p->a, CL_FALSE, 256, 1024, p->host, 0, NULL, NULL));
}

/* The host has the memory before the launch is over; the twin's mapping waits. */
static void mapping(program *p) {
  cl_event filled;
  cl_int status;
  fill(p, p->one, p->a, 0, NULL, &filled);
  CHECK(clFlush(p->one));
  int *at = clEnqueueMapBuffer(p->other, p->a, CL_TRUE, CL_MAP_WRITE, 0, BYTES, if_ordered(p), list_if(p, &filled),
                               NULL, &status);
  CHECK(status);
  at[1] = 1;
  CHECK(clEnqueueUnmapMemObject(p->other, p->a, at, 0, NULL, NULL));
  CHECK(clReleaseEvent(filled));
}

/* A marker keeps nobody waiting, a barrier does. */
static void marker(program *p) {
  fill(p, p->loose, p->a, 0, NULL, NULL);
  if (p->ordered)
    CHECK(clEnqueueBarrierWithWaitList(p->loose, 0, NULL, NULL));
  else
    CHECK(clEnqueueMarkerWithWaitList(p->loose, 0, NULL, NULL));
  two(p, "twice", p->loose, p->b, p->a, 0, NULL, NULL);
}

/* Sub-buffers of one buffer: bytes 0 to 2048, and from 1024 (the twin: 2048) on. */
static void sub_buffers(program *p) {
  const cl_buffer_region first = {0, 2048}, second = {p->ordered ? 2048 : 1024, 2048};
  const int n = 512, zero = 0;
  cl_int status;
  cl_mem parts[2];
  parts[0] = clCreateSubBuffer(p->a, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &first, &status);
  CHECK(status);
  parts[1] = clCreateSubBuffer(p->a, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &second, &status);
  CHECK(status);
  for (int i = 0; i < 2; i++) part(p, p->loose, parts[i], zero, n);
  finish(p);
  CHECK(clReleaseMemObject(parts[0]));
  CHECK(clReleaseMemObject(parts[1]));
}

/* A fill, a copy that waits for it, and a launch that writes what the copy reads: the twin's waits for the copy, and so
 * for the fill. */
static void third_command(program *p) {
  const int pattern = 3;
  cl_event filled, copied;
  CHECK(clEnqueueFillBuffer(p->loose, p->a, &pattern, sizeof pattern, 0, BYTES, 0, NULL, &filled));
  CHECK(clEnqueueCopyBuffer(p->loose, p->a, p->b, 0, 0, BYTES, 1, &filled, &copied));
  fill(p, p->loose, p->a, 1, p->ordered ? &copied : &filled, NULL);
  CHECK(clReleaseEvent(filled));
  CHECK(clReleaseEvent(copied));
}

/* Launches that an event of the program sets free: both at once, the twin's one after the other. */
static void user_event(program *p) {
  cl_event filled;
  cl_int status;
  cl_event start = clCreateUserEvent(p->context, &status);
  CHECK(status);
  fill(p, p->one, p->a, 1, &start, &filled);
  two(p, "twice", p->other, p->b, p->a, 1, p->ordered ? &filled : &start, NULL);
  CHECK(clSetUserEventStatus(start, CL_COMPLETE));
  finish(p);
  CHECK(clReleaseEvent(start));
  CHECK(clReleaseEvent(filled));
}

/* Parts of a buffer in two queues: elements from 0 and from 256 (the twin: 512) on, 512 each. */
static void halves(program *p) {
  part(p, p->one, p->a, 0, 512);
  part(p, p->other, p->a, p->ordered ? 512 : 256, 512);
}

/* The host reads while a launch in the same queue writes; the twin gives the memory back first. */
static void still_mapped(program *p) {
  cl_int status;
  int *at = clEnqueueMapBuffer(p->one, p->a, CL_TRUE, CL_MAP_READ, 0, 128, 0, NULL, NULL, &status);
  CHECK(status);
  if (p->ordered) CHECK(clEnqueueUnmapMemObject(p->one, p->a, at, 0, NULL, NULL));
  fill(p, p->one, p->a, 0, NULL, NULL);
  if (!p->ordered) CHECK(clEnqueueUnmapMemObject(p->one, p->a, at, 0, NULL, NULL));
}

/* The same of the first launch of all, with memory that the host writes. */
static void held_mapped(program *p) {
  cl_int status;
  int *at = clEnqueueMapBuffer(p->one, p->a, CL_TRUE, CL_MAP_WRITE, 0, 128, 0, NULL, NULL, &status);
  CHECK(status);
  if (p->ordered) CHECK(clEnqueueUnmapMemObject(p->one, p->a, at, 0, NULL, NULL));
  fill(p, p->one, p->a, 0, NULL, NULL);
  if (!p->ordered) CHECK(clEnqueueUnmapMemObject(p->one, p->a, at, 0, NULL, NULL));
}

/* Where elements go is read from memory: the race is possible. The twin's go elsewhere. */
static void scattered(program *p) {
  two(p, "scatter", p->one, p->a, p->c, 0, NULL, NULL);
  two(p, "scatter", p->other, p->ordered ? p->b : p->a, p->c, 0, NULL, NULL);
}

/* No kernel at all (the twin has another one beside): bytes 0 to 1024 and from 512 (the twin: 1024) on. */
static void transfers(program *p) {
  const int pattern = 3;
  if (p->ordered) fill(p, p->loose, p->b, 0, NULL, NULL);
  CHECK(clEnqueueWriteBuffer(p->one, p->a, CL_FALSE, 0, 1024, p->host, 0, NULL, NULL));
  CHECK(clEnqueueFillBuffer(p->other, p->a, &pattern, sizeof pattern, p->ordered ? 1024 : 512, 1024, 0, NULL, NULL));
}

/* --- programs without a race ----------------------------------------------------------------------------------------- */

/* Two launches that read the same, that both count by atomics, reads by the host of what a launch reads. */
static void both_read(program *p) {
  two(p, "twice", p->one, p->a, p->c, 0, NULL, NULL);
  two(p, "twice", p->other, p->b, p->c, 0, NULL, NULL);
  CHECK(clEnqueueReadBuffer(p->loose, p->c, CL_FALSE, 0, BYTES, p->host, 0, NULL, NULL));
}

static void both_atomic(program *p) {
  two(p, "count", p->one, p->a, p->c, 0, NULL, NULL);
  two(p, "count", p->other, p->a, p->c, 0, NULL, NULL);
}

/* Rows one after the other, in two queues. */
static void rows(program *p) {
  const size_t zero[3] = {0, 0, 0}, below[3] = {0, 4, 0}, region[3] = {128, 4, 1};
  fill(p, p->loose, p->b, 0, NULL, NULL);
  CHECK(clEnqueueWriteBufferRect(p->one, p->a, CL_FALSE, zero, zero, region, 128, 0, 128, 0, p->host, 0, NULL, NULL));
  CHECK(
      clEnqueueWriteBufferRect(p->other, p->a, CL_FALSE, below, zero, region, 128, 0, 128, 0, p->host, 0, NULL, NULL));
}

static void *map(const program *p, cl_mem m, cl_map_flags flags, size_t from, size_t bytes) {
  cl_int status;
  void *at = clEnqueueMapBuffer(p->one, m, CL_TRUE, flags, from, bytes, 0, NULL, NULL, &status);
  CHECK(status);
  return at;
}

static cl_mem part_of(const program *p, size_t from, size_t bytes) {
  const cl_buffer_region region = {from, bytes};
  cl_int status;
  cl_mem made = clCreateSubBuffer(p->a, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &status);
  CHECK(status);
  return made;
}

/* A kernel gets a part of the buffer that is mapped; the twin gets the other half. */
static void part_of_mapped(program *p) {
  cl_mem half = part_of(p, BYTES / 2, BYTES / 2);
  void *at = map(p, p->a, CL_MAP_WRITE, p->ordered ? 0 : BYTES / 4, BYTES / 2);
  part(p, p->one, half, 0, COUNT / 2);
  CHECK(clEnqueueUnmapMemObject(p->one, p->a, at, 0, NULL, NULL));
}

/* The part is mapped and a kernel gets all of it; the twin unmaps in time. */
static void whole_of_mapped(program *p) {
  cl_mem half = part_of(p, BYTES / 2, BYTES / 2);
  void *at = map(p, half, CL_MAP_READ | CL_MAP_WRITE, 0, BYTES / 2);
  if (!p->ordered) fill(p, p->one, p->a, 0, NULL, NULL);
  CHECK(clEnqueueUnmapMemObject(p->one, half, at, 0, NULL, NULL));
  fill(p, p->one, p->a, 0, NULL, NULL);
}

/* A kernel writes what is mapped for reading; the twin's reads it. */
static void mapped_to_read(program *p) {
  void *at = map(p, p->a, CL_MAP_READ, 0, BYTES);
  two(p, "twice", p->one, p->ordered ? p->b : p->a, p->ordered ? p->a : p->b, 0, NULL, NULL);
  CHECK(clEnqueueUnmapMemObject(p->one, p->a, at, 0, NULL, NULL));
}

/* A kernel touches a part of what is mapped; the twin what is behind it. */
static void beside_mapped(program *p) {
  void *at = map(p, p->a, CL_MAP_WRITE, 1024, 1024);
  part(p, p->one, p->a, p->ordered ? 512 : 255, 128);
  CHECK(clEnqueueUnmapMemObject(p->one, p->a, at, 0, NULL, NULL));
}

/* The same of an image. */
static void image_mapped(program *p) {
  const cl_image_format format = {CL_RGBA, CL_UNSIGNED_INT8};
  const cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 16, .image_height = 16};
  const size_t zero[3] = {0, 0, 0}, all[3] = {16, 16, 1};
  size_t pitch = 0;
  cl_int status;
  cl_kernel k = kernel(p, "paint");
  cl_mem image = clCreateImage(p->context, CL_MEM_READ_WRITE, &format, &desc, NULL, &status);
  CHECK(status);
  CHECK(clSetKernelArg(k, 0, sizeof image, &image));
  void *at = clEnqueueMapImage(p->one, image, CL_TRUE, CL_MAP_READ, zero, all, &pitch, NULL, 0, NULL, NULL, &status);
  CHECK(status);
  if (p->ordered) CHECK(clEnqueueUnmapMemObject(p->one, image, at, 0, NULL, NULL));
  launch(p->one, k, 16, 0, NULL, NULL);
  if (!p->ordered) CHECK(clEnqueueUnmapMemObject(p->one, image, at, 0, NULL, NULL));
}

/* What the host has waited for is over, for whatever it enqueues. */
static void waited(program *p) {
  cl_event filled;
  cl_int state = CL_QUEUED;
  fill(p, p->loose, p->a, 0, NULL, &filled);
  CHECK(clWaitForEvents(1, &filled));
  two(p, "twice", p->other, p->b, p->a, 0, NULL, NULL);
  CHECK(clFinish(p->other));
  CHECK(clReleaseEvent(filled));
  fill(p, p->one, p->b, 0, NULL, &filled);
  CHECK(clFlush(p->one));
  while (state != CL_COMPLETE)
    CHECK(clGetEventInfo(filled, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof state, &state, NULL));
  CHECK(clEnqueueReadBuffer(p->other, p->b, CL_TRUE, 0, BYTES, p->host, 0, NULL, NULL));
  CHECK(clReleaseEvent(filled));
}

/* One queue in order; events are given and waited for all the same. */
static void plain(program *p) {
  cl_event filled;
  fill(p, p->one, p->a, 0, NULL, &filled);
  two(p, "twice", p->one, p->b, p->a, 1, &filled, NULL);
  CHECK(clEnqueueWriteBuffer(p->one, p->a, CL_FALSE, 0, BYTES, p->host, 0, NULL, NULL));
  CHECK(clEnqueueReadBuffer(p->one, p->b, CL_TRUE, 0, BYTES, p->host, 0, NULL, NULL));
  CHECK(clReleaseEvent(filled));
}

/* The callback of an event enqueues what comes next, and says when that is done. */
typedef struct next {
  program *p;
  cl_event done;
} next;

static void CL_CALLBACK go_on(cl_event event, cl_int status, void *data) {
  const next *n = data;
  (void)event;
  (void)status;
  two(n->p, "twice", n->p->other, n->p->b, n->p->a, 0, NULL, NULL);
  CHECK(clFlush(n->p->other));
  CHECK(clSetUserEventStatus(n->done, CL_COMPLETE));
}

static void callback(program *p) {
  cl_int status;
  cl_event filled;
  next n = {p, clCreateUserEvent(p->context, &status)};
  CHECK(status);
  fill(p, p->one, p->a, 0, NULL, &filled);
  CHECK(clSetEventCallback(filled, CL_COMPLETE, go_on, &n));
  CHECK(clFlush(p->one));
  CHECK(clWaitForEvents(1, &n.done));
  CHECK(clReleaseEvent(n.done));
  CHECK(clReleaseEvent(filled));
}

/* A thread of its own, which the program waits for. */
static void *in_thread(void *data) {
  program *p = data;
  fill(p, p->one, p->a, 0, NULL, NULL);
  CHECK(clFinish(p->one));
  return NULL;
}

static void thread(program *p) {
  pthread_t t;
  if (pthread_create(&t, NULL, in_thread, p) != 0 || pthread_join(t, NULL) != 0) exit(1);
  two(p, "twice", p->other, p->b, p->a, 0, NULL, NULL);
}

static const struct {
  const char *name;
  void (*run)(program *p);
} programs[] = {
    {"out-of-order", out_of_order},
    {"two-queues", two_queues},
    {"read-meanwhile", read_meanwhile},
    {"blocking-read", blocking_read},
    {"next-input", next_input},
    {"mapping", mapping},
    {"marker", marker},
    {"sub-buffers", sub_buffers},
    {"third-command", third_command},
    {"user-event", user_event},
    {"halves", halves},
    {"still-mapped", still_mapped},
    {"held-mapped", held_mapped},
    {"scattered", scattered},
    {"both-read", both_read},
    {"both-atomic", both_atomic},
    {"waited", waited},
    {"plain", plain},
    {"callback", callback},
    {"thread", thread},
    {"transfers", transfers},
    {"rows", rows},
    {"part-of-mapped", part_of_mapped},
    {"whole-of-mapped", whole_of_mapped},
    {"mapped-to-read", mapped_to_read},
    {"beside-mapped", beside_mapped},
    {"image-mapped", image_mapped},
};

int main(int argc, char **argv) {
  cl_platform_id platform;
  cl_int status;
  program p = {.ordered = argc > 2 && strcmp(argv[2], "ordered") == 0};
  const char *text = source;
  CHECK(clGetPlatformIDs(1, &platform, NULL));
  CHECK(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &p.device, NULL));
  p.context = clCreateContext(NULL, 1, &p.device, NULL, NULL, &status);
  CHECK(status);
  p.loose = queue(&p, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  p.one = queue(&p, 0);
  p.other = queue(&p, 0);
  p.built = clCreateProgramWithSource(p.context, 1, &text, NULL, &status);
  CHECK(status);
  CHECK(clBuildProgram(p.built, 1, &p.device, "", NULL, NULL));
  p.a = buffer(&p);
  p.b = buffer(&p);
  p.c = buffer(&p);
  for (size_t i = 0; argc > 1 && i < sizeof programs / sizeof programs[0]; i++) {
    if (strcmp(programs[i].name, argv[1]) == 0) {
      programs[i].run(&p);
      finish(&p);
      return 0;
    }
  }
  return 2;
}
