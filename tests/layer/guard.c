/* Buffers with zones after their end: the program sees those that it asked for, and what kernels write past their ends
 * is told, with the kernel and its argument.
 * env: CLTESTCHECK_GUARD_ZONES=1
 * expect: hello layer_guard
 * expect: instrument sources=1 [] headers=0
 * expect: built
 * expect: kernel add launches=9 flags=3
 * expect: kernel other launches=1 flags=3
 * expect: overrun add argument=0 launch=1 launches=1 size=400 first=0 last=4
 * expect: overrun other argument=0 launch=0 launches=1 size=400 first=4 last=4
 * expect: overrun add argument=0 launch=3 launches=2 size=400 first=0 last=0
 * expect: overrun add argument=0 launch=5 launches=1 size=8192 first=0 last=0
 * expect: overrun add argument=0 launch=6 launches=1 size=400 first=0 last=0
 * expect: overrun add argument=0 launch=8 launches=1 size=400 first=0 last=0 */
#include <unistd.h>

#include "host.h"

enum { BYTES = 400, ELEMENTS = BYTES / 4 };

static unsigned char data[2 * BYTES];

/* Without zones it writes nothing there. */
static size_t past(size_t elements) { return getenv("LAYER_EXPECT") != NULL ? 0 : elements; }

static cl_mem make(const host *h, cl_mem_flags flags, size_t size, void *from) {
  cl_int error;
  cl_mem m = clCreateBuffer(h->context, flags, size, from, &error);
  CHECK(error);
  return m;
}

static void show_size(cl_mem m) {
  size_t size = 0, told = 0, small = 0;
  cl_mem_flags flags = 0;
  void *pointer = NULL;
  CHECK(clGetMemObjectInfo(m, CL_MEM_SIZE, sizeof size, &size, &told));
  CHECK(clGetMemObjectInfo(m, CL_MEM_FLAGS, sizeof flags, &flags, NULL));
  CHECK(clGetMemObjectInfo(m, CL_MEM_HOST_PTR, sizeof pointer, &pointer, NULL));
  printf("size %zu of %zu bytes, flags %llu%s, too small: %d\n", size, told, (unsigned long long)flags,
         pointer == NULL ? "" : ", a pointer", clGetMemObjectInfo(m, CL_MEM_SIZE, 1, &small, NULL));
}

static void rectangles(const host *h, cl_mem m, size_t x, size_t y, size_t z) {
  const size_t origin[3] = {x, y, z}, nowhere[3] = {0, 0, 0}, region[3] = {20, 2, 2};
  printf("rectangle at %zu %zu %zu: %d %d %d\n", x, y, z,
         clEnqueueReadBufferRect(h->queue, m, CL_TRUE, origin, nowhere, region, 20, 100, 20, 40, data, 0, NULL, NULL),
         clEnqueueWriteBufferRect(h->queue, m, CL_TRUE, origin, nowhere, region, 20, 100, 20, 40, data, 0, NULL, NULL),
         clEnqueueReadBufferRect(h->queue, m, CL_TRUE, origin, nowhere, region, 0, 0, 0, 0, data, 0, NULL, NULL));
}

static void ranges(const host *h, cl_mem m, cl_mem other, size_t from, size_t size) {
  cl_int error = 0;
  const cl_uint pattern = 7;
  void *mapped = clEnqueueMapBuffer(h->queue, m, CL_TRUE, CL_MAP_READ, from, size, 0, NULL, NULL, &error);
  if (mapped != NULL) CHECK(clEnqueueUnmapMemObject(h->queue, m, mapped, 0, NULL, NULL));
  printf("%zu + %zu: map %d read %d write %d fill %d copy %d %d\n", from, size, error,
         clEnqueueReadBuffer(h->queue, m, CL_TRUE, from, size, data, 0, NULL, NULL),
         clEnqueueWriteBuffer(h->queue, m, CL_TRUE, from, size, data, 0, NULL, NULL),
         clEnqueueFillBuffer(h->queue, m, &pattern, sizeof pattern, from, size, 0, NULL, NULL),
         clEnqueueCopyBuffer(h->queue, m, other, from, 0, size, 0, NULL, NULL),
         clEnqueueCopyBuffer(h->queue, other, m, 0, from, size, 0, NULL, NULL));
  CHECK(clFinish(h->queue));
}

static cl_mem part(cl_mem m, size_t origin, size_t size) {
  cl_int error;
  const cl_buffer_region region = {origin, size};
  cl_mem made = clCreateSubBuffer(m, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &error);
  printf("part %zu + %zu: %d\n", origin, size, error);
  return made;
}

static void image(const host *h, cl_mem m, size_t width) {
  cl_int error;
  const cl_image_format format = {CL_R, CL_FLOAT};
  const cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE1D_BUFFER, .image_width = width, .mem_object = m};
  cl_mem made = clCreateImage(h->context, CL_MEM_READ_WRITE, &format, &desc, NULL, &error);
  printf("image of %zu: %d\n", width, error);
  if (made != NULL) CHECK(clReleaseMemObject(made));
}

static void references(const host *h) {
  cl_uint count = 0;
  for (int tries = 0; tries < 500 && count != 7; tries++) { /* PoCL lets go of those of events a little later */
    usleep(tries == 0 ? 0 : 10000);
    CHECK(clGetContextInfo(h->context, CL_CONTEXT_REFERENCE_COUNT, sizeof count, &count, NULL));
  }
  printf("%u references\n", count);
}

static void looks_as_asked(const host *h) {
  static const size_t froms[][2] = {{0, 400}, {396, 4}, {396, 8}, {400, 4}, {0, 404}, {404, 4}, {4000, 4}, {0, 0}};
  cl_mem m = make(h, CL_MEM_READ_WRITE, BYTES, NULL), other = make(h, CL_MEM_COPY_HOST_PTR, 2 * BYTES, data);
  show_size(m);
  show_size(other);
  for (size_t i = 0; i < sizeof froms / sizeof froms[0]; i++) ranges(h, m, other, froms[i][0], froms[i][1]);
  rectangles(h, m, 0, 0, 0);
  rectangles(h, m, 0, 3, 2);
  rectangles(h, m, 1, 3, 2);
  rectangles(h, m, 0, 4, 2);
  rectangles(h, m, 0, 0, 30);
  cl_mem all = part(m, 0, BYTES), end = part(m, 256, 144);
  show_size(all);
  show_size(end);
  TRUE_(part(m, 0, BYTES + 1) == NULL && part(m, 384, 128) == NULL && part(m, 512, 16) == NULL);
  image(h, m, ELEMENTS);
  image(h, m, ELEMENTS + 1);
  CHECK(clRetainMemObject(m));
  CHECK(clReleaseMemObject(m));
  references(h);
  CHECK(clReleaseMemObject(m));
  show_size(end);
  CHECK(clReleaseMemObject(all));
  CHECK(clReleaseMemObject(end));
  CHECK(clReleaseMemObject(other));
}

static void launch(const host *h, cl_kernel k, cl_mem m, size_t elements) {
  host_arguments(k, m, 9);
  host_launch(h, k, elements);
}

int main(void) {
  host h = host_open(0);
  looks_as_asked(&h);
  cl_program p = host_program(&h, PLAIN ADD("add") ADD("other"), NULL);
  cl_kernel add = host_kernel(p, "add"), other = host_kernel(p, "other");
  /* nothing, and then two elements; another kernel, further on, before anybody has looked */
  cl_mem m = host_buffer(&h, BYTES);
  launch(&h, add, m, ELEMENTS);
  CHECK(clFinish(h.queue));
  launch(&h, add, m, ELEMENTS + past(2));
  const size_t first = ELEMENTS - 1 + past(2), one = 1;
  host_arguments(other, m, 9);
  CHECK(clEnqueueNDRangeKernel(h.queue, other, 1, &first, &one, NULL, 0, NULL, NULL));
  printf("%ld\n", host_sum(&h, m, ELEMENTS) - (past(1) > 0 ? 0 : 9));
  CHECK(clReleaseMemObject(m));
  /* one of two launches; the buffer goes at once */
  m = make(&h, CL_MEM_READ_WRITE, BYTES, NULL);
  launch(&h, add, m, ELEMENTS);
  CHECK(clFinish(h.queue));
  CHECK(clReleaseMemObject(m));
  m = host_buffer(&h, BYTES);
  launch(&h, add, m, ELEMENTS);
  launch(&h, add, m, ELEMENTS + past(1));
  CHECK(clReleaseMemObject(m));
  /* through a part of it, when the whole has been let go */
  m = make(&h, CL_MEM_READ_WRITE, 8192, NULL);
  cl_mem end = part(m, 4096, 4096);
  CHECK(clReleaseMemObject(m));
  launch(&h, add, end, 1024 + past(1));
  CHECK(clFinish(h.queue));
  CHECK(clReleaseMemObject(end));
  /* in a queue without order */
  cl_int error;
  host unordered = h;
  unordered.queue = clCreateCommandQueue(h.context, h.device, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, &error);
  CHECK(error);
  m = host_buffer(&h, BYTES);
  launch(&unordered, add, m, ELEMENTS + past(1));
  CHECK(clFinish(unordered.queue));
  CHECK(clReleaseCommandQueue(unordered.queue));
  CHECK(clReleaseMemObject(m));
  /* memory of the program's own has no zone; and nobody waits for the last one */
  m = make(&h, CL_MEM_USE_HOST_PTR, BYTES, data);
  show_size(m);
  launch(&h, add, m, ELEMENTS + past(1));
  CHECK(clFinish(h.queue));
  launch(&h, add, host_buffer(&h, BYTES), ELEMENTS + past(1));
  puts("done");
  return 0;
}
