/* Mappings: for reading, for writing, of memory that a kernel had, of images, several at once. */
#include "expect.h"

#define SOURCE                                                                   \
  "kernel void count(global int *a) { a[get_global_id(0)] = get_global_id(0); }" \
  " kernel void paint(write_only image2d_t i) {"                                 \
  " write_imageui(i, (int2)(get_global_id(0), get_global_id(1)), (uint4)(get_global_id(0))); }"

static void *map(const host *h, cl_mem m, cl_bool blocking, cl_map_flags flags, size_t offset, size_t size) {
  cl_int error;
  void *p = clEnqueueMapBuffer(h->queue, m, blocking, flags, offset, size, 0, NULL, NULL, &error);
  CHECK(error);
  return p;
}

static void unmap(const host *h, cl_mem m, void *p) { CHECK(clEnqueueUnmapMemObject(h->queue, m, p, 0, NULL, NULL)); }

/* Memory that only the host had: all of the mapping is what it wrote. */
static void fresh(const host *h, cl_mem m) {
  char *p = map(h, m, CL_TRUE, CL_MAP_WRITE_INVALIDATE_REGION, 0, 8);
  memcpy(p, "abcdefgh", 8);
  unmap(h, m, p);
  expect("write memory=0 offset=0 size=8 blob=6162636465666768");
  p = map(h, m, CL_FALSE, CL_MAP_WRITE | CL_MAP_READ, 4, 8);
  CHECK(clFinish(h->queue));
  expect_read(p, 8, "read memory=0 offset=4 size=8");
  memcpy(p + 4, "ijkl", 4);
  unmap(h, m, p);
  expect("write memory=0 offset=4 size=8 blob=65666768696a6b6c");
  p = map(h, m, CL_TRUE, CL_MAP_READ, 0, 12);
  expect_read(p, 12, "read memory=0 offset=0 size=12");
  printf("%.12s\n", p);
  unmap(h, m, p);
}

static void launch(const host *h, cl_kernel k, cl_mem m) {
  const size_t items = 16;
  CHECK(clSetKernelArg(k, 0, sizeof m, &m));
  expect("argument kernel=0 0 memory object=0");
  CHECK(clEnqueueNDRangeKernel(h->queue, k, 1, NULL, &items, NULL, 0, NULL, NULL));
  expect("launch kernel=0 dimensions=1 global=16,0,0");
}

/* Memory that a kernel had: what differs, in pieces of 8 bytes of the buffer. */
static void computed(const host *h, cl_kernel k, cl_mem m) {
  launch(h, k, m);
  int *p = map(h, m, CL_TRUE, CL_MAP_WRITE, 4, 60); /* 1, 2, … 15 */
  expect_read(p, 60, "read memory=0 offset=4 size=60");
  p[2] = 77; /* bytes 12 to 16: with their neighbour in the piece, 2 */
  p[9] = 88; /* bytes 40 to 44, with 11 */
  p[10] = 11;
  unmap(h, m, p);
  expect("write memory=0 offset=8 size=8 blob=020000004d000000");
  expect("write memory=0 offset=40 size=8 blob=580000000b000000");
  p = map(h, m, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0, 64);
  expect_read(p, 64, "read memory=0 offset=0 size=64");
  printf("%d %d %d\n", p[2], p[3], p[10]);
  unmap(h, m, p);
  p = map(h, m, CL_TRUE, CL_MAP_WRITE, 0, 64); /* the last piece ends with the mapping */
  expect_read(p, 64, "read memory=0 offset=0 size=64");
  p[0] = 1;
  p[15] = 2;
  unmap(h, m, p);
  expect("write memory=0 offset=0 size=8 blob=0100000001000000");
  expect("write memory=0 offset=56 size=8 blob=0e00000002000000");
  p = map(h, m, CL_TRUE, CL_MAP_WRITE_INVALIDATE_REGION, 8, 8);
  p[0] = 5;
  p[1] = 6;
  unmap(h, m, p);
  expect("write memory=0 offset=8 size=8 blob=0500000006000000");
}

/* Many places are one. */
static void scattered(const host *h, cl_kernel k) {
  enum { INTS = 4096 };
  cl_mem m = host_buffer(h, INTS * 4);
  expect("buffer flags=1 size=16384 blob=(16384)");
  CHECK(clSetKernelArg(k, 0, sizeof m, &m));
  expect("argument kernel=0 0 memory object=1");
  host_launch(h, k, 1);
  expect("launch kernel=0 dimensions=1 global=1,0,0");
  int *p = map(h, m, CL_TRUE, CL_MAP_WRITE, 0, INTS * 4);
  expect_read(p, sizeof(int) * INTS, "read memory=1 offset=0 size=16384");
  for (int i = 8; i < INTS - 8; i += 4) p[i] = i;
  unmap(h, m, p);
  expect("write memory=1 offset=32 size=16312 blob=(16312)");
  CHECK(clReleaseMemObject(m));
  expect("release-memory object=1");
}

/* Two mappings of the same memory for reading; one is left when the memory is released. */
static void several(const host *h, cl_mem m) {
  void *a = map(h, m, CL_TRUE, CL_MAP_READ, 0, 64);
  expect_read(a, 64, "read memory=0 offset=0 size=64");
  void *b = map(h, m, CL_TRUE, CL_MAP_READ, 16, 16);
  expect_read(b, 16, "read memory=0 offset=16 size=16");
  unmap(h, m, a);
  unmap(h, m, b);
}

static unsigned char *map_image(const host *h, cl_mem m, cl_map_flags flags, size_t *row) {
  cl_int error;
  unsigned char *p = clEnqueueMapImage(h->queue, m, CL_TRUE, flags, (const size_t[3]){1, 0, 0},
                                       (const size_t[3]){2, 2, 1}, row, NULL, 0, NULL, NULL, &error);
  CHECK(error);
  return p;
}

static void of_image(const host *h, cl_program p) {
  cl_int error;
  const cl_image_format format = {CL_RGBA, CL_UNSIGNED_INT8};
  const cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 3, .image_height = 2};
  unsigned char contents[24] = {0}, tight[16];
  size_t row;
  cl_mem m = clCreateImage(h->context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, &format, &desc, contents, &error);
  CHECK(error);
  expect("image type=10f1 format=10b5/10da size=3,2,0 layers=0 pitch=0 buffer=- blob=(24)");
  unsigned char *at = map_image(h, m, CL_MAP_WRITE, &row);
  memset(at, 1, 8);
  memset(at + row, 2, 8);
  unmap(h, m, at);
  expect("write-image memory=2 origin=1,0,0 region=2,2,1 blob=01010101010101010202020202020202");
  cl_kernel k = expect_kernel(p, 0, "paint");
  CHECK(clSetKernelArg(k, 0, sizeof m, &m));
  expect("argument kernel=1 0 memory object=2");
  CHECK(clEnqueueNDRangeKernel(h->queue, k, 2, NULL, (const size_t[2]){3, 2}, NULL, 0, NULL, NULL));
  expect("launch kernel=1 dimensions=2 global=3,2,0");
  at = map_image(h, m, CL_MAP_READ | CL_MAP_WRITE, &row);
  for (size_t i = 0; i < 16; i++) tight[i] = at[i / 8 * row + i % 8];
  expect_read(tight, 16, "read-image memory=2 origin=1,0,0 region=2,2,1");
  printf("%d %d\n", tight[0], tight[15]);
  unmap(h, m, at); /* nothing was written */
  at = map_image(h, m, CL_MAP_WRITE, &row);
  expect_read(tight, 16, "read-image memory=2 origin=1,0,0 region=2,2,1");
  at[0] = 99;
  unmap(h, m, at);
  expect("write-image memory=2 origin=1,0,0 region=2,2,1 blob=63010101020202020101010102020202");
  CHECK(clReleaseMemObject(m));
  expect("release-memory object=2");
}

int main(void) {
  host h = host_open(0);
  cl_mem m = host_buffer(&h, 64);
  expect("buffer flags=1 size=64 blob=(64)");
  cl_program p = expect_program(&h, SOURCE, NULL);
  cl_kernel k = expect_kernel(p, 0, "count");
  fresh(&h, m);
  computed(&h, k, m);
  scattered(&h, k);
  several(&h, m);
  of_image(&h, p);
  CHECK(clReleaseMemObject(m));
  expect("release-memory object=0");
  host_close(&h);
  return 0;
}
