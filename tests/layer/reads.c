/* Reads of every kind on an in-order queue: digests of what the host gets, in the order of the calls, and the launch
 * that was given the memory last. What is expected of each read is computed here, without the device.
 * env: CLTESTCHECK_OBSERVE=1
 * expect: hello layer_reads
 * expect: instrument sources=1 [] headers=0
 * expect: built
 * expect: skipped program from binary
 * expect: kernel add launches=10 flags=7 */
#include <unistd.h>

#include "expect.h"
#include "host.h"

#define COUNT 1000
#define BYTES (COUNT * sizeof(int))

#define OTHER "__kernel void other(int n, __global int *a, __global int *b) { a[get_global_id(0)] = n; }\n"
#define PICTURE                                                 \
  "__kernel void picture(__write_only image2d_t i, uint n) {\n" \
  "  int2 at = (int2)(get_global_id(0), get_global_id(1));\n"   \
  "  write_imageui(i, at, (uint4)(at.x, at.y, n, get_global_id(0) ^ 5));\n}\n"

static host h;
static cl_kernel add, other, picture;
static int expected[COUNT];

/* `add` on the device and here. */
static void launch_add(cl_mem m, int n) {
  host_arguments(add, m, n);
  host_launch(&h, add, COUNT);
  for (int i = 0; i < COUNT; i++) expected[i] += n > 5 ? n : 2 * n;
}

static void fresh(void) { memset(expected, 0, sizeof expected); }

static void blocking(void) {
  static int got[COUNT];
  cl_mem m = host_buffer(&h, BYTES);
  fresh();
  CHECK(clEnqueueReadBuffer(h.queue, m, CL_TRUE, 0, BYTES, got, 0, NULL, NULL));
  expect_read("", 0, 0, expected, BYTES);
  launch_add(m, 6);
  CHECK(clEnqueueReadBuffer(h.queue, m, CL_TRUE, 0, BYTES, got, 0, NULL, NULL));
  expect_read("add", 0, 0, expected, BYTES);
  launch_add(m, 3);
  CHECK(clEnqueueWriteBuffer(h.queue, m, CL_TRUE, 40, 8, "12345678", 0, NULL, NULL));
  memcpy(expected + 10, "12345678", 8);
  CHECK(clEnqueueReadBuffer(h.queue, m, CL_TRUE, 20, 101, got, 0, NULL, NULL));
  expect_read("add", 0, 1, expected + 5, 101);
  printf("wrong reads %d %d %d\n", clEnqueueReadBuffer(h.queue, m, CL_TRUE, 0, BYTES, NULL, 0, NULL, NULL),
         clEnqueueReadBuffer(h.queue, m, CL_FALSE, 8, BYTES, got, 0, NULL, NULL),
         clEnqueueReadBuffer(h.queue, NULL, CL_FALSE, 0, BYTES, got, 0, NULL, NULL));
  CHECK(clReleaseMemObject(m));
}

/* The memory that is read into is overwritten, or gone, as soon as the program may. */
static void at_once(void) {
  cl_event event;
  int *got = malloc(BYTES);
  cl_mem m = host_buffer(&h, BYTES);
  fresh();
  launch_add(m, 7);
  CHECK(clEnqueueReadBuffer(h.queue, m, CL_FALSE, 0, BYTES, got, 0, NULL, NULL));
  expect_read("add", 0, 2, expected, BYTES);
  launch_add(m, 8);
  CHECK(clEnqueueReadBuffer(h.queue, m, CL_FALSE, 0, BYTES, got, 0, NULL, &event)); /* into the same */
  expect_read("add", 0, 3, expected, BYTES);
  CHECK(clWaitForEvents(1, &event));
  CHECK(clReleaseEvent(event));
  memset(got, 255, BYTES);
  launch_add(m, 1);
  CHECK(clEnqueueReadBuffer(h.queue, m, CL_FALSE, 4, BYTES - 4, got, 0, NULL, NULL));
  expect_read("add", 0, 4, expected + 1, BYTES - 4);
  CHECK(clFinish(h.queue));
  memset(got, 254, BYTES);
  free(got);
  printf("wrong read %d\n", clEnqueueReadBuffer(h.queue, m, CL_FALSE, 0, BYTES, NULL, 0, NULL, NULL));
  CHECK(clFinish(h.queue));
  CHECK(clReleaseMemObject(m));
}

/* Rows and slices with gaps, in the buffer and in memory. */
static void rectangles(void) {
  enum { ROW = 12, ROWS = 5, SLICES = 2 };
  static unsigned char got[4096], tight[ROW * ROWS * SLICES];
  cl_mem m = host_buffer(&h, BYTES);
  fresh();
  launch_add(m, 9);
  for (int i = 0; i < COUNT; i++) expected[i] = i * 77;
  CHECK(clEnqueueWriteBuffer(h.queue, m, CL_TRUE, 0, BYTES, expected, 0, NULL, NULL));
  size_t from[] = {8, 1, 1}, to[] = {3, 2, 1}, region[] = {ROW, ROWS, SLICES};
  for (size_t s = 0, at = 0; s < SLICES; s++)
    for (size_t r = 0; r < ROWS; r++, at += ROW)
      memcpy(tight + at, (const char *)expected + (s + 1) * 400 + (r + 1) * 40 + 8, ROW);
  for (int round = 0; round < 4; round++) {
    memset(got, round, sizeof got);
    CHECK(clEnqueueReadBufferRect(h.queue, m, round < 2, from, to, region, 40, 400, round % 2 ? 32 : 0,
                                  round % 2 ? 512 : 0, got, 0, NULL, NULL));
    expect_read("add", 0, 5, tight, sizeof tight);
    CHECK(clFinish(h.queue));
  }
  CHECK(clReleaseMemObject(m));
}

static void maps(void) {
  cl_int error;
  cl_event event;
  cl_mem m = host_buffer(&h, BYTES);
  fresh();
  launch_add(m, 2);
  int *at = clEnqueueMapBuffer(h.queue, m, CL_TRUE, CL_MAP_READ, 8, 80, 0, NULL, NULL, &error);
  CHECK(error);
  expect_read("add", 0, 6, expected + 2, 80);
  CHECK(clEnqueueUnmapMemObject(h.queue, m, at, 0, NULL, NULL));
  at = clEnqueueMapBuffer(h.queue, m, CL_FALSE, CL_MAP_READ | CL_MAP_WRITE, 0, BYTES, 0, NULL, &event, &error);
  CHECK(error);
  expect_read("add", 0, 6, expected, BYTES);
  CHECK(clWaitForEvents(1, &event));
  CHECK(clReleaseEvent(event));
  for (int i = 0; i < COUNT; i++) at[i] = expected[i] = -i;
  CHECK(clEnqueueUnmapMemObject(h.queue, m, at, 0, NULL, NULL));
  at = clEnqueueMapBuffer(h.queue, m, CL_TRUE, CL_MAP_WRITE, 0, 4, 0, NULL, NULL, &error);
  CHECK(error);
  expect_read("add", 0, 6, expected, 4); /* what is there may be read */
  CHECK(clEnqueueUnmapMemObject(h.queue, m, at, 0, NULL, NULL));
  at = clEnqueueMapBuffer(h.queue, m, CL_TRUE, CL_MAP_WRITE_INVALIDATE_REGION, 0, 4, 0, NULL, NULL, &error);
  CHECK(error); /* nothing */
  at[0] = expected[0] = 7;
  CHECK(clEnqueueUnmapMemObject(h.queue, m, at, 0, NULL, NULL));
  at = clEnqueueMapBuffer(h.queue, m, CL_TRUE, CL_MAP_READ, BYTES, 4, 0, NULL, NULL, &error);
  printf("wrong map %d %d\n", at == NULL, error);
  at = clEnqueueMapBuffer(h.queue, m, CL_TRUE, CL_MAP_READ, 0, BYTES, 0, NULL, NULL, &error);
  CHECK(error);
  expect_read("add", 0, 6, expected, BYTES);
  CHECK(clEnqueueUnmapMemObject(h.queue, m, at, 0, NULL, NULL));
  CHECK(clFinish(h.queue));
  CHECK(clReleaseMemObject(m));
}

/* 4 bytes an element. */
static cl_mem image(cl_mem_object_type type, size_t width, size_t height, size_t depth, void *data) {
  cl_int error;
  cl_image_format format = {CL_RGBA, CL_UNSIGNED_INT8};
  cl_image_desc desc = {.image_type = type, .image_width = width, .image_height = height};
  if (type == CL_MEM_OBJECT_IMAGE3D)
    desc.image_depth = depth;
  else
    desc.image_array_size = depth;
  cl_mem m =
      clCreateImage(h.context, CL_MEM_READ_WRITE | (data ? CL_MEM_COPY_HOST_PTR : 0), &format, &desc, data, &error);
  CHECK(error);
  return m;
}

static void images(void) {
  enum { WIDTH = 20, HEIGHT = 10, INNER = 7, ROWS = 6 };
  static unsigned char all[HEIGHT][WIDTH][4], inner[ROWS][INNER][4], got[4096];
  for (unsigned y = 0; y < HEIGHT; y++)
    for (unsigned x = 0; x < WIDTH; x++)
      memcpy(all[y][x], (unsigned char[]){(unsigned char)x, (unsigned char)y, 44, (unsigned char)(x ^ 5)}, 4);
  for (unsigned y = 0; y < ROWS; y++) memcpy(inner[y], all[y + 2][3], sizeof inner[y]);
  cl_int error;
  cl_mem m = image(CL_MEM_OBJECT_IMAGE2D, WIDTH, HEIGHT, 0, NULL);
  cl_uint n = 44;
  CHECK(clSetKernelArg(picture, 0, sizeof m, &m));
  CHECK(clSetKernelArg(picture, 1, sizeof n, &n));
  CHECK(clEnqueueNDRangeKernel(h.queue, picture, 2, NULL, (size_t[]){WIDTH, HEIGHT}, NULL, 0, NULL, NULL));
  size_t whole[] = {WIDTH, HEIGHT, 1}, nowhere[3] = {0}, from[] = {3, 2, 0}, region[] = {INNER, ROWS, 1};
  CHECK(clEnqueueReadImage(h.queue, m, CL_TRUE, nowhere, whole, 0, 0, got, 0, NULL, NULL));
  expect_read("picture", 0, 0, all, sizeof all);
  for (int round = 0; round < 4; round++) {
    CHECK(clEnqueueReadImage(h.queue, m, round < 2, from, region, round % 2 ? 64 : 0, 0, got, 0, NULL, NULL));
    expect_read("picture", 0, 0, inner, sizeof inner);
    CHECK(clFinish(h.queue));
    memset(got, 1, sizeof got);
  }
  for (int round = 0; round < 2; round++) {
    size_t row = 0;
    void *at = clEnqueueMapImage(h.queue, m, round == 0, CL_MAP_READ, from, region, &row, NULL, 0, NULL, NULL, &error);
    CHECK(error);
    expect_read("picture", 0, 0, inner, sizeof inner);
    CHECK(clFinish(h.queue));
    CHECK(clEnqueueUnmapMemObject(h.queue, m, at, 0, NULL, NULL));
  }
  printf("wrong image read %d\n", clEnqueueReadImage(h.queue, m, CL_TRUE, whole, whole, 0, 0, got, 0, NULL, NULL));
  CHECK(clFinish(h.queue));
  CHECK(clReleaseMemObject(m));
}

/* Images with slices; no kernel has seen them. */
static void volumes(void) {
  enum { WIDTH = 6, HEIGHT = 5, DEPTH = 4, W = 3, H = 2, D = 2 };
  static unsigned char all[DEPTH][HEIGHT][WIDTH][4], inner[D][H][W][4], got[8192];
  const cl_mem_object_type types[] = {CL_MEM_OBJECT_IMAGE3D, CL_MEM_OBJECT_IMAGE2D_ARRAY};
  cl_int error;
  for (size_t i = 0; i < sizeof all; i++) ((unsigned char *)all)[i] = (unsigned char)(i * 7);
  for (size_t z = 0; z < D; z++)
    for (size_t y = 0; y < H; y++) memcpy(inner[z][y], all[z + 1][y + 2][1], sizeof inner[z][y]);
  size_t from[] = {1, 2, 1}, region[] = {W, H, D};
  for (int t = 0; t < 2; t++) {
    cl_mem m = image(types[t], WIDTH, HEIGHT, DEPTH, all);
    for (int round = 0; round < 4; round++) {
      CHECK(clEnqueueReadImage(h.queue, m, round < 2, from, region, round % 2 ? 32 : 0, round % 2 ? 256 : 0, got, 0,
                               NULL, NULL));
      expect_read("", 0, 0, inner, sizeof inner);
      CHECK(clFinish(h.queue));
    }
    size_t row = 0, slice = 0;
    void *at = clEnqueueMapImage(h.queue, m, CL_TRUE, CL_MAP_READ, from, region, &row, &slice, 0, NULL, NULL, &error);
    CHECK(error);
    expect_read("", 0, 0, inner, sizeof inner);
    CHECK(clEnqueueUnmapMemObject(h.queue, m, at, 0, NULL, NULL));
    CHECK(clFinish(h.queue));
    CHECK(clReleaseMemObject(m));
  }
}

/* An array of 1D images: its layers lie as slices. */
static void layers(void) {
  enum { WIDTH = 6, LAYERS = 4, W = 3, N = 2 };
  static unsigned char all[LAYERS][WIDTH][4], inner[N][W][4], got[4096];
  cl_int error;
  for (size_t i = 0; i < sizeof all; i++) ((unsigned char *)all)[i] = (unsigned char)(i * 3);
  for (size_t n = 0; n < N; n++) memcpy(inner[n], all[n + 1][2], sizeof inner[n]);
  size_t from[] = {2, 1, 0}, region[] = {W, N, 1}, row = 0, slice = 0;
  cl_mem m = image(CL_MEM_OBJECT_IMAGE1D_ARRAY, WIDTH, 1, LAYERS, all);
  for (int round = 0; round < 4; round++) {
    size_t pitch = round % 2 ? 32 : 0;
    CHECK(clEnqueueReadImage(h.queue, m, round < 2, from, region, pitch, pitch, got, 0, NULL, NULL));
    expect_read("", 0, 0, inner, sizeof inner);
    CHECK(clFinish(h.queue));
  }
  void *at = clEnqueueMapImage(h.queue, m, CL_TRUE, CL_MAP_READ, from, region, &row, &slice, 0, NULL, NULL, &error);
  CHECK(error);
  expect_read("", 0, 0, inner, sizeof inner);
  CHECK(clEnqueueUnmapMemObject(h.queue, m, at, 0, NULL, NULL));
  CHECK(clFinish(h.queue));
  CHECK(clReleaseMemObject(m));
}

static void launch_other(int n, cl_mem a, cl_mem b) {
  CHECK(clSetKernelArg(other, 0, sizeof n, &n));
  CHECK(clSetKernelArg(other, 1, sizeof a, &a));
  CHECK(clSetKernelArg(other, 2, sizeof b, &b));
  host_launch(&h, other, COUNT);
  for (int i = 0; i < COUNT; i++) expected[i] = n;
}

static void read_whole(cl_mem m, const char *kernel, unsigned argument, unsigned launch, const void *bytes) {
  static int got[COUNT];
  CHECK(clEnqueueReadBuffer(h.queue, m, CL_TRUE, 0, BYTES, got, 0, NULL, NULL));
  expect_read(kernel, argument, launch, bytes, BYTES);
}

/* Kernels that are not instrumented, several arguments, parts of buffers, handles that are used again. */
static void naming(cl_program p) {
  static const int zeros[COUNT];
  static int sixes[COUNT];
  cl_int error;
  cl_mem a = host_buffer(&h, BYTES), b = host_buffer(&h, BYTES);
  launch_other(5, a, b);
  read_whole(b, "other", 2, 0, zeros);
  read_whole(a, "other", 1, 0, expected);
  launch_other(6, a, a); /* the first of both */
  memcpy(sixes, expected, BYTES);
  read_whole(a, "other", 1, 1, sixes);
  read_whole(b, "other", 2, 0, zeros);
  cl_kernel kept = other;
  other = host_kernel(p, "other"); /* counted by name */
  launch_other(7, b, a);
  read_whole(b, "other", 1, 2, expected);
  read_whole(a, "other", 2, 2, sixes);
  CHECK(clReleaseKernel(other));
  other = kept;
  cl_buffer_region part = {0, BYTES / 2};
  cl_mem sub = clCreateSubBuffer(a, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &part, &error);
  CHECK(error);
  static int half[COUNT / 2];
  CHECK(clEnqueueReadBuffer(h.queue, sub, CL_TRUE, 0, BYTES / 2, half, 0, NULL, NULL));
  expect_read("", 0, 0, sixes, BYTES / 2);
  CHECK(clReleaseMemObject(sub));
  CHECK(clReleaseMemObject(a));
  CHECK(clReleaseMemObject(b));
  for (int i = 0; i < 8; i++) {
    a = host_buffer(&h, BYTES);
    read_whole(a, "", 0, 0, zeros);
    launch_other(i, a, a);
    CHECK(clFinish(h.queue));
    CHECK(clReleaseMemObject(a));
  }
}

/* The same program from its binary: nothing of it is instrumented. */
static void binary(cl_program p) {
  size_t size;
  cl_int error;
  CHECK(clGetProgramInfo(p, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL));
  unsigned char *bytes = malloc(size);
  CHECK(clGetProgramInfo(p, CL_PROGRAM_BINARIES, sizeof bytes, &bytes, NULL));
  cl_program again =
      clCreateProgramWithBinary(h.context, 1, &h.device, &size, (const unsigned char **)&bytes, NULL, &error);
  CHECK(error);
  CHECK(clBuildProgram(again, 0, NULL, NULL, NULL, NULL));
  cl_kernel kept = add;
  cl_mem m = host_buffer(&h, BYTES);
  add = host_kernel(again, "add");
  fresh();
  launch_add(m, 6);
  read_whole(m, "add", 0, 0, expected); /* each program counts its own */
  CHECK(clReleaseKernel(add));
  add = kept;
  launch_add(m, 6);
  read_whole(m, "add", 0, 7, expected);
  CHECK(clReleaseMemObject(m));
  CHECK(clReleaseProgram(again));
  free(bytes);
}

/* Shared virtual memory: maps, and copies out of it; a copy inside is none of the host's. */
static void shared(void) {
  int *a = clSVMAlloc(h.context, CL_MEM_READ_WRITE, BYTES, 0), *b = clSVMAlloc(h.context, CL_MEM_READ_WRITE, BYTES, 0);
  int *got = malloc(BYTES), n = 6;
  cl_event event;
  TRUE_(a && b && got);
  fresh();
  CHECK(clEnqueueSVMMap(h.queue, CL_TRUE, CL_MAP_WRITE, a, BYTES, 0, NULL, NULL));
  memset(a, 0, BYTES);
  CHECK(clEnqueueSVMUnmap(h.queue, a, 0, NULL, NULL));
  CHECK(clSetKernelArgSVMPointer(add, 0, a));
  CHECK(clSetKernelArg(add, 1, sizeof n, &n));
  host_launch(&h, add, COUNT);
  for (int i = 0; i < COUNT; i++) expected[i] += n;
  CHECK(clEnqueueSVMMap(h.queue, CL_TRUE, CL_MAP_READ, a, BYTES, 0, NULL, NULL));
  expect_read("add", 0, 8, expected, BYTES);
  CHECK(clEnqueueSVMUnmap(h.queue, a, 0, NULL, NULL));
  CHECK(clEnqueueSVMMemcpy(h.queue, CL_TRUE, b, a, BYTES, 0, NULL, NULL));
  CHECK(clEnqueueSVMMemcpy(h.queue, CL_TRUE, got, a + 2, 80, 0, NULL, NULL));
  expect_read("add", 0, 8, expected + 2, 80);
  CHECK(clEnqueueSVMMemcpy(h.queue, CL_FALSE, got, b, BYTES, 0, NULL, &event));
  expect_read("", 0, 0, expected, BYTES);
  CHECK(clWaitForEvents(1, &event));
  CHECK(clReleaseEvent(event));
  memset(got, 3, BYTES);
  CHECK(clEnqueueSVMMap(h.queue, CL_FALSE, CL_MAP_READ | CL_MAP_WRITE, a, BYTES, 0, NULL, NULL));
  expect_read("add", 0, 8, expected, BYTES);
  CHECK(clFinish(h.queue));
  memset(a, 9, BYTES);
  CHECK(clEnqueueSVMUnmap(h.queue, a, 0, NULL, NULL));
  CHECK(clFinish(h.queue));
  clSVMFree(h.context, a);
  void *last[] = {b};
  CHECK(clEnqueueSVMFree(h.queue, 1, last, NULL, NULL, 0, NULL, NULL));
  CHECK(clFinish(h.queue));
  free(got);
}

/* Nobody ever waits for these. */
static void unwaited(void) {
  static int got[3][COUNT];
  cl_mem m = host_buffer(&h, BYTES);
  fresh();
  launch_add(m, 10);
  for (int i = 0; i < 3; i++) {
    CHECK(clEnqueueReadBuffer(h.queue, m, CL_FALSE, 0, BYTES, got[i], 0, NULL, NULL));
    expect_read("add", 0, 9, expected, BYTES);
  }
}

int main(void) {
  h = host_open(0);
  cl_program p = host_program(&h, PLAIN ADD("add") OTHER PICTURE, "");
  add = host_kernel(p, "add");
  other = host_kernel(p, "other");
  picture = host_kernel(p, "picture");
  blocking();
  at_once();
  rectangles();
  maps();
  images();
  volumes();
  layers();
  naming(p);
  binary(p);
  shared();
  unwaited();
  usleep(50000); /* PoCL by itself may crash when a program ends under its feet */
  return 0;
}
