/* A program for leaks.sh that makes objects of each kind and releases them, but for what its argument says:
 *   clean      all are released, what is retained too
 *   late       all are, after main has returned
 *   context    the context is not
 *   all        nothing is
 *   buffers    three buffers of one call are not, and one of another call
 *   retained   a kernel is retained once more than it is released
 *   events     those of two launches are not
 *   some       a sub-buffer, an image and a sampler are not
 *   exit       nothing is, and it ends by _exit */
#include <unistd.h>

#include "tests/layer/host.h"

static const char source[] =
    "kernel void add(global int *a) { a[get_global_id(0)] += 1; }\n"
    "kernel void twice(global int *a) { a[get_global_id(0)] *= 2; }\n";

enum { ITEMS = 64, MOST = 16 };

static struct {
  host host;
  cl_program program;
  cl_kernel kernels[2];
  cl_mem whole, part, image, many[4];
  cl_sampler sampler;
  cl_event events[3];
} all;

static int is(const char *mode, const char *name) { return strcmp(mode, name) == 0; }

static cl_mem buffer(size_t size) {
  cl_int status;
  cl_mem made = clCreateBuffer(all.host.context, CL_MEM_READ_WRITE, size, NULL, &status); /* made here */
  CHECK(status);
  return made;
}

static void make_memory(void) {
  const cl_buffer_region region = {0, 128};
  const cl_image_format format = {CL_RGBA, CL_UNSIGNED_INT8};
  const cl_image_desc shape = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 8, .image_height = 4};
  cl_int status;
  for (int i = 0; i < 4; i++) all.many[i] = buffer(i < 3 ? 1024 : 512);
  all.whole = buffer(sizeof(int) * ITEMS);
  all.part = clCreateSubBuffer(all.whole, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &status);
  CHECK(status);
  all.image = clCreateImage(all.host.context, CL_MEM_READ_ONLY, &format, &shape, NULL, &status);
  CHECK(status);
  all.sampler = clCreateSampler(all.host.context, CL_FALSE, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST, &status);
  CHECK(status);
}

static void run(void) {
  static int zeros[ITEMS];
  const size_t items = ITEMS;
  cl_int status;
  CHECK(clEnqueueWriteBuffer(all.host.queue, all.whole, CL_TRUE, 0, sizeof zeros, zeros, 0, NULL, NULL));
  CHECK(clCreateKernelsInProgram(all.program, 2, all.kernels, NULL));
  for (int i = 0; i < 2; i++) {
    CHECK(clSetKernelArg(all.kernels[i], 0, sizeof all.whole, &all.whole));
    CHECK(clEnqueueNDRangeKernel(all.host.queue, all.kernels[i], 1, NULL, &items, NULL, 0, NULL, &all.events[i]));
  }
  all.events[2] = clCreateUserEvent(all.host.context, &status);
  CHECK(status);
  CHECK(clSetUserEventStatus(all.events[2], CL_COMPLETE));
  CHECK(clWaitForEvents(2, all.events));
  CHECK(clEnqueueReadBuffer(all.host.queue, all.whole, CL_TRUE, 0, sizeof zeros, zeros, 0, NULL, NULL));
  printf("%d\n", zeros[0]);
}

static void release_memory(const char *mode) {
  for (int i = 0; i < 4 && !is(mode, "buffers"); i++) CHECK(clReleaseMemObject(all.many[i]));
  CHECK(clReleaseMemObject(all.whole));
  if (!is(mode, "some")) {
    CHECK(clReleaseMemObject(all.part));
    CHECK(clReleaseMemObject(all.image));
    CHECK(clReleaseSampler(all.sampler));
  }
}

static void release(const char *mode) {
  release_memory(mode);
  for (int i = 0; i < 3; i++)
    if (!is(mode, "events") || i == 2) CHECK(clReleaseEvent(all.events[i]));
  if (is(mode, "retained") || is(mode, "clean")) CHECK(clRetainKernel(all.kernels[0]));
  CHECK(clReleaseKernel(all.kernels[0]));
  CHECK(clReleaseKernel(all.kernels[1]));
  if (is(mode, "clean")) CHECK(clReleaseKernel(all.kernels[0]));
  CHECK(clReleaseProgram(all.program));
  CHECK(clReleaseCommandQueue(all.host.queue));
  if (!is(mode, "context")) CHECK(clReleaseContext(all.host.context));
}

static void release_late(void) { release("late"); }

int main(int argc, char **argv) {
  const char *mode = argc > 1 ? argv[1] : "clean";
  if (is(mode, "late")) atexit(release_late);
  all.host = host_open(0);
  all.program = host_program(&all.host, source, "");
  make_memory();
  run();
  if (is(mode, "exit")) {
    fflush(stdout);
    _exit(0);
  }
  if (!is(mode, "all") && !is(mode, "late")) release(mode);
  return 0;
}
