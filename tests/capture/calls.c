/* Buffers, kernels, arguments, launches and transfers, each call in some forms. */
#include <stdint.h>

#include "expect.h"

#define SOURCE                                                                                         \
  "kernel void add(global int *a, int n, local int *scratch, constant int *c) {"                       \
  " scratch[get_local_id(0)] = n; a[get_global_id(0)] += scratch[get_local_id(0)] + (c ? c[0] : 0); }" \
  " kernel void plain(global int *a, ulong handle, float4 v) { a[get_global_id(0)] = (int)handle + (int)v.x; }"

enum { BYTES = 512, INTS = BYTES / 4 };

typedef struct objects {
  cl_mem plain, copied, used, part, with_properties;
} objects;

static cl_mem buffer(const host *h, cl_mem_flags flags, size_t size, void *data) {
  cl_int error;
  cl_mem m = clCreateBuffer(h->context, flags, size, data, &error);
  CHECK(error);
  return m;
}

static objects make(const host *h) {
  static const unsigned char contents[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  objects o;
  cl_int error;
  void *memory = aligned_alloc(4096, 4096);
  TRUE_(memory);
  memset(memory, 7, 4096);
  o.plain = buffer(h, CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR | CL_MEM_HOST_READ_ONLY, BYTES, NULL);
  expect("buffer flags=1 size=512 blob=-");
  o.copied = buffer(h, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, 8, (void *)(uintptr_t)contents);
  expect("buffer flags=4 size=8 blob=0102030405060708");
  o.used = buffer(h, CL_MEM_USE_HOST_PTR, 4096, memory);
  expect("buffer flags=0 size=4096 blob=(4096)");
  cl_buffer_region region = {128, 64};
  o.part = clCreateSubBuffer(o.plain, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &error);
  CHECK(error);
  expect("sub-buffer parent=0 origin=128 size=64");
  o.with_properties = clCreateBufferWithProperties(h->context, NULL, CL_MEM_READ_WRITE, BYTES, NULL, &error);
  CHECK(error);
  expect("buffer flags=1 size=512 blob=-");
  /* a call that fails is not recorded */
  TRUE_(!clCreateBuffer(h->context, CL_MEM_READ_WRITE, 0, NULL, &error) && error != CL_SUCCESS);
  return o;
}

/* The memory of `used`, as it is once the rectangle was copied there. */
static void expect_own(const unsigned char *bytes) {
  unsigned char own[4096];
  memset(own, 7, sizeof own);
  for (size_t i = 0; i < 24; i++) own[i] = bytes[2 + 16 + 48 + i % 6 + i / 6 % 2 * 16 + i / 12 * 48];
  expect_read(own, sizeof own, "read memory=2 offset=0 size=4096");
}

static void transfer(const host *h, const objects *o) {
  int numbers[INTS] = {0}, back[INTS];
  const size_t at[3] = {4, 1, 0}, host_at[3] = {2, 1, 1}, region[3] = {6, 2, 2}, nowhere[3] = {0, 0, 0};
  unsigned char bytes[200];
  cl_event event;
  for (unsigned i = 0; i < sizeof bytes; i++) bytes[i] = (unsigned char)i;
  CHECK(clEnqueueWriteBuffer(h->queue, o->with_properties, CL_TRUE, 0, BYTES, numbers, 0, NULL, NULL));
  expect("write memory=4 offset=0 size=512 blob=(512)");
  CHECK(clEnqueueWriteBuffer(h->queue, o->used, CL_FALSE, 4, 8, bytes, 0, NULL, NULL));
  expect("write memory=2 offset=4 size=8 blob=0001020304050607");
  /* rows of 6 bytes, 16 apart, slices 48 apart; in the buffer 32 and 128 */
  CHECK(clEnqueueWriteBufferRect(h->queue, o->with_properties, CL_FALSE, at, host_at, region, 32, 128, 16, 48, bytes, 0,
                                 NULL, NULL));
  expect("write-rect memory=4 origin=4,1,0 region=6,2,2 row=32 slice=128 blob=(24)");
  CHECK(clEnqueueFillBuffer(h->queue, o->with_properties, bytes + 1, 4, 256, 128, 0, NULL, NULL));
  expect("fill memory=4 offset=256 size=128 pattern=01020304");
  CHECK(clEnqueueCopyBuffer(h->queue, o->used, o->with_properties, 4, 480, 8, 0, NULL, NULL));
  expect("copy from=2 to=4 offsets=4,480 size=8");
  CHECK(clEnqueueCopyBufferRect(h->queue, o->with_properties, o->used, at, nowhere, region, 32, 128, 0, 0, 0, NULL,
                                NULL));
  expect("copy-rect from=4 to=2 offsets=0,0 from=4,1,0 to=0,0,0 region=6,2,2 pitches=32,128,6,12");
  CHECK(clEnqueueReadBuffer(h->queue, o->with_properties, CL_TRUE, 0, BYTES, back, 0, NULL, NULL));
  expect_read(back, BYTES, "read memory=4 offset=0 size=512");
  expect_own(bytes); /* which the program sees, as the copy is over */
  printf("%d %d %d\n", back[9], back[64], back[120]);
  TRUE_(memcmp((char *)back + 36, bytes + 48 + 16 + 2, 6) == 0 && memcmp(back + 120, bytes, 8) == 0);
  CHECK(clEnqueueReadBuffer(h->queue, o->used, CL_FALSE, 0, 16, back, 0, NULL, NULL));
  CHECK(clFinish(h->queue));
  expect_read(back, 16, "read memory=2 offset=0 size=16");
  CHECK(clEnqueueReadBuffer(h->queue, o->used, CL_FALSE, 4, 4, back, 0, NULL, &event));
  CHECK(clWaitForEvents(1, &event));
  CHECK(clReleaseEvent(event));
  expect_read(back, 4, "read memory=2 offset=4 size=4");
  unsigned char tight[24], wide[200] = {0};
  CHECK(clEnqueueReadBufferRect(h->queue, o->with_properties, CL_TRUE, at, host_at, region, 32, 128, 16, 48, wide, 0,
                                NULL, NULL));
  for (size_t i = 0; i < sizeof tight; i++) tight[i] = wide[2 + 16 + 48 + i % 6 + i / 6 % 2 * 16 + i / 12 * 48];
  expect_read(tight, sizeof tight, "read-rect memory=4 origin=4,1,0 region=6,2,2 row=32 slice=128");
  TRUE_(clEnqueueReadBuffer(h->queue, o->used, CL_TRUE, 4096, 1, back, 0, NULL, NULL) != CL_SUCCESS);
}

static void arguments(const host *h, cl_kernel add, cl_kernel plain, const objects *o) {
  const int n = 5;
  const cl_mem none = NULL;
  const cl_float4 v = {.s = {1, 2, 3, 4}};
  const cl_ulong handle = (cl_ulong)(uintptr_t)o->plain;
  (void)h;
  CHECK(clSetKernelArg(add, 0, sizeof(cl_mem), &o->plain));
  expect("argument kernel=0 0 memory object=0");
  CHECK(clSetKernelArg(add, 1, sizeof n, &n));
  expect("argument kernel=0 1 value size=4 05000000");
  CHECK(clSetKernelArg(add, 2, 256, NULL));
  expect("argument kernel=0 2 local size=256");
  CHECK(clSetKernelArg(add, 3, sizeof none, &none));
  expect("argument kernel=0 3 memory object=-");
  CHECK(clSetKernelArg(add, 3, sizeof none, NULL));
  expect("argument kernel=0 3 memory object=-");
  CHECK(clSetKernelArg(plain, 0, sizeof(cl_mem), &o->part));
  expect("argument kernel=1 0 memory object=3");
  CHECK(clSetKernelArg(plain, 1, sizeof handle, &handle)); /* a number that happens to be the handle of a buffer */
  expect_value("argument kernel=1 1 value size=8", &handle, sizeof handle);
  CHECK(clSetKernelArg(plain, 2, sizeof v, &v));
  expect("argument kernel=1 2 value size=16 0000803f000000400000404000008040");
  const cl_ulong one = 1;
  CHECK(clSetKernelArg(plain, 1, sizeof one, &one));
  expect("argument kernel=1 1 value size=8 0100000000000000");
  TRUE_(clSetKernelArg(plain, 7, sizeof one, &one) != CL_SUCCESS);
}

static void launches(const host *h, cl_kernel add, cl_kernel plain) {
  const size_t offset[2] = {2, 0}, global[2] = {64, 1}, local[2] = {16, 1}, few = 16;
  CHECK(clEnqueueNDRangeKernel(h->queue, add, 2, offset, global, local, 0, NULL, NULL));
  expect("launch kernel=0 dimensions=2 global=64,1,0 offset=2,0,0 local=16,1,0");
  CHECK(clEnqueueNDRangeKernel(h->queue, plain, 1, NULL, &few, NULL, 0, NULL, NULL));
  expect("launch kernel=1 dimensions=1 global=16,0,0");
  CHECK(clEnqueueTask(h->queue, add, 0, NULL, NULL));
  expect("launch kernel=0 dimensions=1 task global=1,0,0 local=1,0,0");
  TRUE_(clEnqueueNDRangeKernel(h->queue, add, 4, NULL, global, NULL, 0, NULL, NULL) != CL_SUCCESS);
}

/* A kernel that is cloned has the original's arguments; several of a program are made at once. */
static void more_kernels(const host *h, cl_program p, cl_kernel plain) {
  cl_int error;
  const size_t few = 16;
  cl_kernel clone = clCloneKernel(plain, &error), both[2];
  CHECK(error);
  expect("clone kernel=1");
  CHECK(clEnqueueNDRangeKernel(h->queue, clone, 1, NULL, &few, NULL, 0, NULL, NULL));
  expect("launch kernel=2 dimensions=1 global=16,0,0");
  CHECK(clRetainKernel(clone));
  CHECK(clReleaseKernel(clone));
  CHECK(clReleaseKernel(clone));
  expect("release-kernel object=2");
  CHECK(clCreateKernelsInProgram(p, 2, both, NULL));
  for (int i = 0; i < 2; i++) {
    char name[16];
    CHECK(clGetKernelInfo(both[i], CL_KERNEL_FUNCTION_NAME, sizeof name, name, NULL));
    expect("kernel program=0 %s", name);
  }
  CHECK(clReleaseKernel(both[1]));
  expect("release-kernel object=4");
  CHECK(clReleaseKernel(both[0]));
  expect("release-kernel object=3");
}

/* Handles that the driver uses again are other objects. */
static void again(const host *h) {
  for (int i = 5; i < 9; i++) {
    cl_mem m = buffer(h, CL_MEM_READ_WRITE, 64, NULL);
    expect("buffer flags=1 size=64 blob=-");
    CHECK(clRetainMemObject(m));
    CHECK(clReleaseMemObject(m));
    CHECK(clReleaseMemObject(m));
    expect("release-memory object=%d", i);
  }
}

/* Where the driver does not keep the declarations, what is the handle of an object is taken for one. */
static void undeclared(const host *h, const objects *o) {
  cl_program p = expect_program(h, SOURCE, NULL);
  cl_kernel add = expect_kernel(p, 1, "add");
  const cl_mem none = NULL;
  const int n = 1;
  CHECK(clReleaseProgram(p));
  CHECK(clSetKernelArg(add, 0, sizeof(cl_mem), &o->with_properties));
  expect("argument kernel=5 0 memory object=4");
  CHECK(clSetKernelArg(add, 1, sizeof n, &n));
  expect("argument kernel=5 1 value size=4 01000000");
  CHECK(clSetKernelArg(add, 2, 8, NULL));
  expect("argument kernel=5 2 local size=8");
  CHECK(clSetKernelArg(add, 3, sizeof none, &none));
  expect("argument kernel=5 3 value size=8 0000000000000000");
  CHECK(clSetKernelArg(add, 3, sizeof none, NULL)); /* the same as local memory */
  expect("argument kernel=5 3 local size=8");
  host_launch(h, add, 1);
  expect("launch kernel=5 dimensions=1 global=1,0,0");
  CHECK(clReleaseKernel(add));
  expect("release-kernel object=5");
}

int main(void) {
  host h = host_open(0);
  objects o = make(&h);
  transfer(&h, &o);
  cl_program p = expect_program(&h, SOURCE, "-cl-kernel-arg-info");
  cl_kernel add = expect_kernel(p, 0, "add"), plain = expect_kernel(p, 0, "plain");
  CHECK(clReleaseProgram(p)); /* the kernels hold it */
  arguments(&h, add, plain, &o);
  CHECK(clGetKernelInfo(add, CL_KERNEL_PROGRAM, sizeof p, &p, NULL));
  launches(&h, add, plain);
  more_kernels(&h, p, plain);
  int back[INTS] = {0};
  CHECK(clEnqueueReadBuffer(h.queue, o.part, CL_TRUE, 0, 64, back, 0, NULL, NULL));
  expect_read(back, 64, "read memory=3 offset=0 size=64");
  printf("%d\n", back[0]);
  CHECK(clReleaseMemObject(o.plain)); /* there is a part of it */
  undeclared(&h, &o);
  again(&h);
  CHECK(clReleaseMemObject(o.part));
  expect("release-memory object=3");
  expect("release-memory object=0");
  CHECK(clReleaseKernel(add));
  expect("release-kernel object=0");
  CHECK(clReleaseMemObject(o.copied));
  expect("release-memory object=1");
  CHECK(clFinish(h.queue)); /* a driver that still builds a kernel when the process ends crashes */
  host_close(&h);
  return 0;
}
